package wasm

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep a contract may ask itself within a query, as in wasmd.
const maxDepth = 10

// request is what contracts ask the chain, as far as this host answers it.
type request struct {
	Wasm *struct {
		Smart *struct {
			Contract string `json:"contract_addr"`
			Msg      []byte `json:"msg"`
		} `json:"smart"`
		Raw *struct {
			Contract string `json:"contract_addr"`
			Key      []byte `json:"key"`
		} `json:"raw"`
		Info *struct {
			Contract string `json:"contract_addr"`
		} `json:"contract_info"`
	} `json:"wasm"`
}

// contractInfo is what a chain knows of a contract.
type contractInfo struct {
	CodeID  uint64  `json:"code_id"`
	Creator string  `json:"creator"`
	Admin   *string `json:"admin"`
	Pinned  bool    `json:"pinned"`
	IBCPort *string `json:"ibc_port"`
}

// The form of an answer: the chain failed, or what was asked did, or neither.
type (
	systemResult struct {
		Ok    *contractResult `json:"ok,omitempty"`
		Error *systemError    `json:"error,omitempty"`
	}
	contractResult struct {
		Ok    *[]byte `json:"ok,omitzero"`
		Error string  `json:"error,omitempty"`
	}
	systemError struct {
		Invalid     *invalidRequest     `json:"invalid_request,omitempty"`
		NoContract  *noSuchContract     `json:"no_such_contract,omitempty"`
		Unsupported *unsupportedRequest `json:"unsupported_request,omitempty"`
	}
	invalidRequest struct {
		Error   string `json:"error"`
		Request []byte `json:"request"`
	}
	noSuchContract struct {
		Addr string `json:"addr"`
	}
	unsupportedRequest struct {
		Kind string `json:"kind"`
	}
)

func (c *call) queryChain(p []uint32) uint32 {
	raw := c.in.read(p[0], maxRequest)
	return c.put(encode(c.answer(raw)))
}

func (c *call) answer(raw []byte) systemResult {
	var r request
	if err := json.Unmarshal(raw, &r); err != nil {
		return systemResult{Error: &systemError{Invalid: &invalidRequest{err.Error(), raw}}}
	}
	switch w := r.Wasm; {
	case w == nil:
		return unsupported(kindOf(raw))
	case w.Smart != nil && w.Smart.Contract != c.env.Self:
		return noContract(w.Smart.Contract)
	case w.Smart != nil:
		return c.smart(w.Smart.Msg)
	case w.Raw != nil && w.Raw.Contract != c.env.Self:
		return noContract(w.Raw.Contract)
	case w.Raw != nil:
		value, _, err := c.store.Get(w.Raw.Key)
		if err != nil {
			fail(&trouble{err})
		}
		return answered(value)
	case w.Info != nil && w.Info.Contract != c.env.Self:
		return noContract(w.Info.Contract)
	case w.Info != nil:
		return answered(encode(contractInfo{CodeID: 1, Creator: c.env.Creator}))
	}
	return unsupported("wasm")
}

// smart has the contract answer a query of its own, on the storage as it is now.
func (c *call) smart(msg []byte) systemResult {
	if c.depth == maxDepth {
		return systemResult{Ok: &contractResult{Error: "max query stack size exceeded"}}
	}
	c.pause()
	inner := &call{env: c.env, store: c.store, depth: c.depth + 1}
	answer, err := c.contract.query(c.ctx, inner, msg)
	switch err.(type) {
	case nil:
		return answered(answer)
	case *Refusal:
		// A chain keeps the text to itself, since it might differ between nodes.
		return systemResult{Ok: &contractResult{Error: "codespace: wasm, code: 9"}}
	}
	fail(&trouble{err})
	return systemResult{}
}

func answered(b []byte) systemResult { return systemResult{Ok: &contractResult{Ok: &b}} }

func unsupported(kind string) systemResult {
	return systemResult{Error: &systemError{Unsupported: &unsupportedRequest{kind}}}
}

func noContract(address string) systemResult {
	return systemResult{Error: &systemError{NoContract: &noSuchContract{address}}}
}

// kindOf names what was asked: the first member of the request.
func kindOf(raw []byte) string {
	var members map[string]jsontext.Value
	if json.Unmarshal(raw, &members) == nil {
		for name := range members {
			return name
		}
	}
	return "unknown"
}
