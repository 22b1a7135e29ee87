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
	decoder cw721.Contract // shows where the fault of a message is; see locateFault
	meta    kv.Reader
	// storageBytes counts the bytes that the contract passes to its storage, over all calls that
	// follow from one message; see [wasm.Env.StorageBytes].
	storageBytes *int
	// log is called with each line that the contract logs. It can be nil.
	log func(line string)
}

func (c compiled) newWasmEnv(callEnv cw721.Env) (wasm.Env, error) {
	// While the contract is instantiated, callEnv has the instantiator. Afterwards the
	// chain has recorded it.
	if callEnv.Instantiator == "" {
		instantiator, _, err := instantiatorItem.Load(c.meta)
		if err != nil {
			return wasm.Env{}, err
		}
		callEnv.Instantiator = instantiator
	}
	return wasm.Env{
		Height:       uint64(callEnv.Block.Height),
		Time:         uint64(callEnv.Block.Time),
		ChainID:      chainID,
		Self:         string(callEnv.Self),
		Creator:      string(callEnv.Instantiator),
		Debug:        c.log,
		StorageBytes: c.storageBytes,
	}, nil
}

// The limits of the log. Further lines are dropped, and longer lines are cut.
const (
	maxLogLines   = 100
	maxLogLineLen = 1000 // in bytes
)

// withLog returns a copy of a compiled contract that appends what it logs to lines.
func withLog(code Contract, lines *[]string) Contract {
	compiledCode, isCompiled := code.(compiled)
	if !isCompiled {
		return code
	}
	compiledCode.log = func(line string) {
		if len(*lines) >= maxLogLines {
			return
		}
		beginning := line[:min(len(line), maxLogLineLen)]
		*lines = append(*lines, strings.ToValidUTF8(beginning, ""))
	}
	return compiledCode
}

// chainID is the name of the chain for compiled contracts.
const chainID = "ephemera-1"

// Instantiate passes the sender in env, because the chain records the instantiator only after
// the call has succeeded.
func (c compiled) Instantiate(in call) (Answer, error) {
	in.env.Instantiator = in.info.Sender
	answer, err := c.run(c.Contract.Instantiate, in)
	return answer, locateFault(err, in.msg, c.decoder.DecodeInstantiate)
}

func (c compiled) Execute(in call) (Answer, error) {
	answer, err := c.run(c.Contract.Execute, in)
	return answer, locateFault(err, in.msg, c.decoder.DecodeExecute)
}

// locateFault adds to a compiled contract's parse error where in the message the fault is, if
// the built-in contract finds the same fault.
func locateFault[M any](
	err error,
	msg Message,
	decode func([]byte, cw721.NameLookup) (M, cw721.DecodeInfo, error),
) error {
	refusal := cw721.AsError(err)
	if refusal == nil {
		return err
	}
	_, decodeErr := decodeMessage(msg, decode)
	fault := cw721.AsError(decodeErr)
	if fault != nil && strings.HasSuffix(refusal.Text, ": "+fault.Parse.Cause) {
		refusal.Field = fault.Field
		refusal.Offset = fault.Offset
	}
	return err
}

func (c compiled) migrate(in call) (Answer, error) { return c.run(c.Contract.Migrate, in) }

// reply calls the contract's entry point "reply", which gets neither a sender nor a message.
func (c compiled) reply(txn kv.Txn, env cw721.Env, reply wasm.Reply) (Answer, error) {
	callReply := func(store kv.Txn, wasmEnv wasm.Env, _ string, _ []byte) (wasm.Response, error) {
		return c.Contract.Reply(store, wasmEnv, reply)
	}
	return c.run(callReply, call{txn: txn, env: env})
}

// Query returns an empty answer as an empty JSON string, so that every answer is JSON.
func (c compiled) Query(reader kv.Reader, env cw721.Env, msg Message) ([]byte, error) {
	wasmEnv, err := c.newWasmEnv(env)
	if err != nil {
		return nil, err
	}
	answer, err := c.Contract.Query(reader, wasmEnv, msg.JSON)
	if err != nil {
		return nil, locateFault(asRefusal(err), msg, c.decoder.DecodeQuery)
	}
	if len(answer) == 0 {
		return []byte(`""`), nil
	}
	return answer, nil
}

// entryPoint is a method of a [wasm.Contract] that runs a message.
type entryPoint func(txn kv.Txn, env wasm.Env, sender string, msg []byte) (wasm.Response, error)

func (c compiled) run(callEntryPoint entryPoint, in call) (Answer, error) {
	wasmEnv, err := c.newWasmEnv(in.env)
	if err != nil {
		return Answer{}, err
	}
	response, err := callEntryPoint(in.txn, wasmEnv, string(in.info.Sender), in.msg.JSON)
	if err != nil {
		return Answer{}, asRefusal(err)
	}

	// The lists are never nil, since JSON shows [] for an empty one.
	answer := Answer{submessages: response.Messages}
	answer.Attributes = []cw721.EventAttribute{}
	for _, attribute := range response.Attributes {
		answer.Attributes = append(answer.Attributes, cw721.EventAttribute(attribute))
	}
	answer.Messages = []cw721.OutMsg{}
	for _, message := range response.Messages {
		answer.Messages = append(answer.Messages, decodeOutMsg(message.Msg))
	}
	return answer, nil
}

// decodeOutMsg decodes a message that a contract sends. If it is not exactly as the built-in
// contract would write it, the result has the JSON text, as [cw721.OutMsg.Other].
func decodeOutMsg(raw jsontext.Value) cw721.OutMsg {
	// The built-in contract only executes other contracts and sends coins.
	var decoded struct {
		Wasm *struct {
			Execute cw721.WasmExecute `wire:"execute"`
		} `wire:"wasm"`
		Bank *struct {
			Send cw721.BankSend `wire:"send"`
		} `wire:"bank"`
	}
	var knownMsg cw721.OutMsg
	if wire.Decode(raw, &decoded) == nil {
		switch {
		case decoded.Wasm != nil && decoded.Bank == nil:
			knownMsg.Wasm = &decoded.Wasm.Execute
		case decoded.Bank != nil && decoded.Wasm == nil:
			knownMsg.Bank = &decoded.Bank.Send
		}
	}

	if (knownMsg.Wasm != nil || knownMsg.Bank != nil) && bytes.Equal(knownMsg.AppendWire(nil), raw) {
		return knownMsg
	}
	return cw721.OutMsg{Other: bytes.Clone(raw)}
}

// resolveNames replaces every JSON string such as "$alice", except for the names of members, by an
// address if an account has this name. Other strings with a dollar sign stay, because it is not
// known where the contract expects an address: "$5" may be a price.
//
// It keeps duplicate members, because the contract decides whether they are an error. It returns
// the text unchanged if there is nothing to replace, or if it is not valid JSON.
func (c compiled) resolveNames(_ messageKind, text []byte, names cw721.NameLookup) (Message, error) {
	unchanged := Message{JSON: text}
	if !bytes.ContainsAny(text, `$\`) { // JSON can also write a dollar sign as "\u0024"
		return unchanged, nil
	}
	hasNames := false
	var output bytes.Buffer
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	encoder := jsontext.NewEncoder(&output, jsontext.AllowDuplicateNames(true))
	for {
		// Copy the text token by token. Within an object, names and values take turns, so
		// the next token is a name if an even number of tokens was read.
		kind, tokensRead := decoder.StackIndex(decoder.StackDepth())
		isMemberName := kind == '{' && tokensRead%2 == 0
		token, err := decoder.ReadToken()
		if err != nil {
			break
		}

		// Only a string can begin with a dollar sign.
		name, hasDollar := strings.CutPrefix(token.String(), "$")
		if hasDollar && !isMemberName {
			if address, isName := names(name); isName {
				token = jsontext.String(address)
				hasNames = true
			}
		}
		if err := encoder.WriteToken(token); err != nil {
			return unchanged, nil
		}
	}

	// The loop also ends at an error in the JSON. Then an object or an array is still open.
	if !hasNames || decoder.StackDepth() > 0 {
		return unchanged, nil
	}
	return Message{JSON: bytes.TrimSuffix(output.Bytes(), []byte("\n"))}, nil
}

// asRefusal converts a [*wasm.Refusal] and a [*kv.LimitError] into a [*cw721.Error]. It returns
// any other error unchanged.
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

// kindOfRefusal returns the kind of a compiled contract's refusal, which is only a text of one
// of the Rust libraries that contracts are written with.
func kindOfRefusal(text string) cw721.Kind {
	isBadAddress := strings.HasPrefix(text, "Generic error: addr_")
	isLongAddress := strings.HasPrefix(text, "Generic error: input too long for addr_")
	namesRustType := strings.Contains(text, "::") // such as cw721::state::NftInfo
	switch {
	case strings.HasPrefix(text, "Error parsing into type "):
		return cw721.KindParse
	case isBadAddress || isLongAddress:
		return cw721.KindAddress
	case strings.HasSuffix(text, " not found") && namesRustType:
		return cw721.KindNotFound
	case slices.Contains(urlRefusals, text):
		return cw721.KindURL
	}
	return cw721.KindContract
}

// urlRefusals are the error texts of the Rust library url, which parses URLs.
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
