;; A contract for fuzzing: it calls the host with whatever a message says. A
;; message is read as steps of four numbers of 32 bits, a b c d: a chooses what to
;; do with the others, see $step.
;;
;;   wat2wasm hostile.wat -o hostile.wasm
(module
  (import "env" "abort" (func $abort (param i32)))
  (import "env" "db_read" (func $db_read (param i32) (result i32)))
  (import "env" "db_write" (func $db_write (param i32 i32)))
  (import "env" "db_remove" (func $db_remove (param i32)))
  (import "env" "db_scan" (func $db_scan (param i32 i32 i32) (result i32)))
  (import "env" "db_next" (func $db_next (param i32) (result i32)))
  (import "env" "db_next_key" (func $db_next_key (param i32) (result i32)))
  (import "env" "db_next_value" (func $db_next_value (param i32) (result i32)))
  (import "env" "addr_validate" (func $addr_validate (param i32) (result i32)))
  (import "env" "addr_canonicalize" (func $addr_canonicalize (param i32 i32) (result i32)))
  (import "env" "addr_humanize" (func $addr_humanize (param i32 i32) (result i32)))
  (import "env" "bls12_381_pairing_equality" (func $pairing (param i32 i32 i32 i32) (result i32)))
  (import "env" "query_chain" (func $query_chain (param i32) (result i32)))
  (import "env" "debug" (func $debug (param i32)))
  (memory (export "memory") 2)
  (global $heap (mut i32) (i32.const 65536))
  (global $lie (mut i32) (i32.const 0))    ;; what allocate gives instead of a region; 0 for none
  (global $again (mut i32) (i32.const 0))  ;; allocate reads the storage at this pointer; 0 for not
  (func (export "interface_version_8"))
  (func $allocate (export "allocate") (param $n i32) (result i32)
    (local $at i32)
    (if (global.get $again) (then (drop (call $db_read (global.get $again)))))
    (if (global.get $lie) (then (return (global.get $lie))))
    (local.set $at (global.get $heap))
    (global.set $heap (i32.and (i32.const -4) (i32.add (i32.add (local.get $at) (local.get $n)) (i32.const 16))))
    (block $fits
      (br_if $fits (i32.le_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536))))
      (br_if $fits (i32.ne (i32.const -1) (memory.grow (i32.add (i32.const 1) (i32.div_u (local.get $n) (i32.const 65536))))))
      (unreachable))
    (i32.store (local.get $at) (i32.add (local.get $at) (i32.const 12)))
    (i32.store offset=4 (local.get $at) (local.get $n))
    (i32.store offset=8 (local.get $at) (i32.const 0))
    (local.get $at))
  (func (export "deallocate") (param i32))

  (func $step (param $a i32) (param $b i32) (param $c i32) (param $d i32) (result i32)
    (block $15 (block $14 (block $13 (block $12 (block $11 (block $10 (block $9 (block $8
    (block $7 (block $6 (block $5 (block $4 (block $3 (block $2 (block $1 (block $0
      (br_table $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11 $12 $13 $14 $15 (i32.and (local.get $a) (i32.const 15))))
      (i32.store (local.get $b) (local.get $c)) (return (i32.const 0)))
      (return (call $db_read (local.get $b))))
      (call $db_write (local.get $b) (local.get $c)) (return (i32.const 0)))
      (call $db_remove (local.get $b)) (return (i32.const 0)))
      (return (call $db_scan (local.get $b) (local.get $c) (local.get $d))))
      (return (call $db_next (local.get $b))))
      (return (call $db_next_key (local.get $b))))
      (return (call $db_next_value (local.get $b))))
      (return (call $addr_validate (local.get $b))))
      (return (call $addr_canonicalize (local.get $b) (local.get $c))))
      (return (call $addr_humanize (local.get $b) (local.get $c))))
      (return (call $query_chain (local.get $b))))
      (call $debug (local.get $b)) (return (i32.const 0)))
      (if (local.get $b) (then (call $abort (local.get $c)))) (return (call $pairing (local.get $b) (local.get $c) (local.get $d) (local.get $a))))
      (global.set $lie (local.get $b)) (global.set $again (local.get $c)) (return (i32.const 0)))
      (return (memory.grow (local.get $b))))

  ;; Gives what the last step gave, or the region at 16 for 0. The result of each
  ;; step is at 64, for those after it.
  (func $run (param $msg i32) (result i32)
    (local $at i32) (local $left i32)
    (local.set $at (i32.load (local.get $msg)))
    (local.set $left (i32.load offset=8 (local.get $msg)))
    (block $done (loop $more
      (br_if $done (i32.lt_u (local.get $left) (i32.const 16)))
      (i32.store (i32.const 64) (call $step (i32.load (local.get $at)) (i32.load offset=4 (local.get $at)) (i32.load offset=8 (local.get $at)) (i32.load offset=12 (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (local.set $left (i32.sub (local.get $left) (i32.const 16)))
      (br $more)))
    (if (result i32) (i32.load (i32.const 64)) (then (i32.load (i32.const 64))) (else (i32.const 16))))
  (func (export "instantiate") (param i32 i32 i32) (result i32) (call $run (local.get 2)))
  (func (export "execute") (param i32 i32 i32) (result i32) (call $run (local.get 2)))
  (func (export "query") (param i32 i32) (result i32) (call $run (local.get 1))))
