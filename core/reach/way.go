package reach

import (
	"bytes"

	"ephemera/core/cw721"
)

// addWay takes up the way to a state and the act on it, unless a shorter one
// does the same with some of its messages.
func (s *search) addWay(n *node, h hit) error {
	way, err := s.way(n, h)
	if err != nil {
		return err
	}
	for _, shorter := range s.answer.Ways {
		if within(shorter, way) {
			return nil
		}
	}
	s.answer.Ways = append(s.answer.Ways, way)
	return nil
}

// way goes the way again and asks at each step which rule lets it pass.
func (s *search) way(n *node, h hit) (steps []Step, err error) {
	if n.parent != nil {
		if steps, err = s.way(n.parent, hit{n.by, n.at}); err != nil {
			return nil, err
		}
	}
	t, err := newTrial(s.base, n.state)
	if err != nil {
		return nil, err
	}
	d, err := s.decide(t, *h.act, h.at)
	if err != nil {
		return nil, err
	}
	step := Step{Block: s.moments[h.at].Block, As: h.act.by, Message: h.act.msg}
	for _, c := range d.Checks {
		if c.Passed {
			step.Check = c
		}
	}
	return append(steps, step), nil
}

// within tells whether a way holds all messages of a shorter one, in its order.
func within(shorter, way []Step) bool {
	i := 0
	for _, step := range way {
		if i < len(shorter) && shorter[i].same(step) {
			i++
		}
	}
	return i == len(shorter)
}

func (s Step) same(t Step) bool {
	return s.As == t.As && bytes.Equal(cw721.Encode(s.Message), cw721.Encode(t.Message))
}
