package app

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// State is what all screens share. The root owns and changes it; screens read
// it. What is on it comes from one revision of the engine, [Facts].
type State struct {
	Session
	Options
	// HideExpired leaves expired grants out of lists.
	HideExpired bool
	// SendPicture hands the terminal what Kitty's placeholders stand for; nil where
	// it has no placeholders. It runs in a command.
	SendPicture func([]byte) error
	// PicturesFreed counts how often the terminal was told to free what was sent to
	// it: a picture of before has to be sent again.
	PicturesFreed int
	// Flash is what has just expired, while its rows stand out.
	Flash []expiry.Entry
	// Now is when something last happened, for toasts; it is no block time.
	Now time.Time

	Queue *Queue // of what writes to the engine
}

// Session is what belongs to the chain that is shown. A lesson puts another in
// its place, and the one before comes back as it was.
type Session struct {
	Engine Engine
	// Created tells that the engine holds a collection.
	Created bool
	Facts
	// Actor is who acts: every message is sent as this account.
	Actor cw721.Address
	// InMemory tells that what happens is gone when the program ends.
	InMemory bool
	// LastSelection is what was under the cursor of the screen before this one.
	LastSelection Subject
}

// Facts is what the explorer knows of the chain at one revision.
type Facts struct {
	Revision   uint64
	Head       history.ID
	Config     chain.Config
	Clock      chain.Clock
	Collection chain.Collection
	Accounts   []chain.Account
	// Names gives accounts by address.
	Names map[cw721.Address]string
	// Next expires first; nil when nothing will.
	Next *expiry.Entry
	// Marks are the next expiries and the latest ones, for the timeline.
	Marks []expiry.Entry
	// Holdings is how many tokens SeenBy owns, Roles what else it is. For a
	// moment after the actor has changed that is the one before.
	SeenBy   cw721.Address
	Holdings int
	Roles    []string
	// CanUndo tells that something was done since the set-up.
	CanUndo bool
	// Compiled tells that a compiled contract answers, Unreadable in a sentence
	// that its storage cannot be looked into; empty where it can.
	Compiled   bool
	Unreadable string
}

// marksKept is how many expiries of each kind the timeline knows.
const marksKept = 64

// Flashing gives the keys of the rows that stand out; key is that of a grant's row.
func (st *State) Flashing(key func(expiry.Entry) string) map[string]bool {
	keys := map[string]bool{}
	for _, e := range st.Flash {
		keys[key(e)] = true
	}
	return keys
}

// FactsChangedMsg says to the dialogs that the facts have changed.
type FactsChangedMsg struct{}

// ReadFacts reads the facts, seen from an actor. Where there is none yet it is
// the account that is called so, the first, or who has a role.
func ReadFacts(v *chain.View, actor cw721.Address, first string) (f Facts, err error) {
	f = Facts{SeenBy: actor, Revision: v.Revision, Head: v.Head, Config: v.Config, Clock: v.Clock, Names: map[cw721.Address]string{}}
	var faults [7]error
	f.Collection, faults[0] = v.Collection()
	f.Accounts, faults[1] = v.Accounts()
	for _, a := range f.Accounts {
		f.Names[a.Address] = a.Name
	}
	if actor == "" {
		f.SeenBy = f.firstActor(first)
	}
	f.Next, faults[2] = v.NextExpiry()
	f.Marks, faults[3] = readMarks(v)
	f.Holdings, faults[4] = v.Holdings(f.SeenBy)
	f.Roles = RolesOf(f.Collection, f.SeenBy, f.Clock.Block())
	_, f.Compiled, faults[5] = v.Module()
	if err := v.CheckReadable(); errors.As(err, new(*chain.UnreadableError)) {
		f.Unreadable = err.Error()
	} else {
		faults[6] = err
	}
	state, err := v.HistoryState()
	f.CanUndo = state.Head > state.Base
	return f, cmp.Or(append(faults[:], err)...)
}

// firstActor is who acts when nobody has chosen yet: who is called so, if anybody
// is, by name or address.
func (f Facts) firstActor(called string) cw721.Address {
	for _, a := range f.Accounts {
		if a.Name == called || string(a.Address) == called {
			return a.Address
		}
	}
	if len(f.Accounts) > 0 {
		return f.Accounts[0].Address
	}
	if owner := f.Collection.Minter.Owner; owner != nil {
		return *owner
	}
	return f.Config.Self
}

func readMarks(v *chain.View) ([]expiry.Entry, error) {
	coming, _, err := TakeFirst(v.Upcoming(expiry.Index{}), marksKept)
	past, _, err2 := TakeFirst(v.Past(expiry.Index{}), marksKept)
	coming = slices.DeleteFunc(coming, func(e expiry.Entry) bool { return e.Expires.Axis == cw721.Never })
	return append(coming, past...), errors.Join(err, err2)
}

// RolesOf lists the roles that an account holds or is offered in a block.
func RolesOf(c chain.Collection, a cw721.Address, now cw721.Block) (roles []string) {
	for _, r := range []RoleKind{MinterRole, CreatorRole} {
		if owner := r.Of(c).Owner; owner != nil && *owner == a {
			roles = append(roles, r.Name)
		}
	}
	if slices.Contains(c.AdditionalMinters, a) {
		roles = append(roles, "additional minter")
	}
	for _, r := range []RoleKind{MinterRole, CreatorRole} {
		o := r.Of(c)
		switch {
		case o.PendingOwner == nil || *o.PendingOwner != a:
		case o.PendingExpiry != nil && o.PendingExpiry.Expired(now):
			roles = append(roles, r.Name+" offer expired")
		default:
			roles = append(roles, "offered "+r.Name)
		}
	}
	return roles
}

// DisplayName gives what people call an address: its name, or its two ends.
func (f Facts) DisplayName(a cw721.Address) string {
	if name, ok := f.Names[a]; ok {
		return name
	}
	return widget.Middle(string(a), AddressWidth)
}

// AddressWidth is how wide an address without a name is written, in cells.
const AddressWidth = 18

// Block is the block of the clock.
func (st *State) Block() cw721.Block { return st.Clock.Block() }

// HasCollection tells whether there is a collection to show.
func (st *State) HasCollection() bool { return st.Engine != nil && st.Revision > 0 }

// IsTrial tells that what is tried in the collection that is shown never reaches
// its database.
func (st *State) IsTrial() bool { return st.ReadOnly && !st.InMemory }

// RoleKind is one of the two roles that can be handed on.
type RoleKind struct {
	Name  string
	Grant cw721.GrantKind // of its offers
	Of    func(chain.Collection) cw721.Ownership
	Wraps func(cw721.OwnershipAction) cw721.ExecuteMsg
}

// The role of who may mint, and of who may change the collection (spec §3).
var (
	MinterRole = RoleKind{"minter", cw721.GrantMinterOffer, func(c chain.Collection) cw721.Ownership { return c.Minter },
		func(a cw721.OwnershipAction) cw721.ExecuteMsg {
			return &cw721.UpdateMinterOwnership{OwnershipAction: a}
		}}
	CreatorRole = RoleKind{"creator", cw721.GrantCreatorOffer, func(c chain.Collection) cw721.Ownership { return c.Creator },
		func(a cw721.OwnershipAction) cw721.ExecuteMsg {
			return &cw721.UpdateCreatorOwnership{OwnershipAction: a}
		}}
)
