package chain

import (
	"cmp"
	"time"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Move is what a move of the clock did.
type Move struct {
	From, To Clock
	// Expired is what had expired after the move and not before, in the order of
	// expiry on each axis.
	Expired []expiry.Entry
	// HasMoreExpired tells that more expired than are listed.
	HasMoreExpired bool
	// Next is what expires next; nil when nothing will.
	Next *expiry.Entry
	// Node is its place in the history; 0 when the clock stayed where it was.
	Node     history.ID
	Revision uint64
}

// expiredShown is how many expired grants a [Move] lists.
const expiredShown = 1000

// ClockStep says how far to move. The zero ClockStep goes nowhere. Of several ways that
// are given, an exact axis goes first, then the next expiry, then an amount.
type ClockStep struct {
	Blocks   uint64
	Duration time.Duration
	// Height and Time set an axis exactly.
	Height *cw721.Height
	Time   *cw721.Time
	// ToNext goes to the next expiry, Before to just before it: one block or one
	// nanosecond.
	ToNext, Before bool
	// Joins is the node of a move that this one goes on: the ticks of one play
	// are one node. A new node is made where that one cannot go on: it is not
	// the head, or something came after it, or it has a name.
	Joins history.ID
}

// Advance moves the clock. It fails with a [*RangeError], [ErrNothingExpires] or
// [ErrJustBefore].
func (c *Chain) Advance(step ClockStep) (Move, error) {
	return change(c, func(s *session) (Move, error) { return s.advance(step) })
}

func (s *session) advance(step ClockStep) (m Move, err error) {
	from, err := loadBlockState(s.meta)
	if err != nil {
		return m, err
	}
	m.From = from.Clock
	if m.To, err = s.target(m.From, step); err != nil {
		return m, err
	}
	err = s.move(&m, from, step)
	return m, err
}

// move takes the clock where m says. A move that goes nowhere leaves nothing.
func (s *session) move(m *Move, from blockState, step ClockStep) error {
	state, err := history.Load(s.history)
	if err != nil {
		return err
	}
	if m.Revision = state.Revision; m.To != m.From {
		to := blockState{m.To, from.collection}
		change := kv.Change{Key: append(metaPart[:1:1], blockStateItem.Key()...), Old: from.encode(), New: to.encode()}
		if err := blockStateItem.Save(s.meta, to); err != nil {
			return err
		}
		if err := s.rememberMove(m, state, step, change); err != nil {
			return err
		}
	}
	return s.look(m)
}

// rememberMove adds a move of the clock to the history, or to the play that it
// goes on.
func (s *session) rememberMove(m *Move, state history.State, step ClockStep, change kv.Change) error {
	n, began, err := s.joined(state, step.Joins)
	if err != nil {
		return err
	}
	if began != nil {
		change.Old = began.Old
		n.Answer = wire.Encode(m.To)
		err = history.Amend(s.history, n, []kv.Change{change})
	} else {
		n, err = state.Append(s.history, history.Node{
			Kind: history.KindClock, Height: m.From.Height, Time: m.From.Time,
			Message: string(wire.Encode(m.From)), Answer: wire.Encode(m.To),
		}, []kv.Change{change})
	}
	if err != nil {
		return err
	}
	state.Revision++
	m.Node, m.Revision = n.ID, state.Revision
	return state.Save(s.history)
}

// joined gives the play that a move goes on, with what it changed; began is
// nil where there is none that can go on.
func (s *session) joined(state history.State, id history.ID) (n history.Node, began *kv.Change, err error) {
	if open, err := state.CanAmend(s.history, id); err != nil || !open {
		return n, nil, err
	}
	if n, err = history.Get(s.history, id); err != nil || n.Kind != history.KindClock {
		return n, nil, err
	}
	changes, err := history.Changes(s.history, id)
	if err != nil || len(changes) != 1 {
		return n, nil, err
	}
	return n, &changes[0], nil
}

func (s *session) target(from Clock, step ClockStep) (Clock, error) {
	if !step.ToNext && !step.Before || step.Height != nil || step.Time != nil {
		return from.After(step)
	}
	next, err := expiry.NewReader(s.expiry, from.Block(), from.At).NextExpiry()
	if err != nil || next == nil {
		return from, cmp.Or(err, ErrNothingExpires)
	}
	if !step.Before {
		return from.ToExpiry(next.Expires, 0)
	}
	if now, end, _ := next.Expires.NowAndEnd(from.Block()); now+1 == end {
		return from, ErrJustBefore
	}
	return from.ToExpiry(next.Expires, 1)
}

// look fills in what expired and what expires next.
func (s *session) look(m *Move) (err error) {
	now := expiry.NewReader(s.expiry, m.To.Block(), m.To.At)
	for e, err := range now.Expired(m.From.Block()) {
		if err != nil {
			return err
		}
		if len(m.Expired) == expiredShown {
			m.HasMoreExpired = true
			break
		}
		m.Expired = append(m.Expired, e)
	}
	m.Next, err = now.NextExpiry()
	return err
}

// SetPace sets how many seconds a block takes from now on. It fails with a
// [*RangeError].
func (c *Chain) SetPace(seconds uint64) (m Move, err error) {
	if err := checkPace(seconds); err != nil {
		return m, err
	}
	err = c.update(func(s *session) error {
		from, err := loadBlockState(s.meta)
		if err != nil {
			return err
		}
		m.From, m.To = from.Clock, from.Clock
		m.To.SecondsPerBlock = seconds
		return s.move(&m, from, ClockStep{})
	})
	return m, err
}
