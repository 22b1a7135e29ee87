package chain_test

import (
	"errors"
	"testing"
	"time"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

func TestATextBecomesAStepOfTheClock(t *testing.T) {
	now := cw721.Block{Height: 1000, Time: 5000e9}
	height := cw721.Height(1200)
	later := cw721.Time(9000e9)
	for text, want := range map[string]chain.ClockStep{
		"+10":           {Blocks: 10},
		"+90m":          {Duration: 90 * time.Minute},
		"h1200":         {Height: &height},
		"9000000000000": {Time: &later},
	} {
		moment := cw721.UntilTime(later)
		if text != "9000000000000" {
			moment = Must(human.ParseExpiration(text, now))(t)
		}
		Same(t, text, want, chain.StepToMoment(text, moment, now))
	}
}

func TestAHeightIsADecimalNumberFromOne(t *testing.T) {
	Same(t, "the height", cw721.Height(10), Must(chain.ParseHeight("10"))(t))
	for _, text := range []string{"", "0", "-1", "1a", "1.5", "18446744073709551616"} {
		_, err := chain.ParseHeight(text)
		var wrong *chain.FieldError
		if !errors.As(err, &wrong) || wrong.Field != "height" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAMoveOfTheClockTellsTheRevisionThatItMade(t *testing.T) {
	w := New(t)
	move := Must(w.C.Advance(chain.ClockStep{Blocks: 3}))(t)
	w.View(func(v *chain.View) { Same(t, "the revision", v.Revision, move.Revision) })
}
