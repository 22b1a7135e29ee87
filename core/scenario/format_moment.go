package scenario

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
)

// DecodeWire reads a block, or a moment in words such as "h1110". The header's member
// "start" cannot be an amount such as "+10", because there is no clock yet to which it
// could be added.
func (a *At) DecodeWire(decoder *wire.Decoder) error {
	moment, err := readMoment(decoder, "a block", a)
	if err != nil || moment == nil {
		return err
	}
	if moment.amount != nil && decoder.Path() == "start" {
		return errorAt(decoder, "expected a block or a date to begin at")
	}
	*a = *moment
	return nil
}

// DecodeWire reads an amount by which the clock moves, or a moment in words such as "+10". A
// moment that names a block goes to the field block.
func (a *Advance) DecodeWire(decoder *wire.Decoder) error {
	moment, err := readMoment(decoder, "advance", a)
	if err != nil || moment == nil {
		return err
	}
	if moment.amount == nil {
		a.block = moment
		return nil
	}
	*a = *moment.amount
	return nil
}

// AppendWire writes the amount as an object with the members blocks and time.
func (a Advance) AppendWire(dst []byte) []byte { return appendObject(dst, membersToWrite(a)) }

// forPeople marks a decoder that reads a YAML file, and accepts moments in words, such as
// "+10" for ten blocks ahead. Files of JSON Lines are written by machines and have none.
type forPeople struct{}

// quotedMomentAdvice is the error for a number in the place of a moment.
const quotedMomentAdvice = `a number is no moment, expected one in quotes like "+10" for blocks from now, or "h1110" for a height`

// readMoment reads a moment in words from a YAML file. The result has the height of "h1110" or
// the time of a date, or only the field amount for "+10" and "+90m". Where no words can be, or
// none are, readMoment reads an object into the struct that target points to, and returns nil.
// description names the object in errors.
func readMoment(decoder *wire.Decoder, description string, target any) (*At, error) {
	_, isForPeople := decoder.Context.(forPeople)
	switch {
	case isForPeople && decoder.Kind() == '0': // what YAML makes of +10 without quotes
		return nil, errorAt(decoder, "%s", quotedMomentAdvice)
	case !isForPeople || decoder.Kind() != '"':
		return nil, readObject(decoder, description, target)
	}

	text, err := decoder.Text("a moment in a string")
	if err != nil {
		return nil, err
	}
	moment, err := human.ParseExpiration(text, cw721.Block{})
	if err != nil || moment.Axis == cw721.Never {
		return nil, errorAt(decoder,
			"%q is no moment, expected one like \"+10\", \"+90m\", \"h1110\" or \"2026-12-01T09:00:00Z\"",
			text)
	}
	clockStep := chain.StepToMoment(text, moment, cw721.Block{})
	if clockStep.Height == nil && clockStep.Time == nil {
		return &At{amount: &Advance{Blocks: clockStep.Blocks, Time: clockStep.Duration}}, nil
	}
	return &At{Height: clockStep.Height, Time: clockStep.Time}, nil
}

// toWords returns the block with its time as a date. It returns the block as it is if it
// has no time, or a time that is not a whole second or too large for a date.
func (a At) toWords() any {
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

// toWords returns the amount as a word, such as "+10" for blocks or "+1h30m0s" for time. It
// returns the amount as it is if it has both or neither.
func (a Advance) toWords() any {
	switch {
	case a.Time == 0 && a.Blocks > 0:
		return fmt.Sprintf("+%d", a.Blocks)
	case a.Blocks == 0 && a.Time > 0:
		return "+" + a.Time.String()
	}
	return a
}

// expirationInWords matches an expiration that is a string, such as "+10". It also matches a
// number, because YAML reads +10 without quotes as one.
var expirationInWords = regexp.MustCompile(`"(expires|expiry)":["0-9]`)

// resolveExpirations replaces the expirations in words in a message: "+10" becomes
// {"at_height": 110} if the clock is at height 100. At the first text that is not an expiration
// it stops, and returns the message so far and an [*Error]. A message that is not JSON stays as
// it is. readClock is only called if the message has an expiration in words.
func resolveExpirations(message []byte, readClock func() chain.Clock) ([]byte, error) {
	if !expirationInWords.Match(message) {
		return message, nil
	}
	messageValue, err := parseJSON(message)
	if err != nil {
		return message, nil
	}
	err = messageValue.resolveExpirations("", readClock())
	return messageValue.json(), err
}

// resolveExpirations does the work of the function [resolveExpirations] in v. path is the
// dotted path of v in the message, with a dot before each member.
func (v *jsonValue) resolveExpirations(path string, clock chain.Clock) error {
	for i := range v.items {
		item := &v.items[i]
		name := ""
		if v.kind == '{' {
			name = v.names[i]
		}
		itemPath := path + "." + name
		field := strings.TrimPrefix(itemPath, ".") // for errors

		// Only members with one of these two names are expirations. A number is one whose
		// quotes are missing.
		isExpiration := name == "expires" || name == "expiry"
		if isExpiration && item.kind == '0' {
			return &Error{Field: field, Text: quotedMomentAdvice}
		}

		// Any other value may contain expirations.
		if !isExpiration || item.kind != '"' {
			if err := item.resolveExpirations(itemPath, clock); err != nil {
				return err
			}
			continue
		}

		expiration, err := human.ParseExpiration(item.text, clock.Block())
		if err != nil {
			return &Error{Field: field, Text: err.Error()}
		}
		*item, err = parseJSON(wire.Encode(expiration))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
