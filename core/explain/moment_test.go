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

// worldAtHeight120 returns a collection whose clock started at height 100. Token "a" was
// burned at height 110, after which a snapshot was named "burned". bob has an approval on
// token "b" until height 130.
func worldAtHeight120(t *testing.T) *World {
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

func TestEveryFormOfAMomentIsParsed(t *testing.T) {
	// The height, the block time in seconds and the number of tokens at a moment.
	type state struct {
		height cw721.Height
		time   cw721.Time
		tokens uint64
	}

	w := worldAtHeight120(t)
	for text, want := range map[string]state{
		"now":                  {height: 120, time: 1100, tokens: 1},
		"":                     {height: 120, time: 1100, tokens: 1},
		"120":                  {height: 120, time: 1100, tokens: 1},
		"h125":                 {height: 125, time: 1125, tokens: 1},
		"+10":                  {height: 130, time: 1150, tokens: 1},
		"+ 3 blocks":           {height: 123, time: 1115, tokens: 1},
		"next":                 {height: 130, time: 1150, tokens: 1},
		"before-next":          {height: 129, time: 1145, tokens: 1},
		"Before Next":          {height: 129, time: 1145, tokens: 1},
		"-5":                   {height: 115, time: 1075, tokens: 1},
		"105":                  {height: 105, time: 1025, tokens: 2},
		"100":                  {height: 100, time: 1000, tokens: 2},
		"-20":                  {height: 100, time: 1000, tokens: 2},
		"+1m":                  {height: 132, time: 1160, tokens: 1},
		"-1m":                  {height: 108, time: 1040, tokens: 2},
		"1970-01-01 00:20":     {height: 140, time: 1200, tokens: 1},
		"1970-01-01T00:17:20Z": {height: 108, time: 1040, tokens: 2},
		"1,040,000,000,000 ns": {height: 108, time: 1040, tokens: 2},
		"burned":               {height: 110, time: 1050, tokens: 1},
		"#2":                   {height: 100, time: 1000, tokens: 1},
		"#5":                   {height: 110, time: 1050, tokens: 2},
	} {
		var moment chain.Moment
		w.View(func(v *chain.View) { moment = Must(explain.ParseMoment(v, text))(t) })
		OK(t, w.C.ViewAtMoment(moment, func(v *chain.View) error {
			got := state{
				height: v.Clock.Height,
				time:   v.Clock.Time / 1e9,
				tokens: Must(v.Collection())(t).TokenCount,
			}
			if got != want {
				t.Errorf("%q: got %+v, want %+v", text, got, want)
			}
			return nil
		}))
	}
}

func TestATextThatIsNoMomentFailsWithTheReason(t *testing.T) {
	w := worldAtHeight120(t)
	for text, want := range map[string]string{
		"yesterday":               `"yesterday" is no moment, expected one of: now, next`,
		"+":                       "is no length of time",
		"-":                       "is no length of time",
		"+-3":                     "is no length of time",
		"#":                       "is no moment",
		"#99":                     "the history has no node 99",
		"#99999999999999999999":   "larger than any node's number",
		"99999999999999999999":    "beyond the last time",
		"h99999999999999999999":   "beyond the last height",
		"99999999999999999999 ns": "beyond the last time",
		"+99999999999999999999":   "more blocks than there can be",
		"+18446744073709551615":   "more blocks than there can be",
		"1795264800000000000":     "1795264800000000000 of what? as nanoseconds it is 2026-11-21 12:40:00 UTC: write that",
		"h18446744073709551615":   "last",
		"2600-01-01":              "is no moment",
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
		if !errors.As(err, new(*history.UnknownNodeError)) {
			t.Errorf("a node that does not exist: %v", err)
		}
	})
}

func TestAMomentBeforeTheFirstBlockOrWithoutAnExpiryFails(t *testing.T) {
	w := worldAtHeight120(t)
	Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	w.View(func(v *chain.View) {
		for _, text := range []string{"99", "-900", "1970-01-01 00:01"} {
			if _, err := explain.ParseMoment(v, text); !errors.As(err, new(*human.MomentError)) {
				t.Errorf("%q, before the first block: %v", text, err)
			}
		}
		if _, err := explain.ParseMoment(v, "next"); !errors.Is(err, chain.ErrNothingExpires) {
			t.Errorf("next, when nothing expires: %v", err)
		}
	})
}
