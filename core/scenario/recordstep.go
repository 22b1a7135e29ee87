package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// clockMove is how far the clock went, over one node of the history or several that
// follow each other.
type clockMove struct{ from, to chain.Clock }

func (m *clockMove) add(n history.Node) error {
	from, to, ok := chain.ClocksOf(n)
	if !ok {
		return &RecordError{fmt.Sprintf("the clock move of node %d cannot be read", n.ID)}
	}
	if m.to.SecondsPerBlock == 0 {
		m.from = from
	}
	m.to = to
	return nil
}

// addTo writes the move into a step: as an advance where that leads to the same
// block, else as the block.
func (m *clockMove) addTo(s *Step) {
	if m.to.SecondsPerBlock == 0 {
		return
	}
	blocks, ns := uint64(m.to.Height-m.from.Height), uint64(m.to.Time-m.from.Time)
	for _, by := range []Advance{{Blocks: blocks}, {Time: time.Duration(ns)}} {
		from := m.from
		from.SecondsPerBlock = chain.DefaultSecondsPerBlock // what a scenario's chain has
		reached, err := from.Forward(by.Blocks, by.Time)
		if by.Time >= 0 && err == nil && reached.Block() == m.to.Block() {
			s.Advance = &by
			*m = clockMove{}
			return
		}
	}
	to := m.to.Block()
	s.At = &At{Height: &to.Height, Time: &to.Time}
	*m = clockMove{}
}

// messageStep tells one message.
func (r *recording) messageStep(n history.Node) Step {
	if why := r.whyUnrecordable(n); why != "" {
		return Step{Note: fmt.Sprintf("Here a message was refused (%s). It changed nothing, and a scenario cannot hold it: %s.", n.Refusal.Kind, why)}
	}
	s := Step{As: string(n.Sender), Kind: Kind(n.Kind), Message: r.messageWithNames(n)}
	if name := r.names[n.Sender]; name != "" {
		s.As = name
	}
	switch {
	case n.Refusal != nil:
		s.Expect = expectRefusal(n.Refusal.Kind, n.Refusal.Text)
	case r.part.FullAnswers:
		s.Expect = &Expect{Answer: n.Answer}
	default:
		s.Expect = &Expect{}
	}
	return s
}

// messageWithNames gives a node's message with "$name" for addresses, where the contract
// reads both alike.
func (r *recording) messageWithNames(n history.Node) []byte {
	raw := []byte(n.Message)
	named := []byte(r.addressNames.Replace(n.Message))
	meant, err := Kind(n.Kind).Decode(r.v.Contract(), raw, nil)
	read, errNamed := Kind(n.Kind).Decode(r.v.Contract(), named, r.book)
	if err != nil || errNamed != nil || meant == nil || !bytes.Equal(cw721.Encode(meant), cw721.Encode(read)) {
		return raw
	}
	return named
}

// whyUnrecordable says why a message cannot stand in a file; "" for those that can. All
// such messages were refused.
func (r *recording) whyUnrecordable(n history.Node) string {
	if n.Refusal == nil {
		return ""
	}
	if !jsontext.Value(n.Message).IsValid(jsontext.AllowDuplicateNames(true)) {
		return "it is not JSON"
	}
	_, err := Kind(n.Kind).Decode(r.v.Contract(), []byte(n.Message), r.book)
	if unknown, ok := errors.AsType[*wire.UnknownNameError](err); ok {
		return fmt.Sprintf("nobody is named %q any more", unknown.Name)
	}
	return ""
}
