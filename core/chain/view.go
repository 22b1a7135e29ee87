package chain

import (
	"cmp"
	"errors"
	"strings"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// View is the chain at one moment: everything read from it belongs together.
// It holds only inside the function that it is handed to, and serves one
// goroutine.
type View struct {
	Config        // with the rules and the flavour that are in force
	expiry.Reader // what expires, seen from the clock
	Book          // the accounts that have names

	Clock    Clock
	Revision uint64
	// Head is the node of the history that the view shows.
	Head history.ID
	// Debug is what a compiled contract logged in the last query, the first lines.
	Debug []string

	made       Config // what the chain was made with
	collection bool   // whether there is one
	t          kv.Reader
	contract   kv.Reader // the part that nearly every question is about
	names      *names
	modules    *modules
}

// names keeps the names that were asked for, and why one could not be read.
type names struct {
	of    map[cw721.Address]string
	fault error
}

func (v *View) history() kv.Reader  { return kv.PrefixedReader(v.t, historyPart) }
func (v *View) expiry() kv.Reader   { return kv.PrefixedReader(v.t, expiryPart) }
func (v *View) accounts() kv.Reader { return kv.PrefixedReader(v.t, accountPart) }
func (v *View) meta() kv.Reader     { return kv.PrefixedReader(v.t, metaPart) }

// setClock shows the chain in the block of a clock.
func (v *View) setClock(clock Clock) {
	v.Clock = clock
	v.Reader = expiry.NewReader(v.expiry(), clock.Block(), clock.At)
}

// View runs fn over the chain as it is now. It fails with [ErrNoCollection]
// when there is none.
func (c *Chain) View(fn func(*View) error) error {
	cfg, err := c.mustConfig()
	if err != nil {
		return err
	}
	return c.db.View(func(r kv.Reader) error {
		return show(r, cfg, c.modules, fn)
	})
}

// Viewer is a chain as those see it who only look.
type Viewer interface {
	View(func(*View) error) error
}

// Read gives what a function reads in one view.
func Read[T any](from Viewer, read func(*View) (T, error)) (found T, err error) {
	err = from.View(func(v *View) (err error) {
		found, err = read(v)
		return err
	})
	return found, err
}

// show runs fn over a view of the chain in t. made is what the chain was made with. show
// fails with the errors of fn, and if a name could not be read.
func show(t kv.Reader, made Config, m *modules, fn func(*View) error) error {
	v, err := newView(t, made, m)
	if err != nil {
		return err
	}
	return cmp.Or(fn(v), v.names.fault)
}

// newView returns a view of the chain in t. made is what the chain was made with.
func newView(t kv.Reader, made Config, m *modules) (*View, error) {
	inForce, err := m.configIn(t, made)
	if err != nil {
		return nil, err
	}
	v := &View{
		Config:   inForce,
		made:     made,
		t:        t,
		contract: kv.PrefixedReader(t, contractPart),
		names:    &names{of: map[cw721.Address]string{}},
		modules:  m,
	}
	v.Book = storedBook(v.Prefix, v.accounts())

	now, err := loadBlockState(v.meta())
	if err != nil {
		return nil, err
	}
	v.collection = now.collection
	v.setClock(now.Clock)

	state, err := history.Load(v.history())
	if err != nil {
		return nil, err
	}
	v.Revision = state.Revision
	v.Head = state.Head
	return v, nil
}

// ViewAt is [View.At] over the chain as it is now.
func (c *Chain) ViewAt(id history.ID, fn func(*View) error) error {
	return c.View(func(v *View) error { return v.At(id, fn) })
}

// At runs fn over the chain as it was after a node of the history, and changes
// nothing. It reads all nodes between that node and the head. It fails with an
// [*history.UnknownNodeError].
func (v *View) At(id history.ID, fn func(*View) error) error {
	s := newSession(kv.NewOverlay(v.t), v.Config, v.modules)
	b, err := newWalkBatch(s)
	if err != nil {
		return err
	}
	if err := b.goTo(id); err != nil {
		return err
	}
	return show(s.t, v.made, s.modules, fn)
}

// InBlock is the same chain in another block, were nothing to happen until then.
func (v *View) InBlock(b cw721.Block) *View {
	other := *v
	other.setClock(Clock{Height: b.Height, Time: b.Time, SecondsPerBlock: v.Clock.SecondsPerBlock})
	return &other
}

// Preview tells what an execute message would do in the block of the view, and
// leaves nothing behind.
func (v *View) Preview(sender cw721.Address, msg []byte) (r Receipt, err error) {
	s := newSession(kv.NewOverlay(v.t), v.Config, v.modules)
	if err := blockStateItem.Save(s.meta, blockState{v.Clock, v.collection}); err != nil {
		return r, err
	}
	r, err = s.run(executeStep, sender, msg)
	r.Node, r.Revision = 0, 0
	return r, err
}

// TimedMessage is a message with its sender and its block.
type TimedMessage struct {
	Block   cw721.Block
	Sender  cw721.Address
	Message []byte
}

// TryMessages carries out messages one after the other and leaves nothing behind.
// It stops at the first that is refused, or at which a compiled contract takes too
// much time or memory; carried is how many were before it. What they send to other
// contracts is taken for delivered.
func (v *View) TryMessages(all []TimedMessage) (carried int, refusal *cw721.Error, err error) {
	s := newSession(kv.NewOverlay(v.t), v.Config, v.modules)
	s.Record = true
	for i, m := range all {
		now := blockState{v.InBlock(m.Block).Clock, v.collection}
		if err := blockStateItem.Save(s.meta, now); err != nil {
			return i, nil, err
		}
		r, err := s.run(executeStep, m.Sender, m.Message)
		if stopped := (*wasm.LimitError)(nil); errors.As(err, &stopped) {
			r.Refusal, err = &cw721.Error{Kind: KindLimit, Text: stopped.Text}, nil
		}
		if err != nil || r.Refusal != nil {
			return i, r.Refusal, err
		}
	}
	return len(all), nil, nil
}

// DecodeExecute reads an execute message, names in it looked up. It fails as
// [View.Query] does.
func (v *View) DecodeExecute(msg []byte) (cw721.ExecuteMsg, error) {
	var fault error
	m, _, err := v.Contract().DecodeExecute(msg, v.lookup(&fault))
	return m, cmp.Or(fault, err)
}

// env is what the contract is told about the moment of the view.
func (v *View) env() cw721.Env { return cw721.Env{Block: v.Clock.Block(), Self: v.Self} }

// HasCollection tells whether there is a collection: the instantiate message was carried
// out, or a storage imported.
func (v *View) HasCollection() bool { return v.collection }

// Query returns the contract's answer to a query, as JSON. It resolves the "$names" in the
// query. It fails with [ErrNoCollection] before the instantiate message, with a
// [*cw721.Error] if the contract refuses the query, with a [*wire.UnknownNameError] for an
// unknown name, and with a [*DifferenceError] if the compiled contract and the built-in one
// are compared and answer differently. Query sets Debug.
func (v *View) Query(text []byte) ([]byte, error) {
	if !v.collection {
		return nil, ErrNoCollection
	}
	code, err := v.modules.contract(v.t, v.Config)
	if err != nil {
		return nil, err
	}
	msg, err := readMessage(code, queryMessage, text, v.Book)
	if err != nil {
		return nil, err
	}

	v.Debug = nil
	code = logging(code, &v.Debug)
	if binary, isCompiled := code.(compiled); isCompiled && v.modules.Compare {
		return v.compareQuery(binary, msg)
	}
	return code.Query(v.contract, v.env(), msg)
}

// Query is [View.Query] on the chain as it is now.
func (c *Chain) Query(text []byte) ([]byte, error) {
	return Read(c, func(v *View) ([]byte, error) { return v.Query(text) })
}

// Collection is a [cw721.Collection] with who may mint besides the minter, which is
// nobody under rules before v0.22.0.
type Collection struct {
	cw721.Collection
	AdditionalMinters []cw721.Address
}

// Collection reads what the collection is. Of a compiled contract whose storage
// cannot be read it gives the file's name alone. It fails with [ErrNoCollection]
// before the instantiate message.
func (v *View) Collection() (c Collection, err error) {
	if unreadable := (*UnreadableError)(nil); errors.As(v.CheckReadable(), &unreadable) && v.collection {
		c.Name = unreadable.File
		return c, nil
	}
	var ok bool
	if c.Collection, ok, err = cw721.LoadCollection(v.contract); err != nil || !ok {
		return c, cmp.Or(err, ErrNoCollection)
	}
	c.AdditionalMinters, err = v.AdditionalMinters()
	return c, err
}

// AdditionalMinters lists who may mint besides the minter, by address.
func (v *View) AdditionalMinters() ([]cw721.Address, error) {
	if !v.Rules.HasAdditionalMinters() {
		return nil, nil // an imported collection may hold some that do not count
	}
	return cw721.LoadAdditionalMinters(v.contract, nil, cw721.MaxLimit)
}

// Accounts lists the accounts that have names, by name.
func (v *View) Accounts() ([]Account, error) {
	all := []Account{}
	for rec, err := range AccountsByName.All(v.accounts(), nil, kv.Walk{}) {
		if err != nil {
			return nil, err
		}
		all = append(all, rec.Value)
	}
	return all, nil
}

// NameOf gives an address's name; "" when it has none. Where it cannot be read,
// what shows the view fails in the end.
func (v *View) NameOf(a cw721.Address) string {
	name, known := v.names.of[a]
	if !known {
		var err error
		name, _, err = NamesByAddress.Load(v.accounts(), a)
		v.names.of[a], v.names.fault = name, cmp.Or(v.names.fault, err)
	}
	return name
}

// NameAccount gives an address a name in this view alone.
func (v *View) NameAccount(a cw721.Address, name string) { v.names.of[a] = name }

// Holdings tells how many tokens an account owns.
func (v *View) Holdings(owner cw721.Address) (int, error) { return expiry.Holdings(v.expiry(), owner) }

// Decide gives the decision that executing msg for an account would make in
// the moment of the view. It fails with a [*cw721.Error] where no decision is
// reached, as for a token that is not there, and with an [*UnreadableError].
func (v *View) Decide(who cw721.Address, msg cw721.ExecuteMsg) (*cw721.Decision, error) {
	if err := v.CheckReadable(); err != nil {
		return nil, err
	}
	return v.Contract().Decide(v.contract, v.env(), cw721.Info{Sender: who}, msg)
}

// DisplayName gives what people call an address: its name, or the address.
func (v *View) DisplayName(a cw721.Address) string {
	if name := v.NameOf(a); name != "" {
		return name
	}
	return string(a)
}

// WithNames gives a text with names in the place of addresses.
func (v *View) WithNames(text string) (string, error) {
	all, err := v.Accounts()
	for _, a := range all {
		text = strings.ReplaceAll(text, string(a.Address), a.Name)
	}
	return text, err
}

// Roles reads who is minter and who is creator, and whom the roles are offered
// to.
func (v *View) Roles() (minter, creator cw721.Ownership, err error) {
	return cw721.LoadRoles(v.contract)
}
