package scenario

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
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

	// The contract's own decoder says what is wrong. It never needs the addresses of names.
	resolveName := func(name string) (string, bool) { return "", c.isKnownIn(s, name) }
	message, expirationErr := resolveExpirations(s.Message, func() chain.Clock { return chain.Clock{} })
	_, reading, err := s.Kind.Decode(c.contract, message, resolveName)
	if unknown, ok := errors.AsType[*wire.UnknownNameError](err); ok {
		return unknown.Field, fmt.Sprintf("no account is named %q", unknown.Name) + c.suggestion(unknown.Name)
	}

	// A refusal is meant if the step expects it. A compiled contract can have other messages.
	refusal := cw721.AsError(err)
	if refusal != nil && (c.isCompiled || s.expectsRefusal(refusal)) {
		return "", ""
	}
	if len(reading.IgnoredMembers) > 0 {
		first := reading.IgnoredMembers[0]
		return first.Field, strings.TrimPrefix(first.String(), first.Field+": ")
	}
	if wrong, ok := errors.AsType[*Error](expirationErr); ok {
		return wrong.Field, wrong.Text
	}
	if refusal != nil {
		field, text = fieldAndText(err)
		return field, addQuotesAdvice(text)
	}

	return c.findNoAddress(s, reading.LiteralAddresses)
}

// isKnownIn reports whether an account has a name, or gets it by the step itself.
func (c *messageChecker) isKnownIn(s *Step, name string) bool {
	isNew := slices.ContainsFunc(s.Contracts, func(contract chain.Account) bool { return contract.Name == name })
	return c.isKnown == nil || isNew || c.isKnown(name)
}

// findNoAddress finds the first of the addresses in a step's message that is none. It skips
// one that the step expects to be refused. text is empty if all are addresses.
func (c *messageChecker) findNoAddress(s *Step, addresses []wire.Member) (field, text string) {
	for _, address := range addresses {
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
		names = append(names, account.Name)
	}
	if nearest := wire.Nearest(text, names); nearest != "" {
		return ": did you mean $" + nearest + "?"
	}
	return ""
}

// expirationInWords matches an expiration that is a text, such as "+10", or a number, which
// is what YAML makes of +10 without quotes.
var expirationInWords = regexp.MustCompile(`"(expires|expiry)":["0-9]`)

// resolveExpirations replaces the expirations that are texts in a message, such as
// "+10", by the form that contracts read, counted from a clock. It leaves texts that
// are no expirations, and returns an [*Error] about the first of them. A message that
// is not JSON stays as it is: the contract refuses it.
func resolveExpirations(message []byte, clock func() chain.Clock) ([]byte, error) {
	if !expirationInWords.Match(message) {
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

		// Only strings under these two names are expirations. Anything else is searched for
		// them.
		isExpiration := name == "expires" || name == "expiry"
		if isExpiration && item.kind == '0' {
			return &Error{Field: strings.TrimPrefix(path+"."+name, "."), Text: quotedMomentAdvice}
		}
		if !isExpiration || item.kind != '"' {
			if err := item.resolveExpirations(path+"."+name, clock); err != nil {
				return err
			}
			continue
		}

		// A string becomes the object that the contract reads.
		expiration, err := human.ParseExpiration(item.text, clock.Block())
		if err != nil {
			return &Error{Field: strings.TrimPrefix(path+"."+name, "."), Text: err.Error()}
		}
		if *item, err = parseJSON(wire.Encode(expiration)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// forPeople marks a decoder that reads a YAML file, which people write. Such a decoder
// accepts moments in words, such as "+10" for ten blocks ahead. Files of JSON Lines are
// written by machines and have no moments in words.
type forPeople struct{}

// isMoment reports whether the next value of a YAML file is a moment in words, such as
// "+10". It fails for a number, which is what YAML makes of +10 without quotes.
func isMoment(d *wire.Decoder) (bool, error) {
	if _, isForPeople := d.Context.(forPeople); !isForPeople {
		return false, nil
	}
	if d.Kind() == '0' {
		return false, fail(d, "%s", quotedMomentAdvice)
	}
	return d.Kind() == '"', nil
}

// quotedMomentAdvice is the error for a number in the place of a moment.
const quotedMomentAdvice = `a number is no moment, expected one in quotes like "+10" for blocks from now, or "h1110" for a height`

// readMoment reads a moment in words: a block, as for "h1110" and dates, or what is added to
// the clock, as for "+10" and "+90m". The latter is in the member ahead.
func readMoment(d *wire.Decoder) (At, error) {
	text, err := d.Text("a moment in a string")
	if err != nil {
		return At{}, err
	}
	moment, err := human.ParseExpiration(text, cw721.Block{})
	if err != nil || moment.Axis == cw721.Never {
		return At{}, fail(d, "%q is no moment, expected one like \"+10\", \"+90m\", \"h1110\" or \"2026-12-01T09:00:00Z\"", text)
	}

	step := chain.StepToMoment(text, moment, cw721.Block{})
	if step.Height == nil && step.Time == nil {
		return At{ahead: &Advance{Blocks: step.Blocks, Time: step.Duration}}, nil
	}
	return At{Height: step.Height, Time: step.Time}, nil
}

// DecodeWire reads a block, or a moment in words. The member "start" has no clock to count
// from, so it must be a block.
func (a *At) DecodeWire(d *wire.Decoder) error {
	inWords, err := isMoment(d)
	if err != nil {
		return err
	}
	if !inWords {
		return readObject(d, "a block", a)
	}
	*a, err = readMoment(d)
	if a.ahead != nil && d.Path() == "start" {
		return fail(d, "expected a block or a date to begin at")
	}
	return err
}

// inWords returns the block with its time as a date, if that is exact.
func (a At) inWords() any {
	isWholeSecond := a.Time != nil && *a.Time%cw721.Time(time.Second) == 0
	if !isWholeSecond || *a.Time > math.MaxInt64 {
		return a
	}
	return struct {
		Height *cw721.Height `wire:"height"`
		Date   string        `wire:"time"`
	}{
		Height: a.Height,
		Date:   time.Unix(0, int64(*a.Time)).UTC().Format(time.RFC3339),
	}
}

// DecodeWire reads a move of the clock, or a moment in words.
func (a *Advance) DecodeWire(d *wire.Decoder) error {
	inWords, err := isMoment(d)
	if err != nil {
		return err
	}
	if !inWords {
		return readObject(d, "advance", a)
	}

	moment, err := readMoment(d)
	if moment.ahead == nil {
		a.block = &moment
		return err
	}
	*a = *moment.ahead
	return nil
}

// AppendWire writes a move of the clock.
func (a Advance) AppendWire(dst []byte) []byte { return appendObject(dst, memberValues(a)) }

// inWords returns the move in a word, "+10" or "+90m", if it is by blocks or by time
// alone.
func (a Advance) inWords() any {
	switch {
	case a.Time == 0 && a.Blocks > 0:
		return fmt.Sprintf("+%d", a.Blocks)
	case a.Blocks == 0 && a.Time > 0:
		return "+" + a.Time.String()
	}
	return a
}
