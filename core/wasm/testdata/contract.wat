;; A contract for tests. It does what the second letter of a message says, which
;; is the first of its name: {"count":{}} counts. See $execute and $query.
;;
;;   wat2wasm contract.wat -o contract.wasm
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
  (import "env" "secp256k1_verify" (func $secp256k1_verify (param i32 i32 i32) (result i32)))
  (import "env" "secp256k1_recover_pubkey" (func $secp256k1_recover_pubkey (param i32 i32 i32) (result i64)))
  (import "env" "query_chain" (func $query_chain (param i32) (result i32)))
  (import "env" "debug" (func $debug (param i32)))

  (memory (export "memory") 2)
  (global $calls (mut i32) (i32.const 0))

  ;; 16: where the heap goes on · 20: the last block · 24: calls, in memory
  ;; 32, 48, 64: regions · 256 …: texts · 4096 …: room to write in · 65536 …: heap
  (data (i32.const 16) "\00\00\01\00")
  (data (i32.const 256) "count")
  (data (i32.const 272) "{\22ok\22:{\22messages\22:[],\22attributes\22:[{\22key\22:\22action\22,\22value\22:\22count\22}],\22events\22:[],\22data\22:null}}")
  (data (i32.const 512) "{\22ok\22:{\22messages\22:[{\22id\22:7,\22msg\22:{\22wasm\22:{\22execute\22:{\22contract_addr\22:\22cosmos1jyylvh2ut5pudan64uz3p5xm4zsdju3jk7drmutdhtv0320lrleq03xqxa\22,\22msg\22:\22e30=\22,\22funds\22:[]}}},\22gas_limit\22:null,\22reply_on\22:\22always\22}],\22attributes\22:[],\22events\22:[{\22type\22:\22sent\22,\22attributes\22:[]}],\22data\22:\22aGk=\22}}")
  (data (i32.const 1024) "{\22error\22:\22Unauthorized\22}")
  (data (i32.const 1056) "panicked at 'overflow'")
  (data (i32.const 1088) "not JSON")
  (data (i32.const 1104) "a line")
  (data (i32.const 1120) "{\22ok\22:\22")
  (data (i32.const 1136) "{\22ok\22:\22\22}")
  (data (i32.const 1152) "{\22ok\22:\22bm8=\22}")
  (data (i32.const 1184) "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  (func (export "interface_version_8"))

  ;; The last block that was handed out can be given back.
  (func $allocate (export "allocate") (param $n i32) (result i32)
    (local $at i32) (local $end i32)
    (local.set $at (i32.load (i32.const 16)))
    (local.set $end (i32.add (i32.add (local.get $at) (local.get $n)) (i32.const 16)))
    (if (i32.gt_u (local.get $end) (i32.mul (memory.size) (i32.const 65536)))
      (then (if (i32.eq (i32.const -1) (memory.grow (i32.add (i32.const 1)
          (i32.div_u (i32.sub (local.get $end) (i32.mul (memory.size) (i32.const 65536))) (i32.const 65536)))))
        (then (unreachable)))))
    (i32.store (local.get $at) (i32.add (local.get $at) (i32.const 12)))
    (i32.store offset=4 (local.get $at) (local.get $n))
    (i32.store offset=8 (local.get $at) (i32.const 0))
    (i32.store (i32.const 20) (local.get $at))
    (i32.store (i32.const 16) (i32.and (i32.add (local.get $end) (i32.const 3)) (i32.const -4)))
    (local.get $at))
  (func (export "deallocate") (param $at i32)
    (if (i32.eq (local.get $at) (i32.load (i32.const 20)))
      (then (i32.store (i32.const 16) (local.get $at)))))

  ;; A region at an address, for bytes at another.
  (func $region (param $at i32) (param $offset i32) (param $length i32) (result i32)
    (i32.store (local.get $at) (local.get $offset))
    (i32.store offset=4 (local.get $at) (local.get $length))
    (i32.store offset=8 (local.get $at) (local.get $length))
    (local.get $at))
  (func $say (param $offset i32) (param $length i32) (result i32)
    (call $region (i32.const 32) (local.get $offset) (local.get $length)))
  (func $countkey (result i32) (call $region (i32.const 48) (i32.const 256) (i32.const 5)))

  (func $copy (param $to i32) (param $from i32) (param $n i32)
    (block $done (loop $more
      (br_if $done (i32.eqz (local.get $n)))
      (i32.store8 (local.get $to) (i32.load8_u (local.get $from)))
      (local.set $to (i32.add (local.get $to) (i32.const 1)))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $more))))

  ;; Wraps n bytes as the answer to a query: {"ok":"BASE64"}.
  (func $six (param $bits i32) (result i32)
    (i32.load8_u offset=1184 (i32.and (local.get $bits) (i32.const 63))))
  (func $answer (param $from i32) (param $n i32) (result i32)
    (local $to i32) (local $three i32)
    (call $copy (i32.const 16384) (i32.const 1120) (i32.const 7))
    (local.set $to (i32.const 16391))
    (i32.store16 (i32.add (local.get $from) (local.get $n)) (i32.const 0))
    (block $done (loop $more
      (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
      (local.set $three (i32.or (i32.or
        (i32.shl (i32.load8_u (local.get $from)) (i32.const 16))
        (i32.shl (i32.load8_u offset=1 (local.get $from)) (i32.const 8)))
        (i32.load8_u offset=2 (local.get $from))))
      (i32.store8 (local.get $to) (call $six (i32.shr_u (local.get $three) (i32.const 18))))
      (i32.store8 offset=1 (local.get $to) (call $six (i32.shr_u (local.get $three) (i32.const 12))))
      (i32.store8 offset=2 (local.get $to) (select (call $six (i32.shr_u (local.get $three) (i32.const 6))) (i32.const 61) (i32.gt_s (local.get $n) (i32.const 1))))
      (i32.store8 offset=3 (local.get $to) (select (call $six (local.get $three)) (i32.const 61) (i32.gt_s (local.get $n) (i32.const 2))))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (local.set $from (i32.add (local.get $from) (i32.const 3)))
      (local.set $n (i32.sub (local.get $n) (i32.const 3)))
      (br $more)))
    (i32.store16 (local.get $to) (i32.const 0x7d22)) ;; "}
    (call $say (i32.const 16384) (i32.sub (i32.add (local.get $to) (i32.const 2)) (i32.const 16384))))

  ;; The bytes of a region between quotes, as an answer.
  (func $quoted (param $at i32) (result i32)
    (i32.store8 (i32.const 4096) (i32.const 34))
    (call $copy (i32.const 4097) (i32.load (local.get $at)) (i32.load offset=8 (local.get $at)))
    (i32.store8 offset=4097 (i32.load offset=8 (local.get $at)) (i32.const 34))
    (call $answer (i32.const 4096) (i32.add (i32.load offset=8 (local.get $at)) (i32.const 2))))

  ;; The record "count", written as decimal digits.
  (func $count (result i32)
    (local $at i32) (local $i i32) (local $n i32)
    (local.set $at (call $db_read (call $countkey)))
    (if (local.get $at) (then
      (block $done (loop $more
        (br_if $done (i32.eq (local.get $i) (i32.load offset=8 (local.get $at))))
        (local.set $n (i32.add (i32.mul (local.get $n) (i32.const 10))
          (i32.sub (i32.load8_u (i32.add (i32.load (local.get $at)) (local.get $i))) (i32.const 48))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $more)))))
    (local.get $n))
  ;; n in decimal digits that end at 4096.
  (func $digits (param $n i32) (result i32)
    (local $to i32)
    (local.set $to (i32.const 4096))
    (loop $more
      (local.set $to (i32.sub (local.get $to) (i32.const 1)))
      (i32.store8 (local.get $to) (i32.add (i32.const 48) (i32.rem_u (local.get $n) (i32.const 10))))
      (br_if $more (local.tee $n (i32.div_u (local.get $n) (i32.const 10)))))
    (call $region (i32.const 64) (local.get $to) (i32.sub (i32.const 4096) (local.get $to))))

  ;; All keys, one behind the other and between quotes.
  (func $keys (param $order i32) (result i32)
    (local $id i32) (local $at i32) (local $to i32)
    (local.set $id (call $db_scan (i32.const 0) (i32.const 0) (local.get $order)))
    (local.set $to (i32.const 8192))
    (block $done (loop $more
      (br_if $done (i32.eqz (local.tee $at (call $db_next_key (local.get $id)))))
      (call $copy (local.get $to) (i32.load (local.get $at)) (i32.load offset=8 (local.get $at)))
      (local.set $to (i32.add (local.get $to) (i32.load offset=8 (local.get $at))))
      (br $more)))
    (call $quoted (call $region (i32.const 48) (i32.const 8192) (i32.sub (local.get $to) (i32.const 8192)))))
  ;; Removes every record while it scans them.
  (func $wipe
    (local $id i32) (local $at i32) (local $end i32) (local $n i32)
    (local.set $id (call $db_scan (i32.const 0) (i32.const 0) (i32.const 1)))
    (block $done (loop $more
      (local.set $at (call $db_next (local.get $id)))
      ;; key, its length in big-endian order, value, its length: here the value is
      ;; one byte, so the key has all but nine
      (br_if $done (i32.lt_u (i32.load offset=8 (local.get $at)) (i32.const 9)))
      (call $db_remove (call $region (i32.const 48) (i32.load (local.get $at)) (i32.sub (i32.load offset=8 (local.get $at)) (i32.const 9))))
      (br $more))))

  (func $recurse (param $n i64) (result i64)
    (i64.add (call $recurse (i64.add (local.get $n) (i64.const 1))) (local.get $n)))
  (func $for_ever (loop $more (br $more)))
  (func $verb (param $msg i32) (result i32) (i32.load8_u offset=2 (i32.load (local.get $msg))))
  ;; A region of the text in {"x":"text"}: what lies between the first six bytes and the last two.
  (func $argument (param $msg i32) (result i32)
    (call $region (i32.const 48) (i32.add (i32.load (local.get $msg)) (i32.const 6)) (i32.sub (i32.load offset=8 (local.get $msg)) (i32.const 8))))

  (func $instantiate (export "instantiate") (param $env i32) (param $info i32) (param $msg i32) (result i32)
    (call $execute (local.get $env) (local.get $info) (local.get $msg)))
  (func (export "migrate") (param $env i32) (param $msg i32) (result i32)
    (call $execute (local.get $env) (i32.const 0) (local.get $msg)))
  ;; A reply is kept as it came.
  (func (export "reply") (param $env i32) (param $msg i32) (result i32)
    (call $db_write (call $countkey) (local.get $msg))
    (call $say (i32.const 272) (i32.const 94)))

  (func $execute (export "execute") (param $env i32) (param $info i32) (param $msg i32) (result i32)
    (local $v i32)
    (local.set $v (call $verb (local.get $msg)))
    (if (i32.eq (local.get $v) (i32.const 0x63)) (then ;; count
      (call $db_write (call $countkey) (call $digits (i32.add (call $count) (i32.const 1))))))
    (if (i32.eq (local.get $v) (i32.const 0x67)) (then (return (call $say (i32.const 512) (i32.const 277))))) ;; give
    (if (i32.eq (local.get $v) (i32.const 0x6e)) (then ;; no: after a write
      (call $db_write (call $countkey) (call $digits (i32.const 99)))
      (return (call $say (i32.const 1024) (i32.const 24)))))
    (if (i32.eq (local.get $v) (i32.const 0x6c)) (then (call $for_ever))) ;; loop
    (if (i32.eq (local.get $v) (i32.const 0x61)) (then (loop $more (drop (call $allocate (i32.const 1000000))) (br $more)))) ;; allocate
    (if (i32.eq (local.get $v) (i32.const 0x70)) (then (call $abort (call $say (i32.const 1056) (i32.const 22))))) ;; panic
    (if (i32.eq (local.get $v) (i32.const 0x72)) (then (drop (call $recurse (i64.const 1))))) ;; recurse
    (if (i32.eq (local.get $v) (i32.const 0x74)) (then (unreachable))) ;; trap
    (if (i32.eq (local.get $v) (i32.const 0x62)) (then (call $db_write (call $countkey) (call $say (i32.const 0x7fff0000) (i32.const 9))))) ;; beyond
    (if (i32.eq (local.get $v) (i32.const 0x6a)) (then (return (call $say (i32.const 1088) (i32.const 8))))) ;; junk
    (if (i32.eq (local.get $v) (i32.const 0x64)) (then (call $debug (call $say (i32.const 1104) (i32.const 6))))) ;; debug
    (if (i32.eq (local.get $v) (i32.const 0x76)) (then (drop (call $secp256k1_verify (i32.const 0) (i32.const 0) (i32.const 0))))) ;; verify
    (if (i32.eq (local.get $v) (i32.const 0x6b)) (then (call $db_write (call $say (i32.const 256) (i32.const 65537)) (call $countkey)))) ;; key
    (if (i32.eq (local.get $v) (i32.const 0x68)) (then ;; huge
      (drop (memory.grow (i32.const 4)))
      (call $db_write (call $countkey) (call $say (i32.const 256) (i32.const 131073)))))
    (if (i32.eq (local.get $v) (i32.const 0x77)) (then (call $wipe))) ;; wipe
    (if (i32.eq (local.get $v) (i32.const 0x73)) (then ;; {"s":"key"} sets a record of one byte
      (call $db_write (call $argument (local.get $msg)) (call $say (i32.const 256) (i32.const 1)))))
    (if (i32.eq (local.get $v) (i32.const 0x65)) (then (call $db_write (call $countkey) (local.get $env)))) ;; env
    (if (i32.eq (local.get $v) (i32.const 0x69)) (then (call $db_write (call $countkey) (local.get $info)))) ;; info
    (if (i32.eq (local.get $v) (i32.const 0x6d)) (then ;; more memory, of which nothing is left to the next call
      (drop (memory.grow (i32.const 1)))))
    (call $say (i32.const 272) (i32.const 94)))

  (func (export "query") (param $env i32) (param $msg i32) (result i32)
    (local $v i32) (local $at i32)
    (local.set $v (call $verb (local.get $msg)))
    (if (i32.eq (local.get $v) (i32.const 0x63)) (then ;; count
      (local.set $at (call $digits (call $count)))
      (return (call $answer (i32.load (local.get $at)) (i32.load offset=8 (local.get $at))))))
    (if (i32.eq (local.get $v) (i32.const 0x73)) (then (return (call $keys (i32.const 1))))) ;; scan
    (if (i32.eq (local.get $v) (i32.const 0x72)) (then (return (call $keys (i32.const 2))))) ;; reverse
    (if (i32.eq (local.get $v) (i32.const 0x6f)) (then (return (call $keys (i32.const 3))))) ;; order that there is not
    (if (i32.eq (local.get $v) (i32.const 0x77)) (then (call $db_write (call $countkey) (call $countkey)))) ;; write
    (if (i32.eq (local.get $v) (i32.const 0x64)) (then (call $db_remove (call $countkey)))) ;; delete
    (if (i32.eq (local.get $v) (i32.const 0x6c)) (then (call $for_ever))) ;; loop
    (if (i32.eq (local.get $v) (i32.const 0x65)) (then (return (call $say (i32.const 1136) (i32.const 9))))) ;; empty
    (if (i32.eq (local.get $v) (i32.const 0x6a)) (then (return (call $say (i32.const 1152) (i32.const 13))))) ;; junk
    (if (i32.eq (local.get $v) (i32.const 0x6e)) (then (return (call $say (i32.const 1024) (i32.const 24))))) ;; no
    (if (i32.eq (local.get $v) (i32.const 0x7a)) (then (drop (call $db_next (i32.const 9))))) ;; a scan that there is not
    (if (i32.eq (local.get $v) (i32.const 0x67)) (then ;; globals: how often this was asked, by a global
      (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
      (local.set $at (call $digits (global.get $calls)))
      (return (call $answer (i32.load (local.get $at)) (i32.load offset=8 (local.get $at))))))
    (if (i32.eq (local.get $v) (i32.const 0x6d)) (then ;; memory: the same, by a cell of the memory
      (i32.store (i32.const 24) (i32.add (i32.load (i32.const 24)) (i32.const 1)))
      (local.set $at (call $digits (i32.load (i32.const 24))))
      (return (call $answer (i32.load (local.get $at)) (i32.load offset=8 (local.get $at))))))
    (if (i32.eq (local.get $v) (i32.const 0x61)) (then ;; {"a":"cosmos1…"}: what is wrong with it
      (local.set $at (call $addr_validate (call $argument (local.get $msg))))
      (if (i32.eqz (local.get $at)) (then (return (call $say (i32.const 1136) (i32.const 9)))))
      (return (call $quoted (local.get $at)))))
    (if (i32.eq (local.get $v) (i32.const 0x62)) (then ;; {"b":"cosmos1…"}: to bytes and back
      (local.set $at (call $addr_canonicalize (call $argument (local.get $msg)) (call $region (i32.const 64) (i32.const 4096) (i32.const 64))))
      (if (i32.eqz (local.get $at)) (then
        (local.set $at (call $addr_humanize (i32.const 64) (call $region (i32.const 80) (i32.const 8192) (i32.const 90))))
        (if (i32.eqz (local.get $at)) (then (return (call $quoted (i32.const 80)))))))
      (return (call $quoted (local.get $at)))))
    (if (i32.eq (local.get $v) (i32.const 0x71)) (then ;; {"q":REQUEST}: asks the chain and says what it said
      (local.set $at (call $query_chain (call $region (i32.const 48) (i32.add (i32.load (local.get $msg)) (i32.const 5)) (i32.sub (i32.load offset=8 (local.get $msg)) (i32.const 6)))))
      (return (call $answer (i32.load (local.get $at)) (i32.load offset=8 (local.get $at))))))
    (unreachable)))
