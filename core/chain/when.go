package chain

import (
	"cmp"
	"errors"
	"fmt"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
)

// Moment is a moment that is looked at: as things were then, are now, or would be
// were nothing to happen until then.
type Moment struct {
	Block cw721.Block
	// Node is the node of the history after which things stood so; 0 for now
	// and for what lies ahead.
	Node history.ID
	// Enter is the node to go to for that moment, which does not lie after it;
	// 0 where the clock goes there.
	Enter history.ID
}

// lookedBack bounds how far back a moment is searched, in steps.
const lookedBack = 50_000

// ViewAtMoment runs fn over the chain as it was or would be at a moment, and
// changes nothing. It fails with an [*history.UnknownNodeError] for a moment
// that was forgotten meanwhile.
func (c *Chain) ViewAtMoment(w Moment, fn func(*View) error) error {
	return c.View(func(v *View) error {
		then := func(v *View) error { return fn(v.InBlock(w.Block)) }
		if w.Node == 0 {
			return then(v)
		}
		return v.At(w.Node, then)
	})
}

// Now is the moment of the view.
func (v *View) Now() Moment { return Moment{Block: v.Clock.Block()} }

// MomentAt gives the moment at which something expires: ahead at the pace of the
// clock, back on the way that led here. It fails with a [*RangeError], and with a
// [*human.MomentError] for what lies too many steps back or before the beginning
// ([ErrBeforeBeginning]).
func (v *View) MomentAt(e cw721.Expiration) (Moment, error) {
	if now, value, _ := e.NowAndEnd(v.Clock.Block()); value < now {
		return v.whenBack(e)
	}
	to, err := v.Clock.ToExpiry(e, 0)
	return Moment{Block: to.Block()}, err
}

// MomentOfNode gives the moment after a node of the history, on any branch. It
// fails with an [*history.UnknownNodeError].
func (v *View) MomentOfNode(id history.ID) (Moment, error) {
	n, err := v.Node(id)
	if err != nil {
		return Moment{}, err
	}
	w := Moment{Block: cw721.Block{Height: n.Height, Time: n.Time}, Node: id, Enter: id}
	if _, to, ok := ClocksOf(n); ok {
		w.Block = to.Block()
	}
	return w, nil
}

// NextMoment gives the next expiry, or the moment just before it: one block or one
// nanosecond. It fails with [ErrNothingExpires].
func (v *View) NextMoment(before bool) (Moment, error) {
	next, err := v.NextExpiry()
	if err != nil || next == nil {
		return Moment{}, cmp.Or(err, ErrNothingExpires)
	}
	less := uint64(0)
	if before {
		less = 1
	}
	to, err := v.Clock.ToExpiry(next.Expires, less)
	return Moment{Block: to.Block()}, err
}

// ClocksOf reads the clock before and after a move of it; ok is false for a
// node of another kind.
func ClocksOf(n history.Node) (from, to Clock, ok bool) {
	ok = n.Kind == history.KindClock && wire.Decode([]byte(n.Message), &from) == nil && wire.Decode(n.Answer, &to) == nil
	return from, to, ok && checkPace(from.SecondsPerBlock) == nil
}

// during gives the block at which a move of the clock went over a height or a time.
func during(e cw721.Expiration, from, to Clock) cw721.Block {
	if e.Axis == cw721.AtHeight {
		h := min(cw721.Height(e.Value), to.Height)
		return cw721.Block{Height: h, Time: max(from.Time, min(from.At(h), to.Time))}
	}
	t := min(cw721.Time(e.Value), to.Time)
	return cw721.Block{Height: min(from.Height+cw721.Height(uint64(t-from.Time)/from.pace()), to.Height), Time: t}
}

// ErrBeforeBeginning tells that a moment lies before the history begins. What
// fails with it gives the beginning.
var ErrBeforeBeginning = &human.MomentError{Text: "that lies before the beginning of the history"}

// whenBack finds a moment on the way to the head. It fails with
// [ErrBeforeBeginning].
func (v *View) whenBack(e cw721.Expiration) (Moment, error) {
	w, first, err := v.searchBack(e)
	if err == nil && first > e.Value {
		e.Value = first
		w, _, err = v.searchBack(e)
		return w, cmp.Or[error](err, ErrBeforeBeginning)
	}
	return w, err
}

// searchBack walks up to the last node that happened at a value of an axis or
// before it; first is the value of the oldest node that it came to.
func (v *View) searchBack(e cw721.Expiration) (w Moment, first uint64, err error) {
	next := v.Head
	for range lookedBack {
		n, err := v.Node(next)
		if unknown := (*history.UnknownNodeError)(nil); errors.As(err, &unknown) && w.Node != 0 {
			return w, first, nil // what came before was forgotten
		}
		if err != nil {
			return w, first, err
		}
		at := cw721.Block{Height: n.Height, Time: n.Time}
		first, _, _ = e.NowAndEnd(at)
		w = Moment{Node: n.ID, Enter: n.ID, Block: at}
		if first <= e.Value || n.Parent == 0 {
			return w.within(n, e), first, nil
		}
		next = n.Parent
	}
	return w, first, &human.MomentError{Text: fmt.Sprintf("that lies more than %s steps back; go part of the way first", human.Thousands(lookedBack))}
}

// within finds the block that a move of the clock went over.
func (w Moment) within(n history.Node, e cw721.Expiration) Moment {
	from, to, ok := ClocksOf(n)
	began, _, _ := e.NowAndEnd(from.Block())
	ended, _, _ := e.NowAndEnd(to.Block())
	if !ok || e.Value < began {
		return w
	}
	if e.Value < ended && n.Parent != 0 {
		w.Enter = n.Parent
	}
	w.Block = during(e, from, to)
	return w
}
