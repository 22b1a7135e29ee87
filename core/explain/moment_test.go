package explain_test

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
)

// timed is a collection whose clock went from height 100 to 110, where "a" was
// burned, and on to 120; "b" is bob's until height 130.
func timed(t *testing.T) *World {
	w := New(t)
	w.Mint("a", "alice")
	w.Mint("b", "alice")
	w.Do("alice", `{"approve":{"token_id":"b","spender":"$bob","expires":{"at_height":130}}}`)
	Must(w.C.Advance(chain.ClockStep{Blocks: 10}))(t)
	w.Do("alice", `{"burn":{"token_id":"a"}}`)
	Must(w.C.Snapshot("burned", 0))(t)
	Must(w.C.Advance(chain.ClockStep{Blocks: 10}))(t)
	return w
}

func TestAMomentIsNamedTheWaysPeopleDo(t *testing.T) {
	w := timed(t)
	for _, x := range []struct {
		text   string
		height cw721.Height
		time   cw721.Time // in seconds
		tokens uint64
	}{
		{"now", 120, 1100, 1}, {"", 120, 1100, 1}, {"120", 120, 1100, 1}, {"h125", 125, 1125, 1}, {"+10", 130, 1150, 1}, {"+ 3 blocks", 123, 1115, 1},
		{"next", 130, 1150, 1}, {"before-next", 129, 1145, 1}, {"Before Next", 129, 1145, 1},
		{"-5", 115, 1075, 1}, {"105", 105, 1025, 2}, {"100", 100, 1000, 2}, {"-20", 100, 1000, 2},
		{"+1m", 132, 1160, 1}, {"-1m", 108, 1040, 2}, {"1970-01-01 00:20", 140, 1200, 1}, {"1970-01-01T00:17:20Z", 108, 1040, 2}, {"1,040,000,000,000 ns", 108, 1040, 2},
		{"burned", 110, 1050, 1}, {"#2", 100, 1000, 1}, {"#5", 110, 1050, 2},
	} {
		var at chain.Moment
		w.View(func(v *chain.View) { at = Must(explain.ParseMoment(v, x.text))(t) })
		OK(t, w.C.ViewAtMoment(at, func(v *chain.View) error {
			c, err := v.Collection()
			if v.Clock.Height != x.height || v.Clock.Time != x.time*1e9 || err == nil && c.TokenCount != x.tokens {
				t.Errorf("%q is height %d, time %d, with %d tokens", x.text, v.Clock.Height, v.Clock.Time, c.TokenCount)
			}
			return nil
		}))
	}
}

func TestATextThatIsNoMomentIsRefusedWithWhatWasExpected(t *testing.T) {
	w := timed(t)
	for text, want := range map[string]string{
		"yesterday": `"yesterday" is no moment, expected one of: now, next`, "+": "is no length of time", "-": "is no length of time", "+-3": "is no length of time", "#": "is no moment",
		"#99": "the history has no node 99", "#99999999999999999999": "more than the history counts", "99999999999999999999": "beyond the last time", "h99999999999999999999": "beyond the last height",
		"99999999999999999999 ns": "beyond the last time", "+99999999999999999999": "more blocks than there can be", "+18446744073709551615": "more blocks than there can be",
		"1795264800000000000": "1795264800000000000 of what? as nanoseconds it is 2026-11-21 12:40:00 UTC: write that", "h18446744073709551615": "last", "2600-01-01": "is no moment",
	} {
		w.View(func(v *chain.View) {
			_, err := explain.ParseMoment(v, text)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, expected %q", text, err, want)
			}
		})
	}
	w.View(func(v *chain.View) {
		_, err := v.MomentOfNode(99)
		if unknown := (*history.UnknownNodeError)(nil); !errors.As(err, &unknown) {
			t.Errorf("a node that is not there: %v", err)
		}
	})
	Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	w.View(func(v *chain.View) {
		for _, text := range []string{"99", "-900", "1970-01-01 00:01"} {
			if _, err := explain.ParseMoment(v, text); !errors.As(err, new(*human.MomentError)) {
				t.Errorf("%q, before the beginning: %v", text, err)
			}
		}
		if _, err := explain.ParseMoment(v, "next"); !errors.Is(err, chain.ErrNothingExpires) {
			t.Errorf("when nothing ends: %v", err)
		}
	})
}
