package wasm

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"ephemera/core/bech32"
)

// hostFunction is a function that a contract can import. Its parameters are pointers and
// other numbers of 32 bits.
type hostFunction struct {
	name   string
	params int                                   // how many parameters it has, at most 4
	result []api.ValueType                       // the type of its result; empty if it has none
	run    func(c *call, params []uint32) uint32 // nil if a contract can import but not call it
}

// The results that host functions have.
var (
	noResult = []api.ValueType{}
	i32      = []api.ValueType{api.ValueTypeI32}
	i64      = []api.ValueType{api.ValueTypeI64}
)

// hostFunctions are all functions that the VM of CosmWasm 3 has.
var hostFunctions = []hostFunction{
	{"db_read", 1, i32, (*call).dbRead},
	{"db_write", 2, noResult, (*call).dbWrite},
	{"db_remove", 1, noResult, (*call).dbRemove},
	{"db_scan", 3, i32, (*call).dbScan},
	{"db_next", 1, i32, (*call).dbNext},
	{"db_next_key", 1, i32, (*call).dbNextKey},
	{"db_next_value", 1, i32, (*call).dbNextValue},
	{"addr_validate", 1, i32, (*call).addrValidate},
	{"addr_canonicalize", 2, i32, (*call).addrCanonicalize},
	{"addr_humanize", 2, i32, (*call).addrHumanize},
	{"query_chain", 1, i32, (*call).queryChain},
	{"debug", 1, noResult, (*call).debug},
	{"abort", 1, noResult, (*call).abort},
	{"secp256k1_verify", 3, i32, nil},
	{"secp256k1_recover_pubkey", 3, i64, nil},
	{"secp256r1_verify", 3, i32, nil},
	{"secp256r1_recover_pubkey", 3, i64, nil},
	{"ed25519_verify", 3, i32, nil},
	{"ed25519_batch_verify", 3, i32, nil},
	{"bls12_381_aggregate_g1", 2, i32, nil},
	{"bls12_381_aggregate_g2", 2, i32, nil},
	{"bls12_381_pairing_equality", 4, i32, nil},
	{"bls12_381_hash_to_g1", 4, i32, nil},
	{"bls12_381_hash_to_g2", 4, i32, nil},
}

// callKey is the key of the *call in the context of a running contract.
type callKey struct{}

// exportHost makes the host's functions available to the modules of a runtime, which import
// them from the module "env". Each function finds the running call in its context. It ends
// the call with a [*Refusal] if this host does not have the function, or if no call is
// running because the instance is only being made.
func exportHost(ctx context.Context, r wazero.Runtime) error {
	builder := r.NewHostModuleBuilder("env")
	for _, f := range hostFunctions {
		run := func(ctx context.Context, _ api.Module, stack []uint64) {
			c, isRunning := ctx.Value(callKey{}).(*call)
			switch {
			case !isRunning:
				refuse("%s was called while the contract was made", f.name)
			case f.run == nil:
				refuse("the contract calls %s, and this host does no cryptography", f.name)
			}

			// The runtime passes parameters and result in one stack of numbers.
			var params [4]uint32
			for i := range f.params {
				params[i] = uint32(stack[i])
			}
			result := f.run(c, params[:])
			hasResult := len(f.result) > 0
			if hasResult {
				stack[0] = uint64(result)
			}
		}

		paramTypes := slices.Repeat(i32, f.params)
		builder.NewFunctionBuilder().
			WithGoModuleFunction(api.GoModuleFunc(run), paramTypes, f.result).
			Export(f.name)
	}
	_, err := builder.Instantiate(ctx)
	return err
}

// addrValidate is the host function addr_validate. It returns 0 if the text at p[0] is an
// address, and otherwise the pointer to the reason why it is not.
func (c *call) addrValidate(p []uint32) uint32 {
	_, err := c.parseAddress(p[0], bech32.Validate)
	return c.putError(err)
}

// addrCanonicalize is the host function addr_canonicalize. It writes the bytes of the address
// whose text is at p[0] into the region p[1] and returns 0. For a text that is no address
// it returns the pointer to the reason.
func (c *call) addrCanonicalize(p []uint32) uint32 {
	b, err := c.parseAddress(p[0], bech32.Decode)
	if err == nil {
		c.in.write(p[1], b)
	}
	return c.putError(err)
}

// parseAddress reads the text of an address at a pointer of the contract, and returns the
// result of parse for it, which is the address in bytes. It fails for an empty text and for
// one that is not UTF-8.
func (c *call) parseAddress(ptr uint32, parse func(prefix, text string) ([]byte, error)) ([]byte, error) {
	b := c.in.read(ptr, maxHuman)
	switch {
	case len(b) == 0:
		return nil, errors.New("Input is empty")
	case !utf8.Valid(b):
		return nil, errors.New("Input is not valid UTF-8")
	}
	return parse(c.contract.Prefix, string(b))
}

// addrHumanize is the host function addr_humanize, the opposite of addr_canonicalize. It
// writes the text of the address whose bytes are at p[0] into the region p[1] and returns
// 0. For bytes that are no address it returns the pointer to the reason.
func (c *call) addrHumanize(p []uint32) uint32 {
	b := c.in.read(p[0], maxCanonical)
	if len(b) == 0 {
		return c.putError(errors.New("addresses cannot be empty: unknown address"))
	}
	address, err := bech32.Encode(c.contract.Prefix, b)
	if err == nil {
		c.in.write(p[1], []byte(address))
	}
	return c.putError(err)
}

// putError copies the text of an error into the contract's memory and returns the pointer to
// it. It returns 0, which means success, if err is nil.
func (c *call) putError(err error) uint32 {
	if err == nil {
		return 0
	}
	return c.put([]byte(err.Error()))
}

// debug is the host function debug. It passes the line at p[0], which the contract logs, to
// the caller's Debug function.
func (c *call) debug(p []uint32) uint32 {
	line := c.in.read(p[0], maxText)
	if c.env.Debug != nil {
		c.env.Debug(string(line))
	}
	return 0
}

// abort is the host function abort, which a contract calls when it panics. It ends the call
// with the text at p[0].
func (c *call) abort(p []uint32) uint32 {
	refuse("Aborted: %s", c.in.read(p[0], maxText))
	return 0
}
