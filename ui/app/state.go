package app

import (
	"errors"
	"slices"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// State is what all screens and dialogs share. Only the explorer's model changes it.
type State struct {
	Session
	Options
	HideExpired bool // leaves expired grants out of lists
	// SendPicture sends the terminal the pictures that its placeholders show; nil
	// if the terminal has no placeholders. It runs in a command.
	SendPicture func([]byte) error
	// PicturesFreed counts how often the terminal was told to free its pictures.
	// After that they must be sent again.
	PicturesFreed int
	Flash         []expiry.Entry // the grants that have just expired, while their rows stand out
	// Now is the time of day at the last message, for notices. It is not the block time.
	Now   time.Time
	Queue *Queue // the writes to the engine
	// NewAccounts are added to the address book before the next message is sent. Only the
	// copy of the state that a form works with has any.
	NewAccounts []chain.Account
}

// Session is the part of the state that belongs to the chain that is shown. A lesson
// replaces it by a session of its own. At the end of the lesson, the user's session comes
// back.
type Session struct {
	Engine  Engine
	Created bool // the engine has a collection
	Facts
	Actor     cw721.Address // the account that sends every message
	ActsFirst string        // the name or address of the account that acts until the user chooses one
	InMemory  bool          // the chain is gone when the program ends
	// HasMistake means that the contract is wrong in one rule, which the learner is to find.
	// Previews and explanations then go by the rule book, the contract as it should be.
	HasMistake bool
	// CheckLock returns an error if nothing may be changed now; see [State.LockReason]. A
	// lesson locks its chain while a question is open. CheckLock is nil for a chain that is
	// never locked.
	CheckLock     func() error
	LastSelection Subject // what was under the cursor of the screen before this one
}

// Facts holds what all screens share about the chain. All of it is of one revision, which is the
// state of the chain after one write.
type Facts struct {
	Revision   uint64     // counts the writes; 0 before the facts were read
	Head       history.ID // the node of the history that the chain is at
	Config     chain.Config
	Clock      chain.Clock
	Collection chain.Collection
	Layout     *cw721.Layout // see [chain.View.Layout]
	Accounts   []chain.Account
	Names      map[cw721.Address]string // the names of the accounts by address
	Next       *expiry.Entry            // the grant that expires next; nil if none will
	// CountExpiringWithNext is the number of other grants that expire at the same height or
	// time as Next; [MaxExpiringWithNext] means that many or more.
	CountExpiringWithNext int
	Lanes                 expiry.Lanes // counts the grants that have not expired, for the lanes of the clock
	// FactsActor is the account that Holdings and Roles are about. After a change of the
	// actor, it is still the previous actor until the facts are read again.
	FactsActor cw721.Address
	Holdings   int // the number of tokens that FactsActor owns
	Roles      []string
	History    history.State
	CanUndo    bool // there is something to undo
	Compiled   bool // a compiled contract runs, and not the built-in one
	// UnreadableReason says why the contract's storage cannot be decoded; empty if it can.
	UnreadableReason string
	// NoRulesReason says that no rule set is known for the contract, so that its decisions
	// cannot be explained; empty if a rule set is known.
	NoRulesReason string
}

// FactsChangedMsg is sent to the dialogs when the facts have changed, so that a form
// previews its message again.
type FactsChangedMsg struct{}

// ReadFacts reads the facts for an actor. If actor is empty, it chooses one; see
// [Facts.firstActor].
func ReadFacts(view *chain.View, actor cw721.Address, preferredActor string) (facts Facts, err error) {
	facts = Facts{
		FactsActor: actor,
		Revision:   view.Revision,
		Head:       view.Head,
		Config:     view.Config,
		Clock:      view.Clock,
		Layout:     view.Layout,
		Names:      map[cw721.Address]string{},
	}

	// Read the collection and the accounts, and choose the actor among them.
	facts.Collection, err = view.Collection()
	if err != nil {
		return facts, err
	}
	facts.Accounts, err = view.Accounts()
	if err != nil {
		return facts, err
	}
	for _, account := range facts.Accounts {
		facts.Names[account.Address] = account.Name
	}
	if actor == "" {
		facts.FactsActor = facts.firstActor(preferredActor)
	}
	facts.Roles = RolesOf(facts.Collection, facts.FactsActor, facts.Clock.Block())

	// Read what will expire, and how many tokens the actor owns.
	facts.Next, facts.CountExpiringWithNext, err = readNextExpiry(view)
	if err != nil {
		return facts, err
	}
	facts.Lanes, err = view.CountLanes(view.Clock.SecondsPerBlock)
	if err != nil {
		return facts, err
	}
	facts.Holdings, err = view.Holdings(facts.FactsActor)
	if err != nil {
		return facts, err
	}

	// Read what is known of the contract. A storage that cannot be decoded is a fact and no
	// failure.
	_, facts.Compiled, err = view.Module()
	if err != nil {
		return facts, err
	}
	if err := view.CheckRules(); err != nil {
		facts.NoRulesReason = err.Error()
	}
	err = view.CheckReadable()
	switch {
	case errors.As(err, new(*chain.UnreadableError)):
		facts.UnreadableReason = err.Error()
	case err != nil:
		return facts, err
	}
	facts.History, err = view.HistoryState()
	facts.CanUndo = facts.History.Head > facts.History.SetupEnd
	return facts, err
}

// firstActor returns the account that acts until the user chooses one: the account with the
// given name or address, or else the first account of the chain, the minter, or the contract.
func (f Facts) firstActor(nameOrAddress string) cw721.Address {
	for _, account := range f.Accounts {
		if account.Name == nameOrAddress || string(account.Address) == nameOrAddress {
			return account.Address
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

// MaxExpiringWithNext is the largest number of [Facts.CountExpiringWithNext].
const MaxExpiringWithNext = 99

// readNextExpiry returns the grant that expires next. otherCount is the number of others
// that expire at the same height or time, at most [MaxExpiringWithNext]. next is nil if no
// grant will expire.
func readNextExpiry(view *chain.View) (next *expiry.Entry, otherCount int, err error) {
	next, err = view.NextExpiry()
	if err != nil || next == nil {
		return nil, 0, err
	}

	// Count the grants that expire at the same moment, including next itself.
	soonest := next.Expires
	atSameMoment := view.ExpiringBetween(soonest.Axis, soonest.Value, soonest.Value)
	expiringTogether, _, err := ReadAtMost(atSameMoment, MaxExpiringWithNext+1)
	if err != nil {
		return nil, 0, err
	}
	return next, len(expiringTogether) - 1, nil
}

// FlashingRowKeys returns the keys of the table rows that are highlighted for a moment,
// because their grants have just expired. rowKey returns the key of a grant's row in the
// table.
func (st *State) FlashingRowKeys(rowKey func(expiry.Entry) string) map[string]bool {
	keys := map[string]bool{}
	for _, entry := range st.Flash {
		keys[rowKey(entry)] = true
	}
	return keys
}

// The widths of an address without a name, in cells. The narrowest list of tokens has room for
// no more than NarrowAddress.
const (
	AddressWidth  = 18
	NarrowAddress = 7
)

// DisplayName returns the name of an account. For an account without a name, it returns the
// address without its middle.
func (f Facts) DisplayName(address cw721.Address) string {
	if name := f.Names[address]; name != "" {
		return name
	}
	return widget.Shorten(string(address), AddressWidth)
}

// Block returns the block of the clock.
func (st *State) Block() cw721.Block { return st.Clock.Block() }

// HasCollection reports whether there is a collection to show.
func (st *State) HasCollection() bool { return st.Engine != nil && st.Revision > 0 }

// IsTrial reports whether changes are tried but not written to the database.
func (st *State) IsTrial() bool { return st.ReadOnly && !st.InMemory }

// RoleKind describes one of the two roles that their holder can offer to another account.
type RoleKind struct {
	Name  string          // such as "minter"
	Grant cw721.GrantKind // the kind of grant that an offer of the role is
	// OwnershipIn returns who holds the role in a collection, and to whom it is offered.
	OwnershipIn func(chain.Collection) cw721.Ownership
}

// Message returns the message that offers, accepts or renounces the role.
func (k RoleKind) Message(action cw721.OwnershipAction) cw721.ExecuteMsg {
	return cw721.RoleMessage(cw721.Rule(k.Name), action)
}

// The two roles that can be offered. The minter may mint, and the creator may change the
// collection (spec §3).
var (
	MinterRole = RoleKind{
		Name:        "minter",
		Grant:       cw721.GrantMinterOffer,
		OwnershipIn: func(collection chain.Collection) cw721.Ownership { return collection.Minter },
	}
	CreatorRole = RoleKind{
		Name:        "creator",
		Grant:       cw721.GrantCreatorOffer,
		OwnershipIn: func(collection chain.Collection) cw721.Ownership { return collection.Creator },
	}
)

// RolesOf lists the roles of an account in a block: those that it holds, such as "minter", and
// then those that it is offered, such as "offered creator" or "minter offer expired".
func RolesOf(collection chain.Collection, address cw721.Address, block cw721.Block) (roles []string) {
	roleKinds := []RoleKind{MinterRole, CreatorRole}

	for _, kind := range roleKinds {
		if owner := kind.OwnershipIn(collection).Owner; owner != nil && *owner == address {
			roles = append(roles, kind.Name)
		}
	}
	if slices.Contains(collection.AdditionalMinters, address) {
		roles = append(roles, "additional minter")
	}
	for _, kind := range roleKinds {
		ownership := kind.OwnershipIn(collection)
		isOffered := ownership.PendingOwner != nil && *ownership.PendingOwner == address
		isTooLate := ownership.PendingExpiry != nil && ownership.PendingExpiry.HasExpired(block)
		switch {
		case isOffered && isTooLate:
			roles = append(roles, kind.Name+" offer expired")
		case isOffered:
			roles = append(roles, "offered "+kind.Name)
		}
	}
	return roles
}

// WithRuleBookNote returns the title of something that shows what the contract would do,
// such as a preview. In some lessons, the contract has a mistake that the learner must
// find. The preview then follows the rule book and not the contract, and the title says so.
func (s *Session) WithRuleBookNote(title string) string {
	if !s.HasMistake {
		return title
	}
	return title + " · by the rule book"
}
