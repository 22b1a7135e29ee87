package scenario

import (
	"io"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/reach"
)

// SaveWay writes a way that a search has found as a scenario: what made the
// collection what it is, the messages of the way but for the act, and a step
// that says that nobody can do it. So it fails until something in it keeps the
// way from being gone. It fails as [Record] and [Write] do.
func SaveWay(w io.Writer, f Format, v *chain.View, q reach.Question, a reach.Answer) error {
	header, all, err := Record(v, Part{})
	if err != nil {
		return err
	}
	return Write(w, f, header, func(yield func(Step, error) bool) {
		for s, err := range all {
			s.Expect = nil // only the last step is held to anything
			if !yield(s, err) || err != nil {
				return
			}
		}
		way := a.Ways[0]
		for _, s := range way[:len(way)-1] {
			at := &At{Height: &s.Block.Height, Time: &s.Block.Time}
			if !yield(Step{At: at, As: v.Call(s.As), Kind: Execute, Message: cw721.Encode(s.Message)}, nil) {
				return
			}
		}
	})
}
