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

// call is one entry into the contract, a query that it sends to itself included.
type call struct {
	contract *Contract
	in       *instance
	ctx      context.Context // ends with the time limit
	within   context.Context // of what the host calls meanwhile; needs no watch of its own
	prefix   string          // of addresses
	env      Env
	store    kv.Reader
	writes   kv.Writer // nil in a query
	depth    int       // of queries within queries
	scans    []*scan   // by id, which begins at 1
	open     *scan     // the one that is open in the store; nil for none
}

// Instantiate runs the contract's instantiate for a sender. It fails as
// [Contract.Execute] does.
func (c *Contract) Instantiate(t kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	return c.run(t, env, "instantiate", env.json(inTransaction), info(sender), msg)
}

// Execute runs the contract's execute for a sender. It fails with a [*Refusal]
// where the message would fail on a chain, with a [*LimitError] where the
// contract took too long or too much memory, and with the store's own errors.
// After any of them what was written to t has to be discarded.
func (c *Contract) Execute(t kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	return c.run(t, env, "execute", env.json(inTransaction), info(sender), msg)
}

// Migrate runs the contract's migrate, for a sender that only contracts of
// CosmWasm 2.2 and later are told. It fails as [Contract.Execute] does.
func (c *Contract) Migrate(t kv.Txn, env Env, sender string, msg []byte) (Response, error) {
	args := [][]byte{env.json(inTransaction), msg}
	if f, ok := c.module.ExportedFunctions()["migrate"]; ok && len(f.ParamTypes()) == 3 {
		args = append(args, jsonf(`{"sender":%v,"old_migrate_version":null}`, sender))
	}
	return c.run(t, env, "migrate", args...)
}

// Reply tells the contract how a message that it sent went. It fails as
// [Contract.Execute] does.
func (c *Contract) Reply(t kv.Txn, env Env, r Reply) (Response, error) {
	return c.run(t, env, "reply", env.json(inTransaction), encode(r))
}

// Query asks the contract; the answer is JSON, or empty where the contract says
// nothing. It fails as [Contract.Execute] does.
func (c *Contract) Query(r kv.Reader, env Env, msg []byte) ([]byte, error) {
	ctx, done := context.WithTimeout(context.Background(), c.TimeLimit)
	defer done()
	return c.query(ctx, &call{env: env, store: r}, msg)
}

func (c *Contract) query(ctx context.Context, in *call, msg []byte) ([]byte, error) {
	var answer []byte
	if err := c.enter(ctx, in, "query", &answer, in.env.json(inQuery), msg); err != nil {
		return nil, err
	}
	if len(answer) > 0 && !jsontext.Value(answer).IsValid() {
		return nil, refusal("Generic error: Query response must be valid JSON.")
	}
	return answer, nil
}

func (c *Contract) run(t kv.Txn, env Env, entry string, args ...[]byte) (r Response, err error) {
	ctx, done := context.WithTimeout(context.Background(), c.TimeLimit)
	defer done()
	err = c.enter(ctx, &call{env: env, store: t, writes: t}, entry, &r, args...)
	return r, err
}

// enter calls an entry point in an instance of its own, and decodes what it
// gives into answer.
func (c *Contract) enter(ctx context.Context, call *call, entry string, answer any, args ...[]byte) error {
	in, err := c.take(ctx)
	if err != nil {
		return err
	}
	if call.env.Held == nil {
		call.env.Held = new(int)
	}
	call.contract, call.in, call.prefix = c, in, c.Prefix
	call.ctx = context.WithValue(ctx, callKey{}, call)
	call.within = context.WithoutCancel(call.ctx)
	var result []byte
	err = guard(func() {
		defer call.pause()
		params := make([]uint32, len(args))
		for i, arg := range args {
			params[i] = in.put(call.ctx, arg)
		}
		ptr := in.call(call.ctx, entry, params...)
		result = in.read(ptr, maxAnswer)
		in.free(call.ctx, ptr)
	})
	if err != nil {
		c.drop(in)
		return c.outcome(in, err)
	}
	c.give(in)
	return decode(result, answer)
}

// decode takes apart what an entry point gives: {"ok":…} or {"error":"…"}.
func decode(result []byte, answer any) error {
	var r struct {
		Ok    jsontext.Value `json:"ok"`
		Error *string        `json:"error"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return refusal("Error parsing into type ContractResult: %s", wire.Problem(err))
	}
	switch {
	case r.Error != nil:
		return &Refusal{*r.Error}
	case r.Ok == nil || bytes.Equal(r.Ok, []byte("null")):
		return refusal("Error parsing into type ContractResult: neither ok nor error")
	}
	if err := json.Unmarshal(r.Ok, answer); err != nil {
		return refusal("Error parsing into type ContractResult: %s", wire.Problem(err))
	}
	return nil
}

// encode writes what the host hands over, which always can be written.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// put hands bytes over to the contract that is running.
func (c *call) put(data []byte) (ptr uint32) { return c.in.put(c.within, data) }

// json is the env of an entry point, as a chain writes it; a query is in no
// transaction.
func (e Env) json(transaction string) []byte {
	return jsonf(`{"block":{"height":%v,"time":"%v","chain_id":%v},"transaction":%v,"contract":{"address":%v}}`,
		e.Height, e.Time, e.ChainID, jsontext.Value(transaction), e.Self)
}

const (
	inTransaction = `{"index":0}`
	inQuery       = "null"
)

func info(sender string) []byte { return jsonf(`{"sender":%v,"funds":[]}`, sender) }

// maxDepth is how deep a contract may ask itself within a query, as in wasmd.
const maxDepth = 10

// request is what contracts ask the chain, as far as this host answers it.
type request struct {
	Wasm *struct {
		Smart *question `json:"smart"`
		Raw   *question `json:"raw"`
		Info  *question `json:"contract_info"`
	} `json:"wasm"`
}

type question struct {
	Contract string `json:"contract_addr"`
	Msg      []byte `json:"msg"` // of smart
	Key      []byte `json:"key"` // of raw
}

func (c *call) queryChain(p []uint32) uint32 { return c.put(c.answer(c.in.read(p[0], maxRequest))) }

// answer tells that the chain failed ({"error":…}), that what was asked did
// ({"ok":{"error":…}}), or what it says ({"ok":{"ok":…}}).
func (c *call) answer(raw []byte) []byte {
	var r request
	if err := json.Unmarshal(raw, &r); err != nil {
		return jsonf(`{"error":{"invalid_request":{"error":%v,"request":%v}}}`, wire.Problem(err), raw)
	}
	if r.Wasm == nil {
		return unsupported(kindOf(raw))
	}
	switch q := cmp.Or(r.Wasm.Smart, r.Wasm.Raw, r.Wasm.Info); {
	case q == nil:
		return unsupported("wasm")
	case q.Contract != c.env.Self:
		return jsonf(`{"error":{"no_such_contract":{"addr":%v}}}`, q.Contract)
	case q == r.Wasm.Smart:
		return c.smart(q.Msg)
	case q == r.Wasm.Raw:
		value, _, err := c.store.Get(q.Key)
		mustWork(err)
		return answered(value)
	}
	return answered(jsonf(`{"code_id":1,"creator":%v,"admin":null,"pinned":false,"ibc_port":null}`, c.env.Creator))
}

// smart has the contract answer a query of its own, on the storage as it is now.
func (c *call) smart(msg []byte) []byte {
	if c.depth == maxDepth {
		return []byte(`{"ok":{"error":"max query stack size exceeded"}}`)
	}
	c.pause()
	inner := &call{env: c.env, store: c.store, depth: c.depth + 1}
	answer, err := c.contract.query(c.ctx, inner, msg)
	if _, refused := err.(*Refusal); refused {
		// A chain keeps the text to itself, since it might differ between nodes.
		return []byte(`{"ok":{"error":"codespace: wasm, code: 9"}}`)
	}
	mustWork(err)
	return answered(answer)
}

func answered(b []byte) []byte { return jsonf(`{"ok":{"ok":%v}}`, b) }

func unsupported(kind string) []byte {
	return jsonf(`{"error":{"unsupported_request":{"kind":%v}}}`, kind)
}

// kindOf names what was asked: the first member of the request.
func kindOf(raw []byte) string {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	_, _ = d.ReadToken() // it is an object, or null
	if name, err := d.ReadToken(); err == nil && name.Kind() == '"' {
		return name.String()
	}
	return "unknown"
}

// jsonf writes values as JSON into a text: bytes in base64.
func jsonf(format string, values ...any) []byte {
	for i, v := range values {
		values[i] = string(encode(v))
	}
	return fmt.Appendf(nil, format, values...)
}
