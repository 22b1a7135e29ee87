package chaintest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Walker takes random steps on a chain and remembers the state that every node
// of the history came to.
type Walker struct {
	*World
	Rules cw721.Rules
	R     *rapid.T
	// was is the state at each node; the instantiation is the first.
	was   map[history.ID]map[string]string
	names map[string]history.ID
	play  history.ID
	// reopen closes the store and opens it again, where that means something.
	reopen func() kv.DB
}

// NewWalker gives a walker on a new collection. reopen, which can be nil, closes
// the store and opens it again.
func NewWalker(r *rapid.T, db kv.DB, reopen func() kv.DB) *Walker {
	rules := rapid.SampledFrom(cw721.AllRules()).Draw(r, "rules")
	flavour := rapid.SampledFrom([]cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase}).Draw(r, "flavour")
	w := &Walker{World: Under(r, db, rules, flavour), Rules: rules, R: r, was: map[history.ID]map[string]string{}, names: map[string]history.ID{}, reopen: reopen}
	Must(w.C.AddAccount("market", "", chain.ReceiverAccepts))(r)
	Must(w.C.AddAccount("grumpy", "", chain.ReceiverRejects))(r)
	w.was[w.Head()] = w.State()
	return w
}

// Pick draws one of several texts.
func (w *Walker) Pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(w.R, label)
}

// Who draws one of [People].
func (w *Walker) Who() string { return w.Pick("who", People...) }

// Token draws an id.
func (w *Walker) Token() string { return w.Pick("token", "1", "2", "3", "a\u0000", "4") }
func (w *Walker) expires() string {
	c := w.Clock()
	n := rapid.Uint64Range(0, 6).Draw(w.R, "ahead")
	switch w.Pick("axis", "height", "time", "never") {
	case "height":
		return fmt.Sprintf(`{"at_height":%d}`, uint64(c.Height)+n)
	case "time":
		return fmt.Sprintf(`{"at_time":"%d"}`, uint64(c.Time)+n*5e9)
	}
	return `{"never":{}}`
}

func (w *Walker) message() string {
	switch w.Pick("message", "mint", "mint", "transfer", "approve", "approve", "revoke", "approve_all", "revoke_all", "burn", "send", "offer", "accept", "rename", "minters", "broken") {
	case "minters": // which only one rule set has
		return fmt.Sprintf(`{"%s_minter":{"minter":"$%s"}}`, w.Pick("change", "add", "remove"), w.Who())
	case "mint":
		return fmt.Sprintf(`{"mint":{"token_id":%s,"owner":"$%s"}}`, quoted(w.Token()), w.Who())
	case "transfer":
		return fmt.Sprintf(`{"transfer_nft":{"recipient":"$%s","token_id":%s}}`, w.Who(), quoted(w.Token()))
	case "approve":
		return fmt.Sprintf(`{"approve":{"spender":"$%s","token_id":%s,"expires":%s}}`, w.Who(), quoted(w.Token()), w.expires())
	case "revoke":
		return fmt.Sprintf(`{"revoke":{"spender":"$%s","token_id":%s}}`, w.Who(), quoted(w.Token()))
	case "approve_all":
		return fmt.Sprintf(`{"approve_all":{"operator":"$%s","expires":%s}}`, w.Who(), w.expires())
	case "revoke_all":
		return fmt.Sprintf(`{"revoke_all":{"operator":"$%s"}}`, w.Who())
	case "burn":
		return fmt.Sprintf(`{"burn":{"token_id":%s}}`, quoted(w.Token()))
	case "send":
		return fmt.Sprintf(`{"send_nft":{"contract":"$%s","token_id":%s,"msg":""}}`, w.Pick("to", "market", "grumpy", "bob"), quoted(w.Token()))
	case "offer":
		role := w.Pick("role", "minter", "creator")
		return fmt.Sprintf(`{"update_%s_ownership":{"transfer_ownership":{"new_owner":"$%s","expiry":%s}}}`, role, w.Who(), w.expires())
	case "accept":
		return fmt.Sprintf(`{"update_%s_ownership":"accept_ownership"}`, w.Pick("role", "minter", "creator"))
	case "rename":
		return fmt.Sprintf(`{"update_collection_info":{"collection_info":{"name":"%d"}}}`, rapid.IntRange(0, 99).Draw(w.R, "name"))
	}
	return w.Pick("broken", "", "{", `{"burn":{}}`, `{"none":{}}`)
}

func quoted(s string) string { return string(cw721.Encode(s)) }

// came notes what a new node came to.
func (w *Walker) came(id history.ID) {
	if _, known := w.was[id]; known {
		w.R.Fatalf("node %d was there already", id)
	}
	w.was[id] = w.State()
}

// Execute sends a message of anyone and holds that a refusal changes nothing.
func (w *Walker) Execute(*rapid.T) {
	before := w.State()
	r := w.Run(w.Who(), "%s", w.message())
	if r.Refusal != nil {
		Same(w.R, "the state after a refusal", before, w.State())
	}
	w.came(r.Node)
}

// Advance moves the clock.
func (w *Walker) Advance(*rapid.T) {
	step := chain.ClockStep{Blocks: rapid.Uint64Range(0, 3).Draw(w.R, "blocks"), Duration: time.Duration(rapid.Int64Range(0, 12e9).Draw(w.R, "nanos"))}
	switch w.Pick("how", "by", "next", "before", "join") {
	case "next":
		step = chain.ClockStep{ToNext: true}
	case "before":
		step = chain.ClockStep{StopsBefore: true}
	case "join":
		step.JoinedNode = w.play
	}
	m, err := w.C.Advance(step)
	if err != nil || m.Node == 0 {
		return // nothing ends, or it goes nowhere
	}
	if m.Node == step.JoinedNode {
		w.was[m.Node] = w.State()
	} else {
		w.came(m.Node)
	}
	w.play = m.Node
}

func (w *Walker) pace(*rapid.T) {
	m := Must(w.C.SetPace(rapid.Uint64Range(1, 9).Draw(w.R, "pace")))(w.R)
	if m.Node != 0 {
		w.came(m.Node)
	}
}

// here holds the state to what it was when the head was made.
func (w *Walker) here() {
	Same(w.R, fmt.Sprintf("the state at node %d", w.Head()), w.was[w.Head()], w.State())
}

func (w *Walker) undo(*rapid.T) {
	before, head := w.State(), w.Head()
	u, err := w.C.Undo(rapid.IntRange(1, 4).Draw(w.R, "steps"))
	if err != nil {
		Same(w.R, "the state after nothing was undone", before, w.State())
		return
	}
	w.here()
	if rapid.Bool().Draw(w.R, "and back") {
		Must(w.C.Redo(len(u.Nodes)))(w.R)
		Same(w.R, "the state after undo and redo", before, w.State())
		Same(w.R, "the head after undo and redo", head, w.Head())
	}
}

func (w *Walker) redo(*rapid.T) {
	if _, err := w.C.Redo(rapid.IntRange(1, 4).Draw(w.R, "steps")); err == nil {
		w.here()
	}
}

func (w *Walker) goTo(*rapid.T) {
	id := history.ID(rapid.IntRange(1, len(w.was)).Draw(w.R, "node"))
	Same(w.R, "the head", id, Must(w.C.Goto(fmt.Sprint(id)))(w.R).Head)
	w.here()
}

func (w *Walker) look(*rapid.T) {
	id := history.ID(rapid.IntRange(1, len(w.was)).Draw(w.R, "node"))
	before := w.Everything()
	OK(w.R, w.C.ViewAt(id, func(v *chain.View) error { CheckDerived(w.R, v); return nil }))
	Same(w.R, "the store after a look back", before, w.Everything())
}

func (w *Walker) snapshot(*rapid.T) {
	name := w.Pick("name", "x", "y", "z")
	if at, taken := w.names[name]; taken {
		Same(w.R, "where a name leads", at, Must(w.C.Goto(name))(w.R).Head)
		w.here()
		return
	}
	w.names[name] = Must(w.C.Snapshot(name, 0))(w.R)
}

// renamed gives a snapshot another name, or deletes it.
func (w *Walker) renamed(*rapid.T) {
	name, to := w.Pick("name", "x", "y", "z"), w.Pick("to", "x", "y", "z", "")
	at, known := w.names[name]
	_, taken := w.names[to]
	if !known || taken && to != name {
		return // what is refused has tests of its own
	}
	before := w.State()
	delete(w.names, name)
	if to == "" {
		Same(w.R, "the node that lost its name", at, Must(w.C.DeleteSnapshot(name))(w.R))
	} else {
		Same(w.R, "the node of the new name", at, Must(w.C.RenameSnapshot(name, to))(w.R))
		w.names[to] = at
	}
	Same(w.R, "the state after a name has changed", before, w.State())
}

func (w *Walker) preview(*rapid.T) {
	before := w.Everything()
	Must(w.C.Preview(Address(w.Who()), []byte(w.message())))(w.R)
	Same(w.R, "the store after a preview", before, w.Everything())
}

func (w *Walker) closeAndOpen(*rapid.T) {
	if w.reopen == nil {
		return
	}
	before := w.Everything()
	w.DB = w.reopen()
	w.C = Must(chain.Open(w.DB))(w.R)
	Same(w.R, "the store after closing and opening", before, w.Everything())
}

// Steps are what a walker can do, for [rapid.T.Repeat].
func (w *Walker) Steps() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"execute": w.Execute, "execute more": w.Execute, "execute yet more": w.Execute,
		"advance": w.Advance, "advance more": w.Advance, "pace": w.pace,
		"undo": w.undo, "redo": w.redo, "goto": w.goTo, "look": w.look,
		"snapshot": w.snapshot, "rename or delete": w.renamed, "preview": w.preview, "reopen": w.closeAndOpen,
		"": func(*rapid.T) { w.CheckDerived() },
	}
}

// EveryNode enters every node that there ever was.
func (w *Walker) EveryNode() {
	for id := range history.ID(len(w.was)) {
		Must(w.C.Goto(fmt.Sprint(id + 1)))(w.R)
		w.here()
	}
	if w.reopen != nil {
		w.closeAndOpen(w.R)
	}
}
