package chain

import (
	"errors"
	"regexp"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// MessageNames are the names of the messages that a contract knows, as they are in JSON.
type MessageNames struct {
	Execute []string // of the messages to execute, such as "mint"
	Query   []string // of the queries, such as "num_tokens"
	// UnlistedReason is "" if the contract itself lists the names. Otherwise the names are
	// those of a rule set, and UnlistedReason says why, as in "the contract does not list
	// its messages".
	UnlistedReason string
}

func namesInRules(rules cw721.Rules) MessageNames {
	return MessageNames{Execute: rules.ExecuteNames(), Query: rules.QueryNames()}
}

// unknownMessage is refused by contracts that are written with the Rust library serde, with
// the names of the messages that they know.
var unknownMessage = Message{JSON: []byte(`{"?":{}}`)}

// MessageNames returns the names of the messages that the contract knows. To ask a compiled
// contract, it sends an unknown message. If the refusal has no list, the names are those of
// the rule set.
func (v *View) MessageNames() (MessageNames, error) {
	module, isCompiled, err := v.Module()
	if err != nil || !isCompiled {
		return namesInRules(v.Rules), err
	}

	names, isKnown := v.modules.messageNames.Load(module.Checksum)
	if !isKnown {
		names, err = v.askForNames()
		if err != nil {
			return MessageNames{}, err
		}
		v.modules.messageNames.Store(module.Checksum, names)
	}

	ownNames := names.(MessageNames)
	if ownNames.UnlistedReason == "" {
		return ownNames, nil
	}
	ruleNames := namesInRules(v.Rules)
	ruleNames.UnlistedReason = ownNames.UnlistedReason
	return ruleNames, nil
}

// askForNames asks the compiled contract for the names of its messages and queries. If it lists
// none, the result only has the field UnlistedReason.
func (v *View) askForNames() (names MessageNames, err error) {
	const unlisted = "the contract does not list its messages"
	code, err := v.runningContract()

	// A contract that takes too much to compile is refused.
	if cw721.AsError(err) != nil {
		return MessageNames{UnlistedReason: unlisted}, nil
	}
	if err != nil {
		return names, err
	}
	trialSession := newSession(kv.NewOverlay(v.store), v.Config, v.modules)

	info := cw721.Info{Sender: v.Self}
	_, executeErr := code.Execute(call{trialSession.records, v.env(), info, unknownMessage})
	_, queryErr := code.Query(v.records, v.env(), unknownMessage)
	for _, err := range []error{executeErr, queryErr} {
		// A contract that accepts the message, or takes too long for it, lists no names.
		if isInternalError(err) && !errors.As(err, new(*wasm.LimitError)) {
			return names, err
		}
	}

	var listsExecute, listsQuery bool
	names.Execute, listsExecute = expectedNames(executeErr)
	names.Query, listsQuery = expectedNames(queryErr)
	if !listsExecute || !listsQuery {
		names.UnlistedReason = unlisted
	}
	return names, nil
}

// variantList matches the list of messages in a refusal of the unknown message, such as
// "unknown variant `?`, expected one of `burn`, `mint`" or "…, expected `burn` or `mint`".
var variantList = regexp.MustCompile("unknown variant `\\?`, (?:expected (?:one of )?(`\\w+`(?:(?:, | or )`\\w+`)*)|there are no variants)")

// The releases of cw721 have fewer than thirty messages.
const maxMessageNames = 500

// expectedNames returns the names in a refusal such as "unknown variant `?`, expected one of
// `burn`, `mint`". ok is false if err is no such refusal.
func expectedNames(err error) (names []string, ok bool) {
	refusal := cw721.AsError(err)
	if refusal == nil {
		return nil, false
	}
	match := variantList.FindStringSubmatch(refusal.Text)
	if match == nil {
		return nil, false
	}

	// In a text such as "`burn`, `mint`", every second part between quotes is a name.
	for i, part := range strings.SplitN(match[1], "`", 2*maxMessageNames+1) {
		if i%2 == 1 {
			names = append(names, part)
		}
	}
	return names, true
}
