package chain

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// View reads the chain as it is at one moment, in one transaction. It is valid only inside
// the function that gets it, and only in one goroutine.
type View struct {
	Config        // with the rules and the flavour that are in force
	expiry.Reader // the grants that expire after the clock
	Book          // the accounts that have names

	Clock    Clock
	Revision uint64
	// Head is the node of the history whose state the view shows.
	Head history.ID
	// LogLines holds the first lines that a compiled contract logged in the last query.
	LogLines []string
	// IgnoredMembers are the members of the last query that the contract ignored.
	IgnoredMembers []cw721.IgnoredMember

	// Layout is how the contract stores the collection's records. It is [cw721.CurrentLayout]
	// if the storage has no known layout; see [View.CheckReadable].
	Layout         *cw721.Layout
	isReadable     bool       // whether the storage has a known layout
	creationConfig Config     // the config that the chain was made with
	hasCollection  bool       // whether there is a collection
	store          kv.Reader  // the whole store
	storeParts                // the parts of the store
	names          *nameCache // of addresses; shared with the views of other blocks
	modules        *modules   // runs compiled contracts
}

// nameCache keeps the names of addresses that a view has read, so that each is read once.
type nameCache struct {
	byAddress map[cw721.Address]string // "" for an address without a name
	firstErr  error                    // the first error of the store when a name was read
}

// setClock sets the clock of the view, and the reader of grants, for which the clock's block
// decides what has expired.
func (v *View) setClock(clock Clock) {
	v.Clock = clock
	undatedUntil := v.UndatedUntil
	v.Reader = expiry.NewReader(v.expiry, v.Layout, clock.Block(), clock.EstimateTimeAt)
	v.UndatedUntil = undatedUntil
}

// View calls fn with a view of the chain as it is now. It returns the error of fn, and fails
// with [ErrNoCollection] if there is no chain.
func (c *Chain) View(fn func(*View) error) error {
	config, err := c.existingConfig()
	if err != nil {
		return err
	}
	return c.db.View(func(reader kv.Reader) error {
		return callWithView(reader, config, c.modules, fn)
	})
}

// Viewer calls functions with views of a chain, as [*Chain] does.
type Viewer interface {
	View(func(*View) error) error
}

// Read calls read with a view of the chain, and returns what read returns. It is for
// functions with a result, for which [Viewer.View] has no place.
func Read[T any](from Viewer, read func(*View) (T, error)) (result T, err error) {
	err = from.View(func(view *View) (err error) {
		result, err = read(view)
		return err
	})
	return result, err
}

// callWithView calls fn with a view of the chain in store, and returns the error of fn. If fn
// did not fail, it returns the first error of the store in [View.NameOf], which cannot return
// one itself. creationConfig is the config that the chain was made with.
func callWithView(
	store kv.Reader,
	creationConfig Config,
	modules *modules,
	fn func(*View) error,
) error {
	view, err := newView(store, creationConfig, modules)
	if err != nil {
		return err
	}
	state, err := history.Load(view.history)
	if err != nil {
		return err
	}
	view.Revision = state.Revision
	view.Head = state.Head

	_, datesGrants, err := view.meta.Get(datesGrantsKey)
	if err != nil {
		return err
	}
	if !datesGrants {
		view.UndatedUntil = undatedUntil(view.history)
	}
	err = fn(view)
	return cmp.Or(err, view.names.firstErr)
}

// newView returns a view of the chain in store. It does not read the history, so it leaves
// Revision, Head and UndatedUntil empty. creationConfig is the config that the chain was made with.
func newView(store kv.Reader, creationConfig Config, modules *modules) (*View, error) {
	configInForce, err := modules.configIn(store, creationConfig)
	if err != nil {
		return nil, err
	}
	view := &View{
		Config:         configInForce,
		creationConfig: creationConfig,
		store:          store,
		storeParts:     readParts(store),
		names:          &nameCache{byAddress: map[cw721.Address]string{}},
		modules:        modules,
	}
	view.Book = storedBook(view.Prefix, view.accounts)

	// Find out in which layout the contract stores its records.
	view.Layout, view.isReadable, err = modules.layoutIn(view.records, view.Rules)
	if err != nil {
		return nil, err
	}

	currentBlock, err := loadBlockState(view.meta)
	if err != nil {
		return nil, err
	}
	view.hasCollection = currentBlock.hasCollection
	view.setClock(currentBlock.Clock)
	return view, nil
}

// undatedUntil returns [expiry.Reader.UndatedUntil] for a chain that an older program made. The
// index of such a chain has the block of the import for imported grants. The history begins
// with the import, or after it if it was pruned. If the history cannot be read, it is not known
// when any grant was given.
func undatedUntil(nodes kv.Reader) cw721.Block {
	state, err := history.Load(nodes)
	oldest, nodeErr := history.Get(nodes, max(state.Oldest, 1))
	switch {
	case cmp.Or(err, nodeErr) != nil:
		return cw721.Block{Height: math.MaxUint64, Time: math.MaxUint64}
	case state.Oldest == 0 && oldest.Kind != history.KindImport:
		return cw721.Block{}
	}
	return oldest.Block()
}

// ViewAt is [View.At] over the chain as it is now.
func (c *Chain) ViewAt(id history.ID, fn func(*View) error) error {
	return c.View(func(view *View) error { return view.At(id, fn) })
}

// At calls fn with a view of the chain as it was after a node of the history. It changes
// nothing in the store. It reads the changes of all nodes between this node and the head, so
// a distant node takes longer. It fails with an [*history.UnknownNodeError] if there is no
// such node.
func (v *View) At(id history.ID, fn func(*View) error) error {
	// Go there by undo and redo, in an overlay that is never written to the store.
	trialSession := newSession(kv.NewOverlay(v.store), v.Config, v.modules)
	txn, err := newWalkTxn(trialSession)
	if err != nil {
		return err
	}
	if err := txn.goToNode(id); err != nil {
		return err
	}
	return callWithView(trialSession.store, v.creationConfig, trialSession.modules, fn)
}

// InBlock returns a view of the same state in another block, as if no message were executed
// between the two blocks. The two views can differ only in which grants have expired.
func (v *View) InBlock(block cw721.Block) *View {
	clock := Clock{
		Height:          block.Height,
		Time:            block.Time,
		SecondsPerBlock: v.Clock.SecondsPerBlock,
	}
	viewInBlock := *v
	viewInBlock.setClock(clock)
	return &viewInBlock
}

// Preview returns what an execute message would do in the block of the view. It writes
// nothing to the store. It fails as [Chain.Execute] does.
func (v *View) Preview(sender cw721.Address, msg []byte) (Receipt, error) {
	trialSession := newSession(kv.NewOverlay(v.store), v.Config, v.modules.forPreviews())
	receipt, err := v.run(trialSession, sender, msg)
	v.modules.reportLayoutAgain(receipt.Difference)
	return receipt.withoutNode(), err
}

// run executes an execute message in a session, in the block of the view.
func (v *View) run(s *session, sender cw721.Address, msg []byte) (Receipt, error) {
	// The view may be of another block than the stored one.
	currentBlock := blockState{v.Clock, v.hasCollection}
	if err := blockStateItem.Save(s.meta, currentBlock); err != nil {
		return Receipt{}, err
	}
	return s.run(executeOperation, sender, msg)
}

// TimedMessage is a message together with its sender and the block to execute it in.
type TimedMessage struct {
	Block   cw721.Block
	Sender  cw721.Address
	Message []byte
}

// TryMessages executes messages one after the other, each on the state that the ones before
// have left. It writes nothing to the store, and does not deliver the messages that the
// contract sends. It stops at the first message that is refused, and returns how many were
// executed before it, and the refusal. A message that takes a compiled contract too much time
// or memory counts as refused.
func (v *View) TryMessages(
	messages []TimedMessage,
) (executedCount int, refusal *cw721.Error, err error) {
	return v.TryThen(messages, nil)
}

// TryThen is [View.TryMessages]. If all messages are executed, it also calls fn, which can be
// nil, with a view of the state that they leave, in the block of v. It returns the error of fn.
func (v *View) TryThen(
	messages []TimedMessage,
	fn func(*View) error,
) (executedCount int, refusal *cw721.Error, err error) {
	// Run the messages in an overlay. SkipsDelivery means that outgoing messages are not
	// delivered.
	trialSession := newSession(kv.NewOverlay(v.store), v.Config, v.modules.forPreviews())
	trialSession.SkipsDelivery = true
	for i, message := range messages {
		// Each message has a block of its own.
		viewInBlock := v.InBlock(message.Block)
		receipt, err := viewInBlock.run(trialSession, message.Sender, message.Message)

		// A message that takes too much time or memory would be refused on a chain.
		var limit *wasm.LimitError
		if errors.As(err, &limit) {
			return i, &cw721.Error{Kind: KindLimit, Text: limit.Text}, nil
		}
		if err != nil {
			return i, nil, err
		}
		if receipt.Refusal != nil {
			return i, receipt.Refusal, nil
		}
	}
	if fn != nil {
		read := func(view *View) error { return fn(view.InBlock(v.Clock.Block())) }
		err = callWithView(trialSession.store, v.creationConfig, trialSession.modules, read)
	}
	return len(messages), nil, err
}

// DecodeExecute decodes an execute message in JSON, and replaces "$names" in it by the
// addresses of the accounts. It fails with a [*cw721.Error] of kind parse for an invalid
// message, with a [*wire.UnknownNameError] for an unknown name, and with the store's errors.
func (v *View) DecodeExecute(text []byte) (cw721.ExecuteMsg, error) {
	var storeErr error
	msg, _, err := v.Contract().DecodeExecute(text, v.nameLookup(&storeErr))
	return msg, cmp.Or(storeErr, err)
}

// Code returns the code that executes the messages of the built-in contract: the contract
// itself, or the mutant of [Options.Mutate].
func (v *View) Code() Code { return v.modules.builtInCode(v.Contract()) }

// env returns what a contract learns about a call in the view: the block of the view and its
// own address.
func (v *View) env() cw721.Env { return cw721.Env{Block: v.Clock.Block(), Self: v.Self} }

// HasCollection reports whether there is a collection. There is one after the instantiate
// message, or after an import.
func (v *View) HasCollection() bool { return v.hasCollection }

// Query returns the contract's answer to a query, as JSON. It replaces the "$names" in the
// query by addresses, and sets LogLines to what the contract logs and IgnoredMembers to what it ignores.
//
// Query fails with [ErrNoCollection] if there is no collection, with a [*cw721.Error] if
// the contract refuses the query, and with a [*wire.UnknownNameError] for an unknown name.
// If the compiled contract and the built-in one are compared and answer differently, it
// returns the compiled contract's answer and a [*DifferenceError].
func (v *View) Query(text []byte) ([]byte, error) {
	if !v.hasCollection {
		return nil, ErrNoCollection
	}
	code, err := v.modules.contract(v.store, v.Config)
	if err != nil {
		return nil, err
	}
	msg, err := readMessage(code, queryMessage, text, v.Book)
	if err != nil {
		return nil, err
	}

	// Keep only the log lines of this query.
	v.LogLines = nil
	v.IgnoredMembers = msg.IgnoredMembers
	code = withLog(code, &v.LogLines)
	if compiledCode, isCompiled := code.(compiled); isCompiled && v.modules.Compare {
		return v.compareQuery(compiledCode, msg)
	}
	return code.Query(v.records, v.env(), msg)
}

// Query returns the contract's answer to a query, as [View.Query] does, on the chain as it is
// now. It reads no history, so it takes little longer than the contract itself.
func (c *Chain) Query(text []byte) (answer []byte, err error) {
	config, err := c.existingConfig()
	if err != nil {
		return nil, err
	}
	err = c.db.View(func(reader kv.Reader) error {
		view, err := newView(reader, config, c.modules)
		if err != nil {
			return err
		}
		answer, err = view.Query(text)
		return err
	})
	return answer, err
}

// Collection has the properties of a collection, such as its name and its roles, together
// with its additional minters.
type Collection struct {
	cw721.Collection
	// AdditionalMinters may mint besides the minter. Rules before v0.22.0 have none.
	AdditionalMinters []cw721.Address
}

// Collection reads the collection's name, roles and other properties. If a compiled contract
// stores them in an unknown layout, the result has only a name, which is that of the
// contract's file. Collection fails with [ErrNoCollection] if there is no collection.
func (v *View) Collection() (Collection, error) {
	// Of an unreadable collection, only the file of its contract is known.
	var unreadable *UnreadableError
	if v.hasCollection && errors.As(v.CheckReadable(), &unreadable) {
		var nameOnly Collection
		nameOnly.Name = unreadable.File
		return nameOnly, nil
	}

	// Read the records under the keys that the layout has for them.
	collection, exists, err := v.Layout.LoadCollection(v.records)
	if err != nil {
		return Collection{}, err
	}
	if !exists {
		return Collection{}, ErrNoCollection
	}
	minters, err := v.AdditionalMinters()
	return Collection{Collection: collection, AdditionalMinters: minters}, err
}

// AdditionalMinters returns the accounts that may mint besides the minter, sorted by address.
// There are none if the rules in force do not have additional minters.
func (v *View) AdditionalMinters() ([]cw721.Address, error) {
	// An imported collection may store some nevertheless.
	if !v.Rules.HasAdditionalMinters() {
		return nil, nil
	}
	return cw721.LoadAdditionalMinters(v.records, nil, cw721.MaxLimit)
}

// Accounts returns the accounts that have names, in the order of their names.
func (v *View) Accounts() ([]Account, error) {
	accounts := []Account{}
	for record, err := range AccountsByName.All(v.accounts, nil, kv.Walk{}) {
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, record.Value)
	}
	return accounts, nil
}

// NameOf returns the name of an address, or "" if it has none. NameOf returns no error. If
// the store fails, the call that made the view, such as [Chain.View], returns the error.
func (v *View) NameOf(address cw721.Address) string {
	name, isCached := v.names.byAddress[address]
	if isCached {
		return name
	}
	name, _, err := NamesByAddress.Load(v.accounts, address)
	v.names.byAddress[address] = name
	v.names.firstErr = cmp.Or(v.names.firstErr, err)
	return name
}

// NameAccount gives an address a name that only this view and views made from it know.
func (v *View) NameAccount(address cw721.Address, name string) { v.names.byAddress[address] = name }

// Holdings returns how many tokens an account owns.
func (v *View) Holdings(owner cw721.Address) (int, error) {
	return expiry.Holdings(v.expiry, owner)
}

// Decide decides by the rules in force whether a sender may send an execute message in the
// block of the view. If a compiled contract does the opposite, its answer replaces the
// decision.
//
// Decide fails with a [*cw721.Error] if the contract refuses the message before a decision,
// for example because there is no such token. It fails with an [*UnreadableError] or a
// [*NoRulesError] if it cannot read the records or does not know the rules.
func (v *View) Decide(sender cw721.Address, msg cw721.ExecuteMsg) (*cw721.Decision, error) {
	if err := v.CheckReadable(); err != nil {
		return nil, err
	}
	if err := v.CheckRules(); err != nil {
		return nil, err
	}
	info := cw721.Info{Sender: sender}
	decision, err := v.Contract().Decide(v.records, v.env(), info, msg)
	if err != nil {
		return nil, err
	}

	// Correct the decision if a compiled contract does something else.
	return decision, v.correctDecision(decision, msg)
}

// DisplayName returns what people read for an address: its name, such as "alice", or the
// address itself if it has none.
func (v *View) DisplayName(address cw721.Address) string {
	return cmp.Or(v.NameOf(address), string(address))
}

// DisplayNames returns what people read for each of several addresses; nil for none.
func (v *View) DisplayNames(addresses []cw721.Address) (names []string) {
	for _, address := range addresses {
		names = append(names, v.DisplayName(address))
	}
	return names
}

// WithNames replaces each address in a text by the name of its account, if it has one. For
// example, "owned by cosmos1…" becomes "owned by alice".
func (v *View) WithNames(text string) (string, error) {
	accounts, err := v.Accounts()
	if err != nil {
		return text, err
	}
	for _, account := range accounts {
		text = strings.ReplaceAll(text, string(account.Address), account.Name)
	}
	return text, nil
}

// Roles returns the minter and the creator, with the accounts that the roles are offered to.
func (v *View) Roles() (minter, creator cw721.Ownership, err error) {
	return v.Layout.LoadRoles(v.records)
}
