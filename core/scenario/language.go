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

// messageChecker is what the messages of a YAML file can be made of.
type messageChecker struct {
	contract cw721.Contract
	// compiled tells that a compiled contract reads the messages. It may have other
	// ones than the built-in contract.
	compiled bool
	// accounts are those of the header, for the names in them.
	accounts []chain.Account
	// isKnown tells whether somebody has a name; nil takes every name.
	isKnown func(name string) bool
}

// findMistake finds a likely typing mistake in a message: a message, a member or a name
// that is unknown, or a text that is no address where one stands. A step may ask for
// it, by the refusal that it expects or by "ignored". field is the dotted path within
// the message; text is empty where nothing is wrong.
func (l *messageChecker) findMistake(s *Step) (field, text string) {
	if s.Ignored {
		return "", ""
	}
	names := func(name string) (string, bool) {
		isNew := slices.ContainsFunc(s.Contracts, func(c Contract) bool { return c.Name == name })
		return "", l.isKnown == nil || isNew || l.isKnown(name)
	}
	message, noMoment := resolveExpirations(s.Message, func() chain.Clock { return chain.Clock{} })
	_, read, err := s.Kind.decode(l.contract, message, names)
	if unknown, ok := errors.AsType[*wire.UnknownNameError](err); ok {
		return unknown.Field, fmt.Sprintf("no account is named %q", unknown.Name) + l.suggestion(unknown.Name)
	}
	refusal := cw721.AsError(err)
	if refusal != nil && (l.compiled || s.expectsRefusal(refusal)) {
		return "", ""
	}
	if len(read.Ignored) > 0 {
		first := read.Ignored[0]
		return first.Field, strings.TrimPrefix(first.String(), first.Field+": ")
	}
	if moment, ok := errors.AsType[*Error](noMoment); ok {
		return moment.Field, moment.Text
	}
	if refusal != nil {
		field, text = fieldAndText(err)
		return field, inQuotes(text)
	}
	for _, a := range read.Addresses {
		wrong := cw721.ValidateAddress(l.contract.Prefix, cw721.Address(a.Text))
		if wrong != nil && !s.expectsRefusal(cw721.AsError(wrong)) {
			return a.Field, fmt.Sprintf("%q is no address", a.Text) + l.suggestion(a.Text)
		}
	}
	return "", ""
}

// suggestion ends a sentence about a text with the name that is nearest to it.
func (l *messageChecker) suggestion(text string) string {
	var names []string
	for _, a := range l.accounts {
		if names = append(names, a.Name); a.Name == text {
			return ": did you mean $" + text + "?"
		}
	}
	if near := wire.Nearest(text, names); near != "" {
		return ": did you mean $" + near + "?"
	}
	return ""
}

// resolveExpirations writes the expirations that a message has in a string, as "+10", as a
// contract reads them, seen from a clock. The error is about the first string that
// is no expiration, which stays as it is.
func resolveExpirations(message []byte, clock func() chain.Clock) ([]byte, error) {
	if !bytes.Contains(message, []byte(`"expires":"`)) && !bytes.Contains(message, []byte(`"expiry":"`)) {
		return message, nil
	}
	v, err := parseJSON(message)
	if err != nil {
		return message, nil // the contract says what it is
	}
	err = v.resolveExpirations("", clock())
	return v.json(), err
}

func (v *jsonValue) resolveExpirations(at string, clock chain.Clock) error {
	for i := range v.items {
		name, item := "", &v.items[i]
		if v.kind == '{' {
			name = v.names[i]
		}
		if item.kind != '"' || name != "expires" && name != "expiry" {
			if err := item.resolveExpirations(at+"."+name, clock); err != nil {
				return err
			}
			continue
		}
		end, err := chain.ParseExpiration(item.text, clock)
		if err != nil {
			return &Error{Field: strings.TrimPrefix(at+"."+name, "."), Text: err.Error()}
		}
		if *item, err = parseJSON(wire.Encode(end)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
