package chain

import (
	"iter"

	"ephemera/core/chain/agenda"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Token is a token with its id.
type Token struct {
	ID string
	cw721.Token
}

// Token reads one token; ok is false when there is none of that id.
func (v *View) Token(id string) (t Token, ok bool, err error) {
	t.ID = id
	t.Token, ok, err = cw721.LoadToken(v.contract, id)
	return t, ok, err
}

// Tokens walks tokens in the byte order of their ids: all of them, or those of
// an owner.
func (v *View) Tokens(owner cw721.Address, w cw721.Walk) iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) {
		if owner == "" {
			for rec, err := range cw721.Tokens(v.contract, w) {
				if !yield(Token{rec.Key, rec.Value}, err) || err != nil {
					return
				}
			}
			return
		}
		for id, err := range cw721.TokenIDsOf(v.contract, owner, w) {
			t := Token{ID: id}
			if err == nil {
				t, _, err = v.Token(id)
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// OperatorsOf walks an owner's operators, ended grants too.
func (v *View) OperatorsOf(owner cw721.Address) iter.Seq2[cw721.Approval, error] {
	return cw721.OperatorsOf(v.contract, owner, cw721.Walk{})
}

// NextEnd gives what ends next; nil when nothing will.
func (v *View) NextEnd() (*agenda.Entry, error) {
	e, ok, err := agenda.Next(v.agenda(), v.Clock.Block(), v.Clock.At)
	if !ok {
		return nil, err
	}
	return &e, err
}

// Upcoming walks the grants of an index that have not ended, soonest first.
func (v *View) Upcoming(i agenda.Index) iter.Seq2[agenda.Entry, error] {
	return i.Upcoming(v.agenda(), v.Clock.Block(), v.Clock.At)
}

// Past walks the grants of an index that have ended, latest first.
func (v *View) Past(i agenda.Index) iter.Seq2[agenda.Entry, error] {
	return i.Past(v.agenda(), v.Clock.Block())
}

// Grants walks all grants of an index: by height, by time, then endless ones.
func (v *View) Grants(i agenda.Index) iter.Seq2[agenda.Entry, error] { return i.All(v.agenda()) }

// GrantsOnTokens walks all approvals by token, from an id on.
func (v *View) GrantsOnTokens(from string) iter.Seq2[agenda.Entry, error] {
	return agenda.OnTokens(v.agenda(), from)
}

// List walks a part of a list of grants, seen from the clock.
func (v *View) List(l agenda.List, w agenda.Walk) iter.Seq2[agenda.Entry, error] {
	return l.Walk(v.agenda(), v.Clock.Block(), v.Clock.At, w)
}

// Ending walks what ends on one axis with from ≤ end ≤ to.
func (v *View) Ending(axis cw721.Axis, from, to uint64) iter.Seq2[agenda.Entry, error] {
	return (agenda.Index{}).Ending(v.agenda(), axis, from, to)
}

// History walks the nodes of the history by number, youngest first, from one
// (inclusive) on; 0 is the youngest.
func (v *View) History(from history.ID) iter.Seq2[history.Node, error] {
	return func(yield func(history.Node, error) bool) {
		for id, err := range history.Walk(v.history(), from) {
			var n history.Node
			if err == nil {
				n, err = history.Get(v.history(), id)
			}
			if !yield(n, err) || err != nil {
				return
			}
		}
	}
}

// HistoryState tells where the history stands.
func (v *View) HistoryState() (history.State, error) { return history.Load(v.history()) }

// Node reads one node of the history.
func (v *View) Node(id history.ID) (history.Node, error) { return history.Get(v.history(), id) }

// Children lists the nodes right below one.
func (v *View) Children(id history.ID) (ids []history.ID, err error) {
	for child, err := range history.Children(v.history(), id) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, child)
	}
	return ids, nil
}

// ChangesOf reads what a node changed of the contract's records, keys as the
// contract has them.
func (v *View) ChangesOf(id history.ID) ([]kv.Change, error) {
	all, err := history.Changes(v.history(), id)
	return contractChanges(all), err
}

// Snapshots lists the names on nodes.
func (v *View) Snapshots() ([]history.Name, error) { return history.Names(v.history()) }

// Decide gives the decision that executing msg for an account would make in
// the moment of the view. It fails with a [*cw721.Error] where no decision is
// reached, as for a token that is not there.
func (v *View) Decide(who cw721.Address, msg cw721.ExecuteMsg) (*cw721.Decision, error) {
	return v.Contract().Decide(v.contract, v.env(), cw721.Info{Sender: who}, msg)
}
