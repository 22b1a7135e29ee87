package scenario

import (
	"bytes"
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
	contract cw721.Contract
	// isCompiled is set if a compiled contract reads the messages. It can have messages
	// that the built-in contract does not have.
	isCompiled bool
	// accounts are searched for a name that was likely meant.
	accounts []chain.Account
	// isKnown reports whether an account has a name. If it is nil, every name is known.
	isKnown func(name string) bool
}

// findMistake finds a likely typing mistake in the message of a step: an unknown
// message, member or name, a text in the place of an address, or an expiration that
// cannot be read. A mistake is meant if the step has "ignored" or expects the refusal
// that it leads to. field is the dotted path within the message. text is empty if
// there is no mistake.
func (c *messageChecker) findMistake(s *Step) (field, text string) {
	if s.Ignored {
		return "", ""
	}

	resolveName := func(name string) (string, bool) {
		isNew := slices.ContainsFunc(s.Contracts, func(c Contract) bool { return c.Name == name })
		return "", c.isKnown == nil || isNew || c.isKnown(name)
	}
	message, expirationErr := resolveExpirations(s.Message, func() chain.Clock { return chain.Clock{} })
	_, reading, err := s.Kind.Decode(c.contract, message, resolveName)
	if unknown, ok := errors.AsType[*wire.UnknownNameError](err); ok {
		return unknown.Field, fmt.Sprintf("no account is named %q", unknown.Name) + c.suggestion(unknown.Name)
	}

	refusal := cw721.AsError(err)
	if refusal != nil && (c.isCompiled || s.expectsRefusal(refusal)) {
		return "", ""
	}
	if len(reading.Ignored) > 0 {
		first := reading.Ignored[0]
		return first.Field, strings.TrimPrefix(first.String(), first.Field+": ")
	}
	if wrong, ok := errors.AsType[*Error](expirationErr); ok {
		return wrong.Field, wrong.Text
	}
	if refusal != nil {
		field, text = fieldAndText(err)
		return field, addQuotesAdvice(text)
	}

	for _, address := range reading.Addresses {
		wrong := cw721.ValidateAddress(c.contract.Prefix, cw721.Address(address.Text))
		if wrong != nil && !s.expectsRefusal(cw721.AsError(wrong)) {
			return address.Field, fmt.Sprintf("%q is no address", address.Text) + c.suggestion(address.Text)
		}
	}
	return "", ""
}

// suggestion returns the end of a sentence that suggests the account whose name is
// nearest to a text. It is empty if no name is near.
func (c *messageChecker) suggestion(text string) string {
	var names []string
	for _, account := range c.accounts {
		if account.Name == text {
			return ": did you mean $" + text + "?"
		}
		names = append(names, account.Name)
	}
	if nearest := wire.Nearest(text, names); nearest != "" {
		return ": did you mean $" + nearest + "?"
	}
	return ""
}

// resolveExpirations replaces the expirations that are texts in a message, such as
// "+10", by the form that contracts read, counted from a clock. It leaves texts that
// are no expirations, and returns an [*Error] about the first of them. A message that
// is not JSON stays as it is: the contract refuses it.
func resolveExpirations(message []byte, clock func() chain.Clock) ([]byte, error) {
	if !bytes.Contains(message, []byte(`"expires":"`)) && !bytes.Contains(message, []byte(`"expiry":"`)) {
		return message, nil
	}
	v, err := parseJSON(message)
	if err != nil {
		return message, nil
	}
	err = v.resolveExpirations("", clock())
	return v.json(), err
}

// resolveExpirations replaces the expirations in v. path is the dotted path of v,
// with a dot before each member.
func (v *jsonValue) resolveExpirations(path string, clock chain.Clock) error {
	for i := range v.items {
		item := &v.items[i]
		name := ""
		if v.kind == '{' {
			name = v.names[i]
		}
		isExpiration := item.kind == '"' && (name == "expires" || name == "expiry")
		if !isExpiration {
			if err := item.resolveExpirations(path+"."+name, clock); err != nil {
				return err
			}
			continue
		}

		expiration, err := chain.ParseExpiration(item.text, clock)
		if err != nil {
			return &Error{Field: strings.TrimPrefix(path+"."+name, "."), Text: err.Error()}
		}
		if *item, err = parseJSON(wire.Encode(expiration)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
