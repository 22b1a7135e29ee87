package scenario

import (
	"ephemera/core/chain"
	"ephemera/core/cw721"
	explained "ephemera/core/explain"
)

// ProbeSteps are the steps that send one message at every block of a probe, and
// leave nothing behind. It fails with a [*RecordError] where one of the blocks lies
// behind the clock, which never goes back.
func ProbeSteps(v *chain.View, sender cw721.Address, message []byte, rows []explained.ProbeRow) (steps []Step, err error) {
	for _, r := range rows {
		now, at := v.Clock.Block(), At{}
		if r.Block.Height < now.Height || r.Block.Time < now.Time {
			return nil, &RecordError{"the expiry lies behind the clock, where a scenario cannot go; undo to before it"}
		}
		if at.Height = &r.Block.Height; r.Block.Height == now.Height {
			at.Height = nil
		}
		if at.Time = &r.Block.Time; r.Block.Time == now.Time {
			at.Time = nil
		}
		s := Step{As: v.DisplayName(sender), Kind: Preview, Message: message, Expect: &Expect{}}
		if at != (At{}) {
			s.At = &at
		}
		if e := r.Receipt.Refusal; e != nil {
			s.Expect = refusedWith(e.Kind, e.Text)
		}
		steps = append(steps, s)
	}
	return steps, nil
}
