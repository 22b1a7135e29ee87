package scenario

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// forPeople is the context in which a decoder takes moments as people write
// them. JSON Lines are for machines and stay raw.
type forPeople struct{}

// moment reads a moment in a string: "+10" and "+90m" go ahead, "h1110" and dates
// are where to go.
func moment(d *wire.Decoder) (at *At, ahead *Advance, err error) {
	s, err := d.Text("a moment in a string")
	if err != nil {
		return nil, nil, err
	}
	end, err := chain.ParseExpiration(s, chain.Clock{})
	if err != nil || end.Axis == cw721.Never {
		return nil, nil, fail(d, "%q is no moment, expected one like \"+10\", \"+90m\", \"h1110\" or \"2026-12-01T09:00:00Z\"", s)
	}
	ahead, at = &Advance{}, &At{}
	if end.Axis == cw721.AtHeight {
		ahead.Blocks, at.Height = end.Value, (*cw721.Height)(&end.Value)
	} else {
		ahead.Time, at.Time = time.Duration(end.Value), (*cw721.Time)(&end.Value)
	}
	if strings.HasPrefix(strings.TrimSpace(s), "+") {
		return nil, ahead, nil
	}
	return at, nil, nil
}

// clockMove reads "at" or "advance" of a step.
func (s *Step) clockMove(d *wire.Decoder, name string) error {
	if _, ok := d.Context.(forPeople); !ok || d.Kind() != '"' {
		if name == "at" {
			s.At = new(At)
			return s.At.DecodeWire(d)
		}
		s.Advance = new(Advance)
		return s.Advance.DecodeWire(d)
	}
	at, ahead, err := moment(d)
	switch {
	case err != nil:
		return err
	case name == "advance" && ahead == nil:
		return fail(d, "expected how far to go, like \"+10\" or \"+90m\"")
	case at != nil:
		s.At = at
	default:
		s.Advance = ahead
	}
	return nil
}

// withEnds writes the expirations that a message has in a string, as "+10", as a
// contract reads them, seen from a clock. The error is about the first string that
// is no expiration, which stays as it is.
func withEnds(message []byte, clock func() chain.Clock) ([]byte, error) {
	if !bytes.Contains(message, []byte(`"expires":"`)) && !bytes.Contains(message, []byte(`"expiry":"`)) {
		return message, nil
	}
	v, err := parse(message)
	if err != nil {
		return message, nil // the contract says what it is
	}
	err = v.writeEnds("", clock())
	return v.json(), err
}

func (v *value) writeEnds(at string, clock chain.Clock) error {
	for i := range v.items {
		name, item := "", &v.items[i]
		if v.kind == '{' {
			name = v.names[i]
		}
		if item.kind != '"' || name != "expires" && name != "expiry" {
			if err := item.writeEnds(at+"."+name, clock); err != nil {
				return err
			}
			continue
		}
		end, err := chain.ParseExpiration(item.text, clock)
		if err != nil {
			return &Error{Field: strings.TrimPrefix(at+"."+name, "."), Text: err.Error()}
		}
		if *item, err = parse(wire.Encode(end)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// json writes the block, for people with its time as a date, where that says all
// of it.
func (a At) json(people bool) []byte {
	if !people || a.Time == nil || *a.Time%cw721.Time(time.Second) != 0 || *a.Time > math.MaxInt64 {
		return wire.Compact(a)
	}
	var f fields
	if a.Height != nil {
		f.add("height", a.Height.AppendWire(nil))
	}
	f.text("time", time.Unix(0, int64(*a.Time)).UTC().Format(time.RFC3339))
	return f.json()
}

// json writes the move, for people in a word, "+10" or "+90m", where it is by one
// of the two.
func (a Advance) json(people bool) []byte {
	switch {
	case people && a.Time == 0 && a.Blocks > 0:
		return fmt.Appendf(nil, `"+%d"`, a.Blocks)
	case people && a.Blocks == 0 && a.Time > 0:
		return wire.AppendString(nil, "+"+a.Time.String())
	}
	var f fields
	if a.Blocks > 0 {
		f.add("blocks", fmt.Append(nil, a.Blocks))
	}
	if a.Time > 0 {
		f.text("time", a.Time.String())
	}
	return f.json()
}
