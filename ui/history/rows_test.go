package history

import (
	"strconv"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

func TestTheHistoryGoesOnBelowAnyRowDownToTheFirst(t *testing.T) {
	c := chaintest.New(t).C
	for range 3 {
		chaintest.Must(c.Advance(chain.ClockStep{Blocks: 1}))(t)
	}
	chaintest.OK(t, c.View(func(v *chain.View) error {
		state, err := v.HistoryState()
		reader := &listReader{
			view:  v,
			facts: app.Facts{Config: v.Config, History: state},
			tree:  chaintest.Must(v.HistoryTree())(t),
		}
		for from := 1; from <= int(state.Last) && err == nil; from++ {
			next := from
			part := widget.ListPart{From: new(strconv.Itoa(from))}
			err = reader.walk(part, func(key string, row *widget.Row) bool {
				next--
				chaintest.Same(t, "key of the node", strconv.Itoa(next), key)
				return row != nil
			})
			chaintest.Same(t, "last node", 1, next)
		}
		return err
	}))
}
