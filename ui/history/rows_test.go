package history

import (
	"strconv"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/ui/widget"
)

func TestTheHistoryGoesOnBelowAnyRowDownToTheFirst(t *testing.T) {
	c := chaintest.New(t).C
	for range 3 {
		chaintest.Must(c.Advance(chain.ClockStep{Blocks: 1}))(t)
	}
	chaintest.OK(t, c.View(func(v *chain.View) error {
		state, err := v.HistoryState()
		for from := 1; from <= int(state.Last) && err == nil; from++ {
			next := from
			err = visitNodes(v, state, widget.ListPart{From: new(strconv.Itoa(from))}, func(n history.Node) bool {
				next--
				chaintest.Same(t, "node", history.ID(next), n.ID)
				return true
			})
			chaintest.Same(t, "last node", 1, next)
		}
		return err
	}))
}
