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

// compiled adapts a compiled contract, which package wasm runs, to the interface [Contract].
type compiled struct {
	*wasm.Contract
	meta kv.Reader
	// heldBytes counts the bytes that the contract passes to its storage, over all calls that
	// follow from one message; see [wasm.Env.Held].
	heldBytes *int
	// log is called with each line that the contract logs. It can be nil.
	log func(line string)
}

// env returns the environment that the contract gets with a call: the block, its own
// address and who instantiated it.
func (c compiled) env(e cw721.Env) (wasm.Env, error) {
	// The instantiator is in the environment only while the contract is instantiated.
	// Afterwards the chain has recorded it.
	if e.Instantiator == "" {
		instantiator, _, err := instantiatorItem.Load(c.meta)
		if err != nil {
			return wasm.Env{}, err
		}
		e.Instantiator = instantiator
	}
	return wasm.Env{
		Height:  uint64(e.Block.Height),
		Time:    uint64(e.Block.Time),
		ChainID: chainID,
		Self:    string(e.Self),
		Creator: string(e.Instantiator),
		Debug:   c.log,
		Held:    c.heldBytes,
	}, nil
}

// Limits of what a compiled contract can log.
const (
	maxLogLines   = 100
	maxLogLineLen = 1000 // in bytes
)

// withLog returns a compiled contract that appends the lines which it logs to lines. It
// returns any other contract unchanged.
func withLog(code Contract, lines *[]string) Contract {
	c, isCompiled := code.(compiled)
	if !isCompiled {
		return code
	}
	c.log = func(line string) {
		if len(*lines) < maxLogLines {
			line = line[:min(len(line), maxLogLineLen)]
			*lines = append(*lines, strings.ToValidUTF8(line, ""))
		}
	}
	return c
}

// chainID is the name of the chain for compiled contracts.
const chainID = "ephemera-1"

// Instantiate calls the contract's entry point "instantiate". The sender becomes the
// instantiator; the chain records it only when the call has succeeded, so env names it here.
func (c compiled) Instantiate(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	env.Instantiator = info.Sender
	return c.run(c.Contract.Instantiate, t, env, info.Sender, msg.JSON)
}

// Execute calls the contract's entry point "execute".
func (c compiled) Execute(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	return c.run(c.Contract.Execute, t, env, info.Sender, msg.JSON)
}

// migrate calls the contract's entry point "migrate".
func (c compiled) migrate(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	return c.run(c.Contract.Migrate, t, env, info.Sender, msg.JSON)
}

// reply calls the entry point "reply" of the contract with the outcome of a submessage, a
// message that the contract sent.
func (c compiled) reply(t kv.Txn, env cw721.Env, r wasm.Reply) (Answer, error) {
	reply := func(t kv.Txn, e wasm.Env, _ string, _ []byte) (wasm.Response, error) {
		return c.Contract.Reply(t, e, r)
	}
	return c.run(reply, t, env, "", nil)
}

// Query calls the contract's entry point "query". An empty answer is returned as an empty
// JSON string, so that every answer is JSON.
func (c compiled) Query(r kv.Reader, env cw721.Env, msg Message) ([]byte, error) {
	e, err := c.env(env)
	if err != nil {
		return nil, err
	}
	answer, err := c.Contract.Query(r, e, msg.JSON)
	if err != nil {
		return nil, asRefusal(err)
	}
	if len(answer) == 0 {
		return []byte(`""`), nil
	}
	return answer, nil
}

// entryPoint is a method of a [wasm.Contract] that runs a message.
type entryPoint func(t kv.Txn, env wasm.Env, sender string, msg []byte) (wasm.Response, error)

// run calls an entry point of the contract with a message, and converts the response. A
// refusal of the contract is a [*cw721.Error].
func (c compiled) run(enter entryPoint, t kv.Txn, env cw721.Env, sender cw721.Address, msg []byte) (Answer, error) {
	e, err := c.env(env)
	if err != nil {
		return Answer{}, err
	}
	response, err := enter(t, e, string(sender), msg)
	if err != nil {
		return Answer{}, asRefusal(err)
	}

	// Convert the response. Its lists are never nil, since JSON shows [] for an empty one.
	answer := Answer{submessages: response.Messages}
	answer.Attributes = []cw721.EventAttribute{}
	for _, attribute := range response.Attributes {
		answer.Attributes = append(answer.Attributes, cw721.EventAttribute(attribute))
	}
	answer.Messages = []cw721.OutMsg{}
	for _, m := range response.Messages {
		answer.Messages = append(answer.Messages, decodeOutMsg(m.Msg))
	}
	return answer, nil
}

// decodeOutMsg decodes a message that a contract sends. A message that the built-in contract
// cannot send, or writes in another way, becomes [cw721.OutMsg.Other].
func decodeOutMsg(raw jsontext.Value) cw721.OutMsg {
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

	// The message counts as known only if it has exactly the bytes that the built-in
	// contract would write.
	isKnown := known.Wasm != nil || known.Bank != nil
	if isKnown && bytes.Equal(known.AppendWire(nil), raw) {
		return known
	}
	return cw721.OutMsg{Other: bytes.Clone(raw)}
}

// resolveNames replaces a "$name" by an address wherever it is a whole string and an account
// has that name. It keeps other strings with a dollar sign: the contract's types are not
// known, and "$5" may be a price.
func (c compiled) resolveNames(_ messageKind, text []byte, names cw721.NameLookup) (Message, error) {
	msg := Message{JSON: text}
	mayHoldName := bytes.ContainsAny(text, `$\`)
	if mayHoldName {
		if replaced, ok := replaceNames(text, names); ok {
			msg.JSON = replaced
		}
	}
	return msg, nil
}

// replaceNames replaces the "$names" of accounts in a JSON text, but not those that are
// names of members. Duplicate members stay, because whether they are an error is the
// contract's decision. ok is false if there are no "$names", or if the text is not JSON.
func replaceNames(text []byte, names cw721.NameLookup) (replaced []byte, ok bool) {
	var out bytes.Buffer
	from := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	to := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true))
	for {
		// Copy token by token. The decoder's stack tells whether the next token is the name
		// of a member.
		kind, tokensRead := from.StackIndex(from.StackDepth())
		isMemberName := kind == '{' && tokensRead%2 == 0 // names and values take turns
		token, err := from.ReadToken()
		if err != nil {
			break
		}
		canBeName := token.Kind() == '"' && !isMemberName
		if canBeName {
			if address, isName := addressOf(token.String(), names); isName {
				token = jsontext.String(address)
				ok = true
			}
		}
		if err := to.WriteToken(token); err != nil {
			return nil, false
		}
	}

	// The loop also ends at a mistake in the JSON. Then an object or array is still open.
	isComplete := from.StackDepth() == 0
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), ok && isComplete
}

// addressOf returns the address of the account that a text such as "$alice" names. ok is
// false for a text without a dollar sign, and if no account has the name.
func addressOf(text string, names cw721.NameLookup) (address string, ok bool) {
	name, hasDollar := strings.CutPrefix(text, "$")
	if !hasDollar {
		return "", false
	}
	return names(name)
}

// asRefusal returns the refusal of a compiled contract, or a value that is too large for the
// store, as a [*cw721.Error], and any other error as it is.
func asRefusal(err error) error {
	var refusal *wasm.Refusal
	if errors.As(err, &refusal) {
		return &cw721.Error{Kind: kindOfRefusal(refusal.Text), Text: refusal.Text}
	}
	var limit *kv.LimitError
	if errors.As(err, &limit) {
		return &cw721.Error{Kind: KindLimit, Text: limit.Error()}
	}
	return err
}

// kindOfRefusal returns the kind of a refusal that is only a text. It recognizes the texts of
// the libraries that contracts are written with (cosmwasm-std, url).
func kindOfRefusal(text string) cw721.Kind {
	isAddressError := strings.HasPrefix(text, "Generic error: addr_") || strings.HasPrefix(text, "Generic error: input too long for addr_")
	namesRustType := strings.Contains(text, "::")
	switch {
	case strings.HasPrefix(text, "Error parsing into type "):
		return cw721.KindParse
	case isAddressError:
		return cw721.KindAddress
	case strings.HasSuffix(text, " not found") && namesRustType:
		return cw721.KindNotFound
	case slices.Contains(urlRefusals, text):
		return cw721.KindURL
	}
	return cw721.KindContract
}

// urlRefusals are the errors of the Rust library url.
var urlRefusals = []string{
	"empty host",
	"invalid international domain name",
	"invalid port number",
	"invalid IPv4 address",
	"invalid IPv6 address",
	"invalid domain character",
	"relative URL without a base",
	"relative URL with a cannot-be-a-base base",
}
