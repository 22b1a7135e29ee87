package chain

import (
	"cmp"
	"math"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// View reads the chain as it is at one moment, in one transaction. It is valid only inside
// the function that gets it, and only in one goroutine.
type View struct {
	transaction[kv.Reader]
	expiry.Reader // the grants that expire after the clock
	Book          // the accounts that have names

	Clock    Clock
	Revision uint64
	Head     history.ID // the node of the history whose state the view shows
	LogLines []string   // the first lines that a compiled contract logged in the last query
	// IgnoredMembers are the members of the last query that the contract ignored.
	IgnoredMembers []cw721.IgnoredMember

	// Layout is how the contract stores the collection's records. It is [cw721.CurrentLayout]
	// if the storage has no known layout; see [View.CheckReadable].
	Layout         *cw721.Layout
	isReadable     bool       // whether the storage has a known layout
	creationConfig Config     // the config that the chain was made with
	hasCollection  bool       // whether there is a collection
	names          *nameCache // of addresses; shared with the views of other blocks
}

// setClock sets the clock of the view, and the reader of grants that depends on it.
func (v *View) setClock(clock Clock) {
	v.Clock = clock
	undatedUntil := v.UndatedUntil
	v.Reader = expiry.NewReader(v.expiry, v.Layout, clock.Block(), clock.EstimateTimeAt)
	v.UndatedUntil = undatedUntil
}

// View calls fn with a view of the chain as it is now, and returns its error.
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

// Read is [Viewer.View] for functions with a result.
func Read[T any](from Viewer, read func(*View) (T, error)) (result T, err error) {
	err = from.View(func(view *View) (err error) {
		result, err = read(view)
		return err
	})
	return result, err
}

// callWithView calls fn with a view of the chain in store, and returns its error or the first one
// in [View.NameOf].
func callWithView(store kv.Reader, creationConfig Config, modules *modules, fn func(*View) error) error {
	view, err := newView(store, creationConfig, modules)
	if err != nil {
		return err
	}
	view.setClock(view.Clock)
	view.names = &nameCache{byAddress: map[cw721.Address]string{}}
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

// newView returns a view that is enough for a query. It lacks what depends on the history, the
// reader of grants and the names of addresses.
func newView(store kv.Reader, creationConfig Config, modules *modules) (*View, error) {
	configInForce, err := modules.configIn(store, creationConfig)
	if err != nil {
		return nil, err
	}
	view := &View{
		transaction:    transaction[kv.Reader]{configInForce, partsOf(store, kv.PrefixedReader), modules},
		creationConfig: creationConfig,
	}
	view.Book = storedBook(view.Prefix, view.accounts)

	view.Layout, view.isReadable, err = view.layout()
	if err != nil {
		return nil, err
	}

	currentBlock, err := loadBlockState(view.meta)
	if err != nil {
		return nil, err
	}
	view.hasCollection = currentBlock.hasCollection
	view.Clock = currentBlock.Clock
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

// At calls fn with a view of the chain as it was after a node of the history. It reads the
// changes of all nodes between this node and the head, so a distant node takes longer. It
// fails with an [*history.UnknownNodeError].
func (v *View) At(id history.ID, fn func(*View) error) error {
	// Go there by undo and redo, in an overlay that is never written to the store.
	trialSession := newSession(kv.NewOverlay(v.store), v.Config, v.modules)
	txn, err := newWalkTxn(trialSession)
	if err != nil {
		return err
	}
	path, err := txn.pathTo(id)
	if err != nil {
		return err
	}
	for _, v := range path {
		if err := txn.undoOrRedo(v); err != nil {
			return err
		}
	}
	if err := txn.write(); err != nil {
		return err
	}
	return callWithView(trialSession.store, v.creationConfig, trialSession.modules, fn)
}

// InBlock returns a view of the same state in another block, as if no message were executed
// between the two blocks. The two views can differ only in which grants have expired.
func (v *View) InBlock(block cw721.Block) *View {
	clock := v.Clock
	clock.Height = block.Height
	clock.Time = block.Time
	viewInBlock := *v
	viewInBlock.setClock(clock)
	return &viewInBlock
}
