package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// messageChecker finds typing mistakes in the messages of a YAML file.
type messageChecker struct {
	contract   cw721.Contract
	isCompiled bool            // a compiled contract reads the messages, which may know others
	accounts   []chain.Account // to suggest instead of an unknown name
	// hasAccount reports whether an account has the name. If it is nil, the accounts are not
	// known yet, and every name is accepted.
	hasAccount func(name string) bool
}

// findMistake finds a likely typing mistake in the message of a step, such as an unknown
// message, member or name, a text that is not an address, or an expiration that cannot be
// read. It finds nothing if the step has "ignored" or means the refusal to which the
// mistake leads, because the mistake is on purpose then. field is the dotted path of the
// mistake within the message, such as "mint.owner". text describes the mistake, and is empty
// if there is none.
func (c *messageChecker) findMistake(step *Step) (field, text string) {
	if step.Ignored {
		return "", ""
	}

	// The contract's own decoder says what is wrong. Any clock will do to read expirations such
	// as "+10". The decoder only has to know which names exist, not their addresses. A name
	// also exists if the step itself gives it to a contract.
	message, expirationErr := resolveExpirations(step.Message, func() chain.Clock { return chain.Clock{} })
	_, reading, decodeErr := step.Kind.Decode(c.contract, message, func(name string) (string, bool) {
		isNew := slices.ContainsFunc(step.Contracts, func(contract chain.Account) bool {
			return contract.Name == name
		})
		return "", isNew || c.hasAccount == nil || c.hasAccount(name)
	})
	if unknown, ok := errors.AsType[*wire.UnknownNameError](decodeErr); ok {
		text = fmt.Sprintf("no account is named %q", unknown.Name)
		return unknown.Field, text + c.suggestAccount(unknown.Name)
	}

	// A refusal that the step means is on purpose. A compiled contract may know the
	// message.
	refusal := cw721.AsError(decodeErr)
	if refusal != nil && (c.isCompiled || step.meansRefusal(refusal)) {
		return "", ""
	}
	if len(reading.IgnoredMembers) > 0 {
		ignored := reading.IgnoredMembers[0]
		return ignored.Field, strings.TrimPrefix(ignored.String(), ignored.Field+": ")
	}
	if expirationMistake, ok := errors.AsType[*Error](expirationErr); ok {
		return expirationMistake.Field, expirationMistake.Text
	}
	if refusal != nil {
		field, text = splitDecodeError(decodeErr)
		return field, addQuotesAdvice(text)
	}

	// The decoder takes any text for an address.
	for _, member := range reading.LiteralAddresses {
		addressErr := cw721.ValidateAddress(c.contract.Prefix, cw721.Address(member.Text))
		if addressErr == nil || step.meansRefusal(cw721.AsError(addressErr)) {
			continue
		}
		suggestion := c.suggestAccount(member.Text)
		return member.Field, fmt.Sprintf("%q is no address%s", member.Text, suggestion)
	}
	return "", ""
}

// suggestAccount returns the end of a sentence that suggests the account whose name is most
// like a text, such as ": did you mean $alice?". It is empty if no name is similar.
func (c *messageChecker) suggestAccount(text string) string {
	var names []string
	for _, account := range c.accounts {
		names = append(names, account.Name)
	}
	if nearest := wire.NearestName(text, names); nearest != "" {
		return ": did you mean $" + nearest + "?"
	}
	return ""
}
