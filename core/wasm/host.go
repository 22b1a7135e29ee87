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
	name       string
	paramCount int                                   // at most 4
	resultType []api.ValueType                       // the type of its result; empty if it has none
	run        func(c *call, params []uint32) uint32 // nil if a contract can import but not call it
}

// The results that host functions have.
var (
	noResult = []api.ValueType{}
	i32      = []api.ValueType{api.ValueTypeI32}
	i64      = []api.ValueType{api.ValueTypeI64}
)

// hostFunctions are all functions that the VM of CosmWasm 3 has. Cryptography can be imported
// here, but not called.
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

// exportHost makes the host's functions available to modules, which import them from "env".
func exportHost(ctx context.Context, hostRuntime wazero.Runtime) error {
	builder := hostRuntime.NewHostModuleBuilder("env")
	for _, function := range hostFunctions {
		run := api.GoModuleFunc(function.runWithStack)
		builder.NewFunctionBuilder().
			WithGoModuleFunction(run, slices.Repeat(i32, function.paramCount), function.resultType).
			Export(function.name)
	}
	_, err := builder.Instantiate(ctx)
	return err
}

// runWithStack runs the function for the call in ctx. stack has the parameters before,
// and the result afterwards. It ends the call with a [*Refusal] if this host does not have the
// function, or if no call is running because the instance is only being made.
func (f hostFunction) runWithStack(ctx context.Context, _ api.Module, stack []uint64) {
	runningCall, isRunning := ctx.Value(callKey{}).(*call)
	switch {
	case !isRunning:
		refuse("%s was called while the contract was made", f.name)
	case f.run == nil:
		refuse("the contract calls %s, and this host does no cryptography", f.name)
	}

	var params [4]uint32
	for i := range f.paramCount {
		params[i] = uint32(stack[i])
	}
	result := f.run(runningCall, params[:])
	if len(f.resultType) > 0 {
		stack[0] = uint64(result)
	}
}

// addrValidate is the host function addr_validate. It returns 0 for an address, and otherwise the
// pointer to the reason why it is none.
func (c *call) addrValidate(params []uint32) uint32 {
	_, err := c.parseAddress(params[0], bech32.Validate)
	return c.putError(err)
}

// addrCanonicalize is the host function addr_canonicalize. It converts the text of an address to
// bytes, and returns as addrValidate does.
func (c *call) addrCanonicalize(params []uint32) uint32 {
	textPtr, bytesPtr := params[0], params[1]
	addressBytes, err := c.parseAddress(textPtr, bech32.Decode)
	if err != nil {
		return c.putError(err)
	}
	c.instance.write(bytesPtr, addressBytes)
	return 0
}

// parseAddress returns the result of parse for the text at a pointer of the contract. It fails for
// an empty text and for one that is not UTF-8.
func (c *call) parseAddress(ptr uint32, parse func(prefix, text string) ([]byte, error)) ([]byte, error) {
	text := c.instance.read(ptr, maxAddressText)
	switch {
	case len(text) == 0:
		return nil, bech32.Error("Input is empty")
	case !utf8.Valid(text):
		return nil, bech32.Error("Input is not valid UTF-8")
	}
	return parse(c.contract.Prefix, string(text))
}

// addrHumanize is the host function addr_humanize. It converts the bytes of an address to text,
// and returns as addrValidate does.
func (c *call) addrHumanize(params []uint32) uint32 {
	bytesPtr, textPtr := params[0], params[1]
	addressBytes := c.instance.read(bytesPtr, maxAddressBytes)
	if len(addressBytes) == 0 {
		return c.putError(errors.New("addresses cannot be empty: unknown address"))
	}
	address, err := bech32.Encode(c.contract.Prefix, addressBytes)
	if err != nil {
		return c.putError(err)
	}
	c.instance.write(textPtr, []byte(address))
	return 0
}

// putError returns the pointer to the text of an error, or 0, which means success, for nil.
func (c *call) putError(err error) uint32 {
	if err == nil {
		return 0
	}
	return c.put([]byte(err.Error()))
}

// debug is the host function debug, which passes a line to the function Debug of the [Env].
func (c *call) debug(params []uint32) uint32 {
	line := c.instance.read(params[0], maxText)
	if c.env.Debug != nil {
		c.env.Debug(string(line))
	}
	return 0
}

// abort is the host function abort, which a contract calls when it panics.
func (c *call) abort(params []uint32) uint32 {
	refuse("Aborted: %s", c.instance.read(params[0], maxText)) // panics
	return 0
}
