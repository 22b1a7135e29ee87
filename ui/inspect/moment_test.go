package inspect

import (
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/uitest"
)

func TestAMomentOfThePastIsFoundWithinAMoveOfTheClock(t *testing.T) {
	c := uitest.Fixture(t)
	must := func(_ chain.Move, err error) {
		chaintest.OK(t, err)
	}
	must(c.Advance(chain.ClockStep{Blocks: 10}))
	uitest.Execute1(t, c, "alice", `{"burn":{"token_id":"ape-01"}}`)
	must(c.Advance(chain.ClockStep{Blocks: 10}))
	for _, x := range []struct {
		height cw721.Height
		tokens uint64
		past   bool
	}{{1102, 24, true}, {1105, 24, true}, {1111, 24, true}, {1112, 23, true}, {1115, 23, true}, {1122, 23, false}, {1130, 23, false}} {
		err := viewAtHeight(c, x.height, func(v *chain.View, node history.ID) error {
			all, err := v.Collection()
			if v.Clock.Height != x.height || all.TokenCount != x.tokens || (node != 0) != x.past {
				t.Errorf("at %d: height %d, %d tokens, node %d", x.height, v.Clock.Height, all.TokenCount, node)
			}
			if want := cw721.Time(1_795_262_405_000_000_000) + cw721.Time(x.height-1102)*5_000_000_000; v.Clock.Time != want {
				t.Errorf("at %d: time %d, expected %d", x.height, v.Clock.Time, want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	err := viewAtHeight(c, 1<<64-1, func(*chain.View, history.ID) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "last") {
		t.Errorf("beyond all times: %v", err)
	}
}
