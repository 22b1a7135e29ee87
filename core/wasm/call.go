package wasm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// call is one call of an entry point of the contract, such as execute. A query of the contract to
// itself is another call, in another instance.
type call struct {
	contract    *Contract
	instance    *instance       // the instance in which the contract runs
	ctx         context.Context // for the entry point; ends with the time limit
	hostCtx     context.Context // for allocations while the contract waits for the host; never ends
	env         Env
	store       kv.Reader // the contract's storage
	storeWriter kv.Writer // writes to the same storage; nil in a query
	depth       int       // how many queries wait for this one; 0 for a call from outside
	scans       []*scan   // the scans begun so far; the scan with the id n has the index n-1
	openScan    *scan     // the only scan that is open in the store; nil if none is
}

// Instantiate runs the contract's instantiate. It fails as [Contract.Execute] does.
func (c *Contract) Instantiate(txn kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	return c.runInTransaction(txn, env, "instantiate", encodeInfo(sender), msg)
}

// Execute runs the contract's execute. It fails with a [*Refusal] if the message would fail on a
// chain, with a [*LimitError] if the contract took too long or too much memory, and with the
// store's own errors. Then the caller must discard what was written to txn.
func (c *Contract) Execute(txn kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	return c.runInTransaction(txn, env, "execute", encodeInfo(sender), msg)
}

// Migrate runs the contract's migrate, which adapts the storage of an earlier version.
// Contracts of CosmWasm 2.2 and later, whose migrate has three parameters, also receive
// the sender. It fails as [Contract.Execute] does.
func (c *Contract) Migrate(txn kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	args := [][]byte{msg}
	migrate, exists := c.module.ExportedFunctions()["migrate"]
	if exists && len(migrate.ParamTypes()) == 3 {
		args = append(args, jsonf(`{"sender":%s,"old_migrate_version":null}`, sender))
	}
	return c.runInTransaction(txn, env, "migrate", args...)
}

// Reply runs the contract's reply. It fails as [Contract.Execute] does.
func (c *Contract) Reply(txn kv.Txn, env Env, reply Reply) (Response, error) {
	return c.runInTransaction(txn, env, "reply", reply.encode())
}

// runInTransaction calls an entry point that may write to the store. argsAfterEnv are its
// parameters after the environment, in JSON.
func (c *Contract) runInTransaction(
	txn kv.Txn,
	env Env,
	entryPoint string,
	argsAfterEnv ...[]byte,
) (response Response, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.TimeLimit)
	defer cancel()

	args := append([][]byte{env.encode(inTransaction)}, argsAfterEnv...)
	writingCall := &call{env: env, store: txn, storeWriter: txn}
	err = c.runEntryPoint(ctx, writingCall, entryPoint, &response, args...)
	return response, err
}

// Query returns JSON, or nothing. It fails as [Contract.Execute] does.
func (c *Contract) Query(reader kv.Reader, env Env, msg []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.TimeLimit)
	defer cancel()
	return c.query(ctx, &call{env: env, store: reader}, msg)
}

// query is [Contract.Query] for a call whose env, store and depth are set. It refuses an answer
// that is not JSON, as a chain does.
func (c *Contract) query(ctx context.Context, call *call, msg []byte) ([]byte, error) {
	var answer []byte
	env := call.env.encode(inQuery)
	if err := c.runEntryPoint(ctx, call, "query", &answer, env, msg); err != nil {
		return nil, err
	}

	if len(answer) > 0 && !jsontext.Value(answer).IsValid() {
		return nil, refusal("Generic error: Query response must be valid JSON.")
	}
	return answer, nil
}

// runEntryPoint runs an entry point in an instance that no other call uses, and decodes
// its result into answer. An entry point takes pointers to its parameters in the contract's
// memory, and returns a pointer to its result there (see [region]).
//
// After a failed call the instance is not used again, because its state is unknown.
func (c *Contract) runEntryPoint(
	ctx context.Context,
	call *call,
	entryPoint string,
	answer any,
	args ...[]byte,
) error {
	inst, err := c.takeInstance(ctx)
	if err != nil {
		return err
	}
	if call.env.StorageBytes == nil {
		call.env.StorageBytes = new(int)
	}

	// The host functions find the call in its context.
	call.contract = c
	call.instance = inst
	call.ctx = context.WithValue(ctx, callKey{}, call)
	call.hostCtx = context.WithoutCancel(call.ctx)

	// A host function ends the call by a panic, which catchStop turns into an error.
	var result []byte
	stopErr := catchStop(func() {
		defer call.closeScan()
		params := make([]uint32, len(args)) // pointers
		for i, arg := range args {
			params[i] = inst.put(call.ctx, arg)
		}
		ptr := inst.callFunction(call.ctx, entryPoint, params...)
		result = inst.read(ptr, maxAnswer)
		inst.free(call.ctx, ptr)
	})
	if stopErr != nil {
		c.dropInstance(inst)
		return c.callError(inst, stopErr)
	}
	c.returnInstance(inst)
	return decodeResult(result, answer)
}

// decodeResult decodes the value of "ok" in a result into answer. It fails with a [*Refusal] for
// {"error":"…"}, and for a result of another form.
func decodeResult(result []byte, answer any) error {
	var contractResult struct {
		Ok    jsontext.Value `json:"ok"`
		Error *string        `json:"error"`
	}
	if err := json.Unmarshal(result, &contractResult); err != nil {
		return refusal("Error parsing into type ContractResult: %s", wire.DescribeJSONError(err))
	}

	switch {
	case contractResult.Error != nil:
		return &Refusal{Text: *contractResult.Error}
	case contractResult.Ok == nil || string(contractResult.Ok) == "null":
		return refusal("Error parsing into type ContractResult: neither ok nor error")
	}
	if err := json.Unmarshal(contractResult.Ok, answer); err != nil {
		return refusal("Error parsing into type ContractResult: %s", wire.DescribeJSONError(err))
	}
	return nil
}

// put copies bytes into the contract's memory while that waits for a function of the host. The
// contract frees them.
func (c *call) put(data []byte) (ptr uint32) { return c.instance.put(c.hostCtx, data) }

// The values of the member "transaction" in an env.
const (
	inTransaction = `{"index":0}`
	inQuery       = "null"
)

// encode returns the env as a chain writes it. transaction is inTransaction or inQuery.
func (e Env) encode(transaction string) []byte {
	return jsonf(
		`{"block":{"height":%s,"time":"%s","chain_id":%s},"transaction":%s,"contract":{"address":%s}}`,
		e.Height,
		e.Time,
		e.ChainID,
		wire.Raw(transaction),
		e.Self,
	)
}

func encodeInfo(sender string) []byte { return jsonf(`{"sender":%s,"funds":[]}`, sender) }

func (r Reply) encode() []byte {
	result := wire.Raw(`{"ok":{"events":[],"msg_responses":[]}}`)
	if r.Refusal != "" {
		result = jsonf(`{"error":%s}`, r.Refusal)
	}
	return jsonf(`{"id":%s,"payload":%s,"gas_used":0,"result":%s}`, r.ID, r.Payload, result)
}

// jsonf formats a JSON text: jsonf(`{"a":%s}`, "x") is {"a":"x"}. It writes each value as
// JSON, and a slice of bytes as a string in base64.
func jsonf(format string, values ...any) []byte {
	texts := make([]any, len(values))
	for i, value := range values {
		if data, isData := value.([]byte); isData {
			value = base64.StdEncoding.EncodeToString(data)
		}
		texts[i] = wire.Encode(value)
	}
	return fmt.Appendf(nil, format, texts...)
}

// maxQueryDepth is how many queries of a contract to itself may be nested, as in wasmd.
const maxQueryDepth = 10

// chainQuery is a query of the contract to the chain, empty for one that this host cannot answer.
type chainQuery struct {
	Wasm *struct {
		Smart *contractQuery `json:"smart"`
		Raw   *contractQuery `json:"raw"`
		Info  *contractQuery `json:"contract_info"`
	} `json:"wasm"`
}

type contractQuery struct {
	Contract string `json:"contract_addr"`
	Msg      []byte `json:"msg"` // the query message, only in "smart"
	Key      []byte `json:"key"` // the key of a record, only in "raw"
}

// queryChain is the host function query_chain. It returns the pointer to the answer.
func (c *call) queryChain(params []uint32) uint32 {
	query := c.instance.read(params[0], maxRequest)
	return c.put(c.answerChainQuery(query))
}

// answerChainQuery answers a query of the contract to the chain, on which it is alone: "smart" (a
// query message), "raw" (the value of a record) and "contract_info", all about itself.
//
// The answer has one of three forms:
//
//   - {"error":…} if the chain cannot answer such a query,
//   - {"ok":{"error":…}} if the queried contract refuses it,
//   - {"ok":{"ok":…}}, with the answer in base64, if it succeeds.
func (c *call) answerChainQuery(queryJSON []byte) []byte {
	var query chainQuery
	if err := json.Unmarshal(queryJSON, &query); err != nil {
		problem := wire.DescribeJSONError(err)
		return jsonf(`{"error":{"invalid_request":{"error":%s,"request":%s}}}`, problem, queryJSON)
	}
	if query.Wasm == nil {
		return unsupportedAnswer(firstMemberName(queryJSON))
	}

	wasmQuery := cmp.Or(query.Wasm.Smart, query.Wasm.Raw, query.Wasm.Info)
	switch {
	case wasmQuery == nil:
		return unsupportedAnswer("wasm")
	case wasmQuery.Contract != c.env.Self:
		return jsonf(`{"error":{"no_such_contract":{"addr":%s}}}`, wasmQuery.Contract)
	case wasmQuery == query.Wasm.Smart:
		return c.querySelf(wasmQuery.Msg)
	case wasmQuery == query.Wasm.Raw:
		value, _, err := c.store.Get(wasmQuery.Key)
		stopOnError(err)
		return successAnswer(value)
	}

	// It is contract_info.
	return successAnswer(jsonf(
		`{"code_id":1,"creator":%s,"admin":null,"pinned":false,"ibc_port":null}`,
		c.env.Creator,
	))
}

// querySelf runs a query of the contract to itself, which sees what the running call has written.
// The answer has the form that answerChainQuery describes.
func (c *call) querySelf(msg []byte) []byte {
	if c.depth == maxQueryDepth {
		return []byte(`{"ok":{"error":"max query stack size exceeded"}}`)
	}

	// Only one scan may be open in the store, and the query may begin one.
	c.closeScan()
	innerCall := &call{env: c.env, store: c.store, depth: c.depth + 1}
	answer, err := c.contract.query(c.ctx, innerCall, msg)
	if _, isRefusal := err.(*Refusal); isRefusal {
		// A chain hides the text, because it might differ between nodes.
		return []byte(`{"ok":{"error":"codespace: wasm, code: 9"}}`)
	}
	stopOnError(err)
	return successAnswer(answer)
}

func successAnswer(data []byte) []byte { return jsonf(`{"ok":{"ok":%s}}`, data) }

// unsupportedAnswer is for a query of a kind that this host does not have, such as "bank".
func unsupportedAnswer(kind string) []byte {
	return jsonf(`{"error":{"unsupported_request":{"kind":%s}}}`, kind)
}

// firstMemberName returns the kind of a query: "bank" for {"bank":{…}}, "unknown" if it has none.
func firstMemberName(raw []byte) string {
	tokens := jsontext.NewDecoder(bytes.NewReader(raw))
	_, _ = tokens.ReadToken() // the query is an object, or null
	name, err := tokens.ReadToken()
	if err != nil || name.Kind() != '"' {
		return "unknown"
	}
	return name.String()
}
