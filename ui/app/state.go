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

// State is what all screens and dialogs share. Only the root changes it.
type State struct {
	Session
	Options
	// HideExpired leaves expired grants out of lists.
	HideExpired bool
	// SendPicture sends the terminal the pictures that its placeholders show; nil
	// if the terminal has no placeholders. It runs in a command.
	SendPicture func([]byte) error
	// PicturesFreed counts how often the terminal was told to free its pictures.
	// After that they must be sent again.
	PicturesFreed int
	// Flash holds the grants that have just expired, while their rows stand out.
	Flash []expiry.Entry
	// Now is the time of day of the last message, for notices. It is no block time.
	Now time.Time
	// Queue holds the writes to the engine.
	Queue *Queue
}

// Session is what belongs to the chain that is shown. A lesson replaces it, and
// the end of the lesson brings it back.
type Session struct {
	Engine Engine
	// Created means that the engine has a collection.
	Created bool
	Facts
	// Actor is the account that sends every message.
	Actor cw721.Address
	// InMemory means that the chain is gone when the program ends.
	InMemory bool
	// HasMistake means that the contract is wrong in one rule, which the learner is to find.
	// Previews and explanations then go by the rule book, the contract as it should be.
	HasMistake bool
	// Locked is asked by [State.LockReason]; nil if nothing ever locks. A lesson locks its
	// chain while a question is open.
	Locked func() error
	// LastSelection is what was under the cursor of the screen before this one.
	LastSelection Subject
}

// Facts is what all screens share of the chain at one revision, which is the state after
// one write: the clock, the accounts, and what the actor has.
type Facts struct {
	Revision   uint64     // counts the writes; 0 before the facts were read
	Head       history.ID // the node of the history that the chain is at
	Config     chain.Config
	Clock      chain.Clock
	Collection chain.Collection
	Layout     *cw721.Layout // see [chain.View.Layout]
	Accounts   []chain.Account
	// Names are the names of the accounts by address.
	Names map[cw721.Address]string
	// Next is the grant that expires next; nil if none will.
	Next *expiry.Entry
	// ExpireWithNext is the number of other grants that expire at the same height or time
	// as Next; [MaxExpireWithNext] means that many or more.
	ExpireWithNext int
	// Lanes counts the grants that have not expired, for the lanes of the clock.
	Lanes expiry.Lanes
	// SeenBy is the account that Holdings and Roles are about. It is not the actor
	// until the facts are read again after a change of the actor.
	SeenBy   cw721.Address
	Holdings int // the number of tokens that SeenBy owns
	Roles    []string
	History  history.State
	// CanUndo means that there is something to undo.
	CanUndo bool
	// Compiled means that a compiled contract runs. Unreadable says in a sentence
	// why its storage cannot be decoded; empty if it can.
	Compiled   bool
	Unreadable string
	// NoRules says in a sentence that no rule set is known for the contract, so that no
	// permission is judged; empty if there is one.
	NoRules string
}

// FactsChangedMsg is sent to the dialogs when the facts have changed, so that a form
// previews its message again.
type FactsChangedMsg struct{}

// ReadFacts reads what all screens share of a revision of the chain, for an actor. If
// actor is empty, the account whose name or address is first becomes the actor; if there
// is no such account, the first one of the chain. It fails with the first error of its
// readings, in the order in which they are made.
func ReadFacts(v *chain.View, actor cw721.Address, first string) (f Facts, err error) {
	f = Facts{SeenBy: actor, Revision: v.Revision, Head: v.Head, Config: v.Config, Clock: v.Clock, Layout: v.Layout, Names: map[cw721.Address]string{}}
	var errs [8]error
	f.Collection, errs[0] = v.Collection()
	f.Accounts, errs[1] = v.Accounts()
	for _, a := range f.Accounts {
		f.Names[a.Address] = a.Name
	}
	if actor == "" {
		f.SeenBy = f.firstActor(first)
	}
	f.Next, f.ExpireWithNext, errs[2] = readNextExpiry(v)
	f.Lanes, errs[3] = v.CountLanes(v.Clock.SecondsPerBlock)
	f.Holdings, errs[4] = v.Holdings(f.SeenBy)
	f.Roles = RolesOf(f.Collection, f.SeenBy, f.Clock.Block())
	_, f.Compiled, errs[5] = v.Module()
	if err := v.CheckReadable(); errors.As(err, new(*chain.UnreadableError)) {
		f.Unreadable = err.Error()
	} else {
		errs[6] = err
	}
	if err := v.CheckRules(); err != nil {
		f.NoRules = err.Error()
	}
	f.History, errs[7] = v.HistoryState()
	f.CanUndo = f.History.Head > f.History.SetupEnd
	return f, cmp.Or(errs[:]...)
}

// firstActor returns the actor until the user chooses one: the account with a
// name or address, the first account, the minter, or the contract itself.
func (f Facts) firstActor(nameOrAddress string) cw721.Address {
	for _, a := range f.Accounts {
		if a.Name == nameOrAddress || string(a.Address) == nameOrAddress {
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

// MaxExpireWithNext is the largest number of [Facts.ExpireWithNext].
const MaxExpireWithNext = 99

// readNextExpiry returns the grant that expires next, and the number of other grants that
// expire at the same height or time. next is nil if no grant will expire.
func readNextExpiry(v *chain.View) (next *expiry.Entry, others int, err error) {
	next, err = v.NextExpiry()
	if err != nil || next == nil {
		return nil, 0, err
	}
	end := next.Expires
	atOnce, _, err := TakeFirst(v.ExpiringBetween(end.Axis, end.Value, end.Value), MaxExpireWithNext+1)
	return next, len(atOnce) - 1, err
}

// Flashing returns the keys of the table rows that stand out for a moment because their
// grants have just expired. rowKey returns the key of a grant's row in the table.
func (st *State) Flashing(rowKey func(expiry.Entry) string) map[string]bool {
	keys := map[string]bool{}
	for _, e := range st.Flash {
		keys[rowKey(e)] = true
	}
	return keys
}

// AddressWidth is the width of an address without a name, in cells.
const AddressWidth = 18

// DisplayName returns the name of an account, or the two ends of its address.
func (f Facts) DisplayName(a cw721.Address) string {
	if name, ok := f.Names[a]; ok {
		return name
	}
	return widget.ElideMiddle(string(a), AddressWidth)
}

// Block returns the block of the clock.
func (st *State) Block() cw721.Block { return st.Clock.Block() }

// HasCollection reports whether there is a collection to show.
func (st *State) HasCollection() bool { return st.Engine != nil && st.Revision > 0 }

// IsTrial reports whether changes are tried but not written to the database.
func (st *State) IsTrial() bool { return st.ReadOnly && !st.InMemory }

// RoleKind is one of the two roles that can be handed on.
type RoleKind struct {
	Name  string
	Grant cw721.GrantKind // the kind of its offers
	// Of returns who holds the role in a collection, and to whom it is offered.
	Of func(chain.Collection) cw721.Ownership
	// Message returns the message that offers, accepts or renounces the role.
	Message func(cw721.OwnershipAction) cw721.ExecuteMsg
}

// The minter may mint, and the creator may change the collection (spec §3).
var (
	MinterRole = RoleKind{
		Name:  "minter",
		Grant: cw721.GrantMinterOffer,
		Of:    func(c chain.Collection) cw721.Ownership { return c.Minter },
		Message: func(a cw721.OwnershipAction) cw721.ExecuteMsg {
			return &cw721.UpdateMinterOwnership{OwnershipAction: a}
		},
	}
	CreatorRole = RoleKind{
		Name:  "creator",
		Grant: cw721.GrantCreatorOffer,
		Of:    func(c chain.Collection) cw721.Ownership { return c.Creator },
		Message: func(a cw721.OwnershipAction) cw721.ExecuteMsg {
			return &cw721.UpdateCreatorOwnership{OwnershipAction: a}
		},
	}
)

// RolesOf lists the roles of an account in a block: those it holds, such as "minter", and
// those it is offered, such as "offered creator" or "minter offer expired".
func RolesOf(c chain.Collection, a cw721.Address, now cw721.Block) (roles []string) {
	kinds := []RoleKind{MinterRole, CreatorRole}

	// First the roles that the account holds, then those that it is offered.
	for _, kind := range kinds {
		if owner := kind.Of(c).Owner; owner != nil && *owner == a {
			roles = append(roles, kind.Name)
		}
	}
	if slices.Contains(c.AdditionalMinters, a) {
		roles = append(roles, "additional minter")
	}
	for _, kind := range kinds {
		role := kind.Of(c)
		if role.PendingOwner == nil || *role.PendingOwner != a {
			continue
		}
		if role.PendingExpiry != nil && role.PendingExpiry.Expired(now) {
			roles = append(roles, kind.Name+" offer expired")
		} else {
			roles = append(roles, "offered "+kind.Name)
		}
	}
	return roles
}

// ByRuleBook returns the title of something that shows what the contract would do, such as a
// preview. If the contract has a mistake to be found, the title says that this is the rule
// book and not the contract.
func (s *Session) ByRuleBook(title string) string {
	if !s.HasMistake {
		return title
	}
	return title + " · by the rule book"
}
