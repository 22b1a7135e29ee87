package inspect

import (
	"errors"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// viewAtHeight runs fn over the chain as it was or would be at a height: ahead as if
// nothing happened until then, back as it was then. node is where to go for it,
// 0 for what lies ahead.
func viewAtHeight(e app.Engine, h cw721.Height, fn func(v *chain.View, node history.ID) error) error {
	var at chain.Moment
	err := e.View(func(v *chain.View) (err error) {
		if at, err = v.MomentAt(cw721.UntilHeight(h)); errors.Is(err, chain.ErrBeforeBeginning) {
			return nil // there is nothing before it to show
		}
		return err
	})
	if err != nil {
		return err
	}
	return e.ViewAtMoment(at, func(v *chain.View) error { return fn(v, at.Enter) })
}
