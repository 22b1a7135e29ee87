package scenario

import (
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// The members that a file may have, in the order in which they are written.
var (
	headerMembers  = []string{"name", "about", "rules", "flavour", "prefix", "self", "accounts", "contracts", "start", "import", "invariants", "deliver"}
	stepMembers    = []string{"at", "advance", "contracts", "as", "instantiate", "execute", "preview", "query", "nobody", "ignored", "expect", "state", "note", "hint", "ask"}
	atMembers      = []string{"height", "time"}
	advanceMembers = []string{"blocks", "time"}
	expectMembers  = []string{"ok", "has", "error"}
	errorMembers   = []string{"kind", "text"}
	askMembers     = []string{"question", "choices", "answer", "why"}
	choiceMembers  = []string{"text", "why", "believes"}
)

// object reads an object that has some of the given members, each once.
func object(d *wire.Decoder, what string, members []string, read func(name string) error) error {
	return names(d, func(name string) error {
		if !slices.Contains(members, name) {
			return fail(d, "%s has no such member, expected one of %s", what, strings.Join(members, ", "))
		}
		return read(name)
	})
}

func fail(d *wire.Decoder, format string, args ...any) error {
	return d.Fail("", fmt.Sprintf(format, args...))
}

// text reads a string, or nothing where there is null.
func text[S ~string](d *wire.Decoder, into *S, want string) error {
	if d.Kind() == 'n' {
		return d.Skip()
	}
	s, err := d.Text(want)
	*into = S(s)
	return err
}

// names reads an object of names, which are in it once each.
func names(d *wire.Decoder, read func(name string) error) error {
	seen := map[string]bool{}
	return d.Object(func(name string) error {
		if seen[name] {
			return fail(d, "it is given twice")
		}
		seen[name] = true
		return read(name)
	})
}

// DecodeWire reads a header.
func (h *Header) DecodeWire(d *wire.Decoder) error {
	return object(d, "the header", headerMembers, func(name string) error {
		switch name {
		case "name":
			return text(d, &h.Name, "a string")
		case "about":
			return text(d, &h.About, "a string")
		case "prefix":
			return text(d, &h.Prefix, "a string")
		case "self":
			return text(d, &h.Self, "an address in a string")
		case "rules":
			if err := text(d, &h.Rules, "a rule set in a string"); err != nil || h.Rules == "" || h.Rules.Known() {
				return err
			}
			return fail(d, "%q is no rule set, expected one of %v", string(h.Rules), cw721.AllRules())
		case "flavour":
			if err := text(d, &h.Flavour, "a flavour in a string"); err != nil || h.Flavour == "" || h.Flavour.Known() {
				return err
			}
			return fail(d, "%q is no flavour, expected %s or %s", string(h.Flavour), cw721.FlavourBase, cw721.FlavourOnchain)
		case "accounts":
			return names(d, func(name string) error {
				a := Account{Name: name}
				err := text(d, &a.Address, "an address in a string, or nothing")
				h.Accounts = append(h.Accounts, a)
				return err
			})
		case "contracts":
			return contracts(d, &h.Contracts)
		case "start":
			if _, ok := d.Context.(forPeople); ok && d.Kind() == '"' {
				at, _, err := moment(d)
				if err == nil && at == nil {
					return fail(d, "expected a block or a date to begin at")
				} else if err == nil {
					h.Start = *at
				}
				return err
			}
			return h.Start.DecodeWire(d)
		case "import":
			return text(d, &h.Import, "the name of a file in a string")
		case "invariants":
			return array(d, "a list of queries", func() error {
				var s Step
				err := s.DecodeWire(d)
				if err == nil && (s.Kind != Query || s.Expect == nil || s.At != nil || s.Advance != nil) {
					return fail(d, "invariant %d: expected query and expect, and no clock move", len(h.Invariants)+1)
				}
				h.Invariants = append(h.Invariants, s)
				return err
			})
		}
		delivers := true
		err := boolean(d, &delivers)
		h.Record = !delivers
		return err
	})
}

// boolean reads true or false, or nothing where there is null.
func boolean(d *wire.Decoder, into *bool) error {
	k := d.Kind()
	if k == 'n' {
		return d.Skip()
	}
	if k != 't' && k != 'f' {
		return d.FailType("true or false", k)
	}
	t, err := d.Token()
	*into = err == nil && t.Bool()
	return err
}

func contracts(d *wire.Decoder, into *[]Contract) error {
	return names(d, func(name string) error {
		c := Contract{Name: strings.TrimPrefix(name, "$")} // as messages have it
		if err := text(d, &c.Receiver, "accepts or rejects"); err != nil {
			return err
		}
		switch c.Receiver {
		case chain.ReceiverAccepts, chain.ReceiverRejects, chain.ReceiverPlain:
			*into = append(*into, c)
			return nil
		}
		return fail(d, "expected accepts, rejects or plain, got %q", string(c.Receiver))
	})
}

// DecodeWire reads a block.
func (a *At) DecodeWire(d *wire.Decoder) error {
	return object(d, "a block", atMembers, func(name string) error {
		if name == "height" {
			a.Height = new(cw721.Height)
			return a.Height.DecodeWire(d)
		}
		s, err := d.Text("nanoseconds in a string of digits, or a date and time as RFC 3339 has them")
		if err != nil {
			return err
		}
		at, err := parseTime(s)
		if err != nil {
			return fail(d, "%v", err)
		}
		a.Time = &at
		return nil
	})
}

func parseTime(s string) (cw721.Time, error) {
	if n, err := strconv.ParseUint(s, 10, 64); err == nil {
		return cw721.Time(n), nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return 0, fmt.Errorf("%q is no time, expected nanoseconds in a string of digits, or a date and time like 2026-11-21T12:00:05Z", s)
	}
	at, ok := chain.BlockTime(t)
	if !ok {
		return 0, fmt.Errorf("%q is outside of the times that a block can have, 1970 to July 2554", s)
	}
	return at, nil
}

// DecodeWire reads a move of the clock.
func (a *Advance) DecodeWire(d *wire.Decoder) error {
	return object(d, "advance", advanceMembers, func(name string) (err error) {
		if name == "blocks" {
			a.Blocks, err = d.Uint(64)
			return err
		}
		s, err := d.Text("a duration in a string, like \"90m\"")
		if err != nil {
			return err
		}
		if a.Time, err = time.ParseDuration(s); err != nil || a.Time < 0 {
			return fail(d, "%q is no duration, expected one like \"90m\" or \"1h30m\"", s)
		}
		return nil
	})
}

// state is storage as a file has it.
type state []Entry

// DecodeWire reads an array of keys in hex with their values.
func (s *state) DecodeWire(d *wire.Decoder) error {
	*s = state{}
	err := array(d, "an array of [key in hex, value]", func() error {
		var r Entry
		n := 0
		err := array(d, "[key in hex, value]", func() error {
			t, err := d.Text("a string")
			if err != nil {
				return err
			}
			switch n++; n {
			case 1:
				if r.Key, err = hex.DecodeString(t); err != nil {
					return fail(d, "record %d: expected a key in hex, got %q", len(*s)+1, t)
				}
			case 2:
				r.Value = t
			}
			return nil
		})
		if err == nil && n != 2 {
			return fail(d, "record %d: expected [key in hex, value], got an array of %d", len(*s)+1, n)
		}
		*s = append(*s, r)
		return err
	})
	if err != nil {
		return err
	}
	records := *s
	sort.SliceStable(records, func(i, j int) bool { return string(records[i].Key) < string(records[j].Key) })
	for i := 1; i < len(records); i++ {
		if string(records[i].Key) == string(records[i-1].Key) {
			return fail(d, "the key %x is in it twice", records[i].Key)
		}
	}
	return nil
}

func array(d *wire.Decoder, want string, element func() error) error {
	if k := d.Kind(); k != '[' && k != 0 {
		return d.FailType(want, k)
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.Kind() != ']' {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
