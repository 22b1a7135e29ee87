package chain

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
	"ephemera/core/wire"
)

// compiled is package wasm as a Contract.
type compiled struct {
	*wasm.Contract
	meta kv.Reader
	held *int              // [wasm.Env.Held] of the message that is carried out
	log  func(line string) // what the contract logs; can be nil
}

func (c compiled) env(e cw721.Env) (wasm.Env, error) {
	var err error
	if e.Instantiator == "" {
		e.Instantiator, _, err = instantiatorItem.Load(c.meta)
	}
	return wasm.Env{
		Height: uint64(e.Block.Height), Time: uint64(e.Block.Time), ChainID: chainID,
		Self: string(e.Self), Creator: string(e.Instantiator), Debug: c.log, Held: c.held,
	}, err
}

// logging has a compiled contract log to lines, as far as people would read.
func logging(code Contract, lines *[]string) Contract {
	const most, longest = 100, 1000
	if c, ok := code.(compiled); ok {
		c.log = func(line string) {
			if len(*lines) < most {
				*lines = append(*lines, strings.ToValidUTF8(line[:min(len(line), longest)], ""))
			}
		}
		return c
	}
	return code
}

// chainID is what a compiled contract is told as the chain's name.
const chainID = "ephemera-1"

func (c compiled) Instantiate(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	env.Instantiator = info.Sender
	return c.run(c.Contract.Instantiate, t, env, info.Sender, msg.JSON)
}

func (c compiled) Execute(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	return c.run(c.Contract.Execute, t, env, info.Sender, msg.JSON)
}

func (c compiled) migrate(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	return c.run(c.Contract.Migrate, t, env, info.Sender, msg.JSON)
}

func (c compiled) reply(t kv.Txn, env cw721.Env, r wasm.Reply) (Answer, error) {
	reply := func(t kv.Txn, e wasm.Env, _ string, _ []byte) (wasm.Response, error) {
		return c.Contract.Reply(t, e, r)
	}
	return c.run(reply, t, env, "", nil)
}

func (c compiled) Query(r kv.Reader, env cw721.Env, msg Message) ([]byte, error) {
	e, err := c.env(env)
	if err != nil {
		return nil, err
	}
	answer, err := c.Contract.Query(r, e, msg.JSON)
	if err == nil && len(answer) == 0 {
		answer = []byte(`""`) // what says nothing is written so everywhere
	}
	return answer, refused(err)
}

// entry is a method of a wasm.Contract that runs a message of a sender.
type entry func(t kv.Txn, env wasm.Env, sender string, msg []byte) (wasm.Response, error)

func (c compiled) run(do entry, t kv.Txn, env cw721.Env, sender cw721.Address, msg []byte) (a Answer, err error) {
	e, err := c.env(env)
	if err != nil {
		return a, err
	}
	r, err := do(t, e, string(sender), msg)
	if err != nil {
		return a, refused(err)
	}
	a.submessages = r.Messages
	a.Attributes, a.Messages = []cw721.EventAttribute{}, []cw721.OutMsg{}
	for _, each := range r.Attributes {
		a.Attributes = append(a.Attributes, cw721.EventAttribute(each))
	}
	for _, m := range r.Messages {
		a.Messages = append(a.Messages, outgoing(m.Msg))
	}
	return a, nil
}

// outgoing reads a message that a contract sends: as one of the kinds that the
// built-in contract sends where it is exactly that.
func outgoing(raw jsontext.Value) cw721.OutMsg {
	var m struct {
		Wasm *struct {
			Execute cw721.WasmExecute `wire:"execute"`
		} `wire:"wasm"`
		Bank *struct {
			Send cw721.BankSend `wire:"send"`
		} `wire:"bank"`
	}
	var known cw721.OutMsg
	if wire.Decode(raw, &m) == nil {
		switch {
		case m.Wasm != nil && m.Bank == nil:
			known.Wasm = &m.Wasm.Execute
		case m.Bank != nil && m.Wasm == nil:
			known.Bank = &m.Bank.Send
		}
	}
	if (known.Wasm != nil || known.Bank != nil) && bytes.Equal(known.AppendWire(nil), raw) {
		return known
	}
	return cw721.OutMsg{Other: bytes.Clone(raw)}
}

// read replaces a "$name" wherever it is a whole string, if an account has that name. It
// leaves other strings with a dollar sign: the type of a member is unknown, and "$5" may be
// a price.
func (c compiled) read(_ messageKind, text []byte, names cw721.NameLookup) (Message, error) {
	msg := Message{JSON: text}
	mayHoldName := bytes.ContainsAny(text, `$\`)
	if mayHoldName {
		if replaced, ok := replaceNames(text, names); ok {
			msg.JSON = replaced
		}
	}
	return msg, nil
}

// replaceNames replaces the "$names" of accounts in a JSON text. ok is false if there are
// none, or if the text is not JSON.
func replaceNames(text []byte, names cw721.NameLookup) (replaced []byte, ok bool) {
	var out bytes.Buffer
	from := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	to := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true))
	for {
		kind, n := from.StackIndex(from.StackDepth())
		isMemberName := kind == '{' && n%2 == 0
		token, err := from.ReadToken()
		if err != nil {
			break
		}
		name, hasDollar := strings.CutPrefix(token.String(), "$")
		if hasDollar && token.Kind() == '"' && !isMemberName {
			if address, exists := names(name); exists {
				token = jsontext.String(address)
				ok = true
			}
		}
		if err := to.WriteToken(token); err != nil {
			return nil, false
		}
	}
	isComplete := from.StackDepth() == 0
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), ok && isComplete
}

// refused makes a refusal of this chain from one of a compiled contract.
func refused(err error) error {
	if r := (*wasm.Refusal)(nil); errors.As(err, &r) {
		return &cw721.Error{Kind: kindOf(r.Text), Text: r.Text}
	}
	if limit := (*kv.LimitError)(nil); errors.As(err, &limit) {
		return &cw721.Error{Kind: KindLimit, Text: limit.Error()}
	}
	return err
}

// kindOf sorts the refusals of a compiled contract, of which there is no more
// than the text, as those of the built-in one are: by the words of the libraries
// that contracts are written with (cosmwasm-std, url).
func kindOf(text string) cw721.Kind {
	switch {
	case strings.HasPrefix(text, "Error parsing into type "):
		return cw721.KindParse
	case strings.HasPrefix(text, "Generic error: addr_"), strings.HasPrefix(text, "Generic error: input too long for addr_"):
		return cw721.KindAddress
	case strings.HasSuffix(text, " not found") && strings.Contains(text, "::"): // the name of a Rust type
		return cw721.KindNotFound
	case slices.Contains(urlRefusals, text):
		return cw721.KindURL
	}
	return cw721.KindContract
}

var urlRefusals = []string{
	"empty host", "invalid international domain name", "invalid port number", "invalid IPv4 address",
	"invalid IPv6 address", "invalid domain character", "relative URL without a base",
	"relative URL with a cannot-be-a-base base",
}
