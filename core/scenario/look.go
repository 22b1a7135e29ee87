package scenario

import (
	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Look asks the query of a step in the moment of a view and compares the
// answer with what the step expects. It moves no clock and changes nothing;
// nil says that the answer is as expected. A step that is no query, or expects
// nothing, holds. It fails for a name that nobody has
// (*wire.UnknownNameError), and as the store does.
func (s *Step) Look(v *chain.View) (*Mismatch, error) {
	if s.Kind != Query || s.Expect == nil {
		return nil, nil
	}
	var o outcome
	answer, err := v.Query(s.Message)
	if o.refusal = cw721.AsError(err); err != nil && o.refusal == nil {
		return nil, err
	}
	o.answer = answer
	miss := s.Expect.compare(o, func(name string) string {
		a, err := v.Resolve(name)
		if err != nil {
			return ""
		}
		return string(a)
	})
	if miss != nil {
		miss.Line, miss.Doing, miss.Message = s.Line, s.Doing(), clip(string(s.Message))
	}
	return miss, nil
}
