package wasm

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

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
