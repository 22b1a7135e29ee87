package wasm

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// call is one entry into the contract. A query that the contract sends to itself is
// another one.
type call struct {
	contract *Contract
	in       *instance
	ctx      context.Context // ends with the time limit; for calling the contract
	hostCtx  context.Context // the same without an end; for calls that the host makes meanwhile
	prefix   string          // of addresses
	env      Env
	store    kv.Reader
	writes   kv.Writer // nil in a query
	depth    int       // how many queries contain this one
	scans    []*scan   // by their ids, which begin at 1
	openScan *scan     // the one that is open in the store; nil for none
}

// Instantiate runs the contract's instantiate for a sender. It fails as
// [Contract.Execute] does.
func (c *Contract) Instantiate(t kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	return c.run(t, env, "instantiate", env.encode(inTransaction), encodeInfo(sender), msg)
}

// Execute runs the contract's execute for a sender. It fails with a [*Refusal] if the
// message would fail on a chain, with a [*LimitError] if the contract took too long or too
// much memory, and with the store's own errors. After any of them the caller must discard
// what was written to t.
func (c *Contract) Execute(t kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	return c.run(t, env, "execute", env.encode(inTransaction), encodeInfo(sender), msg)
}

// Migrate runs the contract's migrate. Only contracts of CosmWasm 2.2 and later receive
// the sender. It fails as [Contract.Execute] does.
func (c *Contract) Migrate(t kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	args := [][]byte{env.encode(inTransaction), msg}
	if f, ok := c.module.ExportedFunctions()["migrate"]; ok && len(f.ParamTypes()) == 3 {
		args = append(args, jsonf(`{"sender":%v,"old_migrate_version":null}`, sender))
	}
	return c.run(t, env, "migrate", args...)
}

// Reply reports to the contract what became of a message that it sent. It fails as
// [Contract.Execute] does.
func (c *Contract) Reply(t kv.Txn, env Env, r Reply) (Response, error) {
	return c.run(t, env, "reply", env.encode(inTransaction), encode(r))
}

// run calls an entry point that may write.
func (c *Contract) run(t kv.Txn, env Env, entryPoint string, args ...[]byte) (r Response, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.TimeLimit)
	defer cancel()
	err = c.enter(ctx, &call{env: env, store: t, writes: t}, entryPoint, &r, args...)
	return r, err
}

// Query asks the contract. The answer is JSON, or empty if the contract returns nothing.
// It fails as [Contract.Execute] does.
func (c *Contract) Query(r kv.Reader, env Env, msg []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.TimeLimit)
	defer cancel()
	return c.query(ctx, &call{env: env, store: r}, msg)
}

func (c *Contract) query(ctx context.Context, call *call, msg []byte) ([]byte, error) {
	var answer []byte
	if err := c.enter(ctx, call, "query", &answer, call.env.encode(inQuery), msg); err != nil {
		return nil, err
	}
	if len(answer) > 0 && !jsontext.Value(answer).IsValid() {
		return nil, refusal("Generic error: Query response must be valid JSON.")
	}
	return answer, nil
}

// enter calls an entry point in an instance of its own, and decodes the result into
// answer.
func (c *Contract) enter(ctx context.Context, call *call, entryPoint string, answer any, args ...[]byte) error {
	in, err := c.takeInstance(ctx)
	if err != nil {
		return err
	}
	if call.env.Held == nil {
		call.env.Held = new(int)
	}
	call.contract = c
	call.in = in
	call.prefix = c.Prefix
	call.ctx = context.WithValue(ctx, callKey{}, call)
	call.hostCtx = context.WithoutCancel(call.ctx)

	var result []byte
	err = catchStop(func() {
		defer call.closeScan()
		params := make([]uint32, len(args))
		for i, arg := range args {
			params[i] = in.put(call.ctx, arg)
		}
		ptr := in.call(call.ctx, entryPoint, params...)
		result = in.read(ptr, maxAnswer)
		in.free(call.ctx, ptr)
	})
	if err != nil {
		c.dropInstance(in)
		return c.callError(in, err)
	}
	c.returnInstance(in)
	return decodeResult(result, answer)
}

// decodeResult decodes the result of an entry point, {"ok":…} or {"error":"…"}.
func decodeResult(result []byte, answer any) error {
	var r struct {
		Ok    jsontext.Value `json:"ok"`
		Error *string        `json:"error"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return refusal("Error parsing into type ContractResult: %s", wire.Problem(err))
	}
	switch {
	case r.Error != nil:
		return &Refusal{Text: *r.Error}
	case r.Ok == nil || bytes.Equal(r.Ok, []byte("null")):
		return refusal("Error parsing into type ContractResult: neither ok nor error")
	}
	if err := json.Unmarshal(r.Ok, answer); err != nil {
		return refusal("Error parsing into type ContractResult: %s", wire.Problem(err))
	}
	return nil
}

// put passes bytes to the contract while it runs, and returns where they are.
func (c *call) put(data []byte) (ptr uint32) { return c.in.put(c.hostCtx, data) }

// The transaction in the env of an entry point.
const (
	inTransaction = `{"index":0}`
	inQuery       = "null"
)

// encode returns the env of an entry point as a chain writes it.
func (e Env) encode(transaction string) []byte {
	return jsonf(`{"block":{"height":%v,"time":"%v","chain_id":%v},"transaction":%v,"contract":{"address":%v}}`,
		e.Height, e.Time, e.ChainID, jsontext.Value(transaction), e.Self)
}

func encodeInfo(sender string) []byte { return jsonf(`{"sender":%v,"funds":[]}`, sender) }

// encode returns a value of the host as JSON, which cannot fail.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// jsonf formats a JSON text. Each value is written as JSON, bytes in base64.
func jsonf(format string, values ...any) []byte {
	for i, v := range values {
		values[i] = string(encode(v))
	}
	return fmt.Appendf(nil, format, values...)
}

// maxQueryDepth is how deep a contract may query itself within a query, as in wasmd.
const maxQueryDepth = 10

// chainQuery is a query of the contract to the chain. This host answers the members that
// are named here.
type chainQuery struct {
	Wasm *struct {
		Smart *contractQuery `json:"smart"`
		Raw   *contractQuery `json:"raw"`
		Info  *contractQuery `json:"contract_info"`
	} `json:"wasm"`
}

type contractQuery struct {
	Contract string `json:"contract_addr"`
	Msg      []byte `json:"msg"` // for smart
	Key      []byte `json:"key"` // for raw
}

func (c *call) queryChain(p []uint32) uint32 {
	return c.put(c.answerChainQuery(c.in.read(p[0], maxRequest)))
}

// answerChainQuery answers a query to the chain: {"error":…} if the chain fails,
// {"ok":{"error":…}} if what is queried fails, and else {"ok":{"ok":…}}.
func (c *call) answerChainQuery(raw []byte) []byte {
	var query chainQuery
	if err := json.Unmarshal(raw, &query); err != nil {
		return jsonf(`{"error":{"invalid_request":{"error":%v,"request":%v}}}`, wire.Problem(err), raw)
	}
	if query.Wasm == nil {
		return unsupported(firstMember(raw))
	}
	switch q := cmp.Or(query.Wasm.Smart, query.Wasm.Raw, query.Wasm.Info); {
	case q == nil:
		return unsupported("wasm")
	case q.Contract != c.env.Self:
		return jsonf(`{"error":{"no_such_contract":{"addr":%v}}}`, q.Contract)
	case q == query.Wasm.Smart:
		return c.querySelf(q.Msg)
	case q == query.Wasm.Raw:
		value, _, err := c.store.Get(q.Key)
		stopOn(err)
		return answered(value)
	}
	return answered(jsonf(`{"code_id":1,"creator":%v,"admin":null,"pinned":false,"ibc_port":null}`, c.env.Creator))
}

// querySelf has the contract answer a query of its own, on the storage as it is now.
func (c *call) querySelf(msg []byte) []byte {
	if c.depth == maxQueryDepth {
		return []byte(`{"ok":{"error":"max query stack size exceeded"}}`)
	}
	c.closeScan()
	inner := &call{env: c.env, store: c.store, depth: c.depth + 1}
	answer, err := c.contract.query(c.ctx, inner, msg)
	if _, isRefusal := err.(*Refusal); isRefusal {
		// A chain hides the text, because it might differ between nodes.
		return []byte(`{"ok":{"error":"codespace: wasm, code: 9"}}`)
	}
	stopOn(err)
	return answered(answer)
}

func answered(b []byte) []byte { return jsonf(`{"ok":{"ok":%v}}`, b) }

func unsupported(kind string) []byte {
	return jsonf(`{"error":{"unsupported_request":{"kind":%v}}}`, kind)
}

// firstMember returns the name of the first member of a query, which is its kind.
func firstMember(raw []byte) string {
	tokens := jsontext.NewDecoder(bytes.NewReader(raw))
	_, _ = tokens.ReadToken() // the query is an object, or null
	if name, err := tokens.ReadToken(); err == nil && name.Kind() == '"' {
		return name.String()
	}
	return "unknown"
}
