package reach

import (
	"cmp"
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// MaxActors is how many may send messages in one search, the one who stands for
// everybody else aside.
const MaxActors = 12

// gather finds who may send, and when something expires.
func (s *search) gather(v *chain.View) error {
	var all []party
	var err error
	switch {
	case s.only != nil:
		all = s.only
	case s.about.token:
		all, err = partiesOf(v, s.Token)
	}
	if err == nil && (s.about.minter || s.about.creator) {
		var minter, creator cw721.Ownership
		if minter, creator, err = v.Roles(); err == nil {
			all = append(all, s.roleParties(minter, creator)...)
		}
	}
	if err != nil {
		return err
	}
	if s.As != "" {
		all = slices.Insert(all, 0, party{who: s.As})
	}
	now := v.Clock.Block()
	// Whoever holds nothing that is live is to the contract like anybody, and so
	// is asked about as far as there is room alone.
	var rest []party
	for _, p := range all {
		if p.expires.Expired(now) {
			rest = append(rest, p)
		} else if !s.meet(p) {
			s.answer.Cut = fmt.Sprintf("more than %d accounts could send messages, and only %d of them were tried", MaxActors, MaxActors)
		}
	}
	if s.only == nil && s.about.token {
		for i := 0; i < len(s.actors) && len(s.actors) < MaxActors; i++ {
			for a, err := range v.OperatorsOf(s.actors[i]) {
				if err != nil {
					return err
				}
				if !a.Expires.Expired(now) && !s.meet(party{a.Spender, a.Expires}) {
					break
				}
			}
		}
	}
	for _, p := range rest {
		s.meet(party{who: p.who})
	}
	return nil
}

// party is somebody who is in a record, and until when what is there holds.
type party struct {
	who     cw721.Address
	expires cw721.Expiration
}

// meet takes somebody among the actors who may send; false tells that there is
// no room.
func (s *search) meet(p party) bool {
	if slices.Contains(s.Passive, p.who) {
		return true
	}
	if !slices.Contains(s.actors, p.who) {
		if len(s.actors) == MaxActors {
			return false
		}
		s.actors = append(s.actors, p.who)
	}
	if p.expires.Axis != cw721.Never {
		s.expirations = append(s.expirations, p.expires)
	}
	return true
}

// partiesOf lists who is in a record about a token: its owner, its spenders,
// the operators of its owner.
func partiesOf(v *chain.View, token string) (all []party, err error) {
	t, ok, err := v.Token(token)
	if err != nil || !ok {
		return nil, err
	}
	all = append(all, party{who: t.Owner})
	for _, a := range t.Approvals {
		all = append(all, party{a.Spender, a.Expires})
	}
	for a, err := range v.OperatorsOf(t.Owner) {
		if err != nil {
			return nil, err
		}
		all = append(all, party{a.Spender, a.Expires})
	}
	return all, nil
}

// roleParties lists who holds a role that the question is about, and to whom it
// is offered.
func (s *search) roleParties(minter, creator cw721.Ownership) (all []party) {
	for _, r := range []struct {
		about bool
		role  cw721.Ownership
	}{{s.about.minter, minter}, {s.about.creator, creator}} {
		if r.about && r.role.Owner != nil {
			all = append(all, party{who: *r.role.Owner})
		}
		if r.about && r.role.PendingOwner != nil {
			p := party{who: *r.role.PendingOwner}
			if r.role.PendingExpiry != nil {
				p.expires = *r.role.PendingExpiry
			}
			all = append(all, p)
		}
	}
	return all
}

// moment is a block at which something may be sent, and what expires there; the
// zero Expiration where nothing does.
type moment struct {
	cw721.Block
	expires cw721.Expiration
}

// when lists the moments at which messages are tried: now, After, and wherever
// something expires before Until, along the clock's pace. An expiration that the
// clock can never come to is left out.
func (s *search) when(clock chain.Clock) error {
	now := clock.Block()
	all := []moment{{Block: now}}
	if !s.without.clock {
		for _, e := range s.expirations {
			if to, err := clock.ToEnd(e, 0); err == nil {
				all = append(all, moment{to.Block(), e})
			}
		}
	}
	if s.After != nil && s.After.Time > now.Time {
		all = append(all, moment{Block: *s.After})
	}
	slices.SortStableFunc(all, func(a, b moment) int { return compare(a.Block, b.Block) })
	all = slices.CompactFunc(all, func(a, b moment) bool { return a.Block == b.Block })
	if s.Until != nil {
		all = slices.DeleteFunc(all, func(m moment) bool { return compare(m.Block, *s.Until) >= 0 })
	}
	for s.After != nil && s.first < len(all) && compare(all[s.first].Block, *s.After) < 0 {
		s.first++
	}
	s.moments = all
	if s.first >= len(all) {
		return ErrNoTime
	}
	return nil
}

// compare orders two blocks on the way of the clock, where both axes go up
// together.
func compare(a, b cw721.Block) int {
	if a.Time != b.Time {
		return cmp.Compare(a.Time, b.Time)
	}
	return cmp.Compare(a.Height, b.Height)
}
