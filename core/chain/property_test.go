package chain_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// walker takes random steps on a chain and remembers the state that every node
// of the history came to.
type walker struct {
	*world
	rules cw721.Rules
	r     *rapid.T
	// was is the state at each node; the instantiation is the first.
	was   map[history.ID]map[string]string
	names map[string]history.ID
	play  history.ID
	// reopen closes the store and opens it again, where that means something.
	reopen func() kv.DB
}

func newWalker(r *rapid.T, db kv.DB, reopen func() kv.DB) *walker {
	rules := rapid.SampledFrom(cw721.AllRules()).Draw(r, "rules")
	flavour := rapid.SampledFrom([]cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase}).Draw(r, "flavour")
	w := &walker{world: worldUnder(r, db, rules, flavour), rules: rules, r: r, was: map[history.ID]map[string]string{}, names: map[string]history.ID{}, reopen: reopen}
	must(w.c.AddAccount("market", "", chain.ReceiverAccepts))(r)
	must(w.c.AddAccount("grumpy", "", chain.ReceiverRejects))(r)
	w.was[w.head()] = w.state()
	return w
}

func (w *walker) pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(w.r, label)
}

func (w *walker) who() string   { return w.pick("who", people...) }
func (w *walker) token() string { return w.pick("token", "1", "2", "3", "a\u0000", "4") }
func (w *walker) expires() string {
	c := w.clock()
	n := rapid.Uint64Range(0, 6).Draw(w.r, "ahead")
	switch w.pick("axis", "height", "time", "never") {
	case "height":
		return fmt.Sprintf(`{"at_height":%d}`, uint64(c.Height)+n)
	case "time":
		return fmt.Sprintf(`{"at_time":"%d"}`, uint64(c.Time)+n*5e9)
	}
	return `{"never":{}}`
}

func (w *walker) message() string {
	switch w.pick("message", "mint", "mint", "transfer", "approve", "approve", "revoke", "approve_all", "revoke_all", "burn", "send", "offer", "accept", "rename", "minters", "broken") {
	case "minters": // which only one rule set has
		return fmt.Sprintf(`{"%s_minter":{"minter":"$%s"}}`, w.pick("change", "add", "remove"), w.who())
	case "mint":
		return fmt.Sprintf(`{"mint":{"token_id":%s,"owner":"$%s"}}`, quoted(w.token()), w.who())
	case "transfer":
		return fmt.Sprintf(`{"transfer_nft":{"recipient":"$%s","token_id":%s}}`, w.who(), quoted(w.token()))
	case "approve":
		return fmt.Sprintf(`{"approve":{"spender":"$%s","token_id":%s,"expires":%s}}`, w.who(), quoted(w.token()), w.expires())
	case "revoke":
		return fmt.Sprintf(`{"revoke":{"spender":"$%s","token_id":%s}}`, w.who(), quoted(w.token()))
	case "approve_all":
		return fmt.Sprintf(`{"approve_all":{"operator":"$%s","expires":%s}}`, w.who(), w.expires())
	case "revoke_all":
		return fmt.Sprintf(`{"revoke_all":{"operator":"$%s"}}`, w.who())
	case "burn":
		return fmt.Sprintf(`{"burn":{"token_id":%s}}`, quoted(w.token()))
	case "send":
		return fmt.Sprintf(`{"send_nft":{"contract":"$%s","token_id":%s,"msg":""}}`, w.pick("to", "market", "grumpy", "bob"), quoted(w.token()))
	case "offer":
		role := w.pick("role", "minter", "creator")
		return fmt.Sprintf(`{"update_%s_ownership":{"transfer_ownership":{"new_owner":"$%s","expiry":%s}}}`, role, w.who(), w.expires())
	case "accept":
		return fmt.Sprintf(`{"update_%s_ownership":"accept_ownership"}`, w.pick("role", "minter", "creator"))
	case "rename":
		return fmt.Sprintf(`{"update_collection_info":{"collection_info":{"name":"%d"}}}`, rapid.IntRange(0, 99).Draw(w.r, "name"))
	}
	return w.pick("broken", "", "{", `{"burn":{}}`, `{"none":{}}`)
}

func quoted(s string) string { return string(cw721.Encode(s)) }

// came notes what a new node came to.
func (w *walker) came(id history.ID) {
	if _, known := w.was[id]; known {
		w.r.Fatalf("node %d was there already", id)
	}
	w.was[id] = w.state()
}

func (w *walker) execute(*rapid.T) {
	before := w.state()
	r := w.run(w.who(), "%s", w.message())
	if r.Refusal != nil {
		same(w.r, "the state after a refusal", before, w.state())
	}
	w.came(r.Node)
}

func (w *walker) advance(*rapid.T) {
	step := chain.Step{Blocks: rapid.Uint64Range(0, 3).Draw(w.r, "blocks"), Duration: time.Duration(rapid.Int64Range(0, 12e9).Draw(w.r, "nanos"))}
	switch w.pick("how", "by", "next", "before", "join") {
	case "next":
		step = chain.Step{ToNext: true}
	case "before":
		step = chain.Step{Before: true}
	case "join":
		step.Joins = w.play
	}
	m, err := w.c.Advance(step)
	if err != nil || m.Node == 0 {
		return // nothing ends, or it goes nowhere
	}
	if m.Node == step.Joins {
		w.was[m.Node] = w.state()
	} else {
		w.came(m.Node)
	}
	w.play = m.Node
}

func (w *walker) pace(*rapid.T) {
	m := must(w.c.Pace(rapid.Uint64Range(1, 9).Draw(w.r, "pace")))(w.r)
	if m.Node != 0 {
		w.came(m.Node)
	}
}

// here holds the state to what it was when the head was made.
func (w *walker) here() {
	same(w.r, fmt.Sprintf("the state at node %d", w.head()), w.was[w.head()], w.state())
}

func (w *walker) undo(*rapid.T) {
	before, head := w.state(), w.head()
	u, err := w.c.Undo(rapid.IntRange(1, 4).Draw(w.r, "steps"))
	if err != nil {
		same(w.r, "the state after nothing was undone", before, w.state())
		return
	}
	w.here()
	if rapid.Bool().Draw(w.r, "and back") {
		must(w.c.Redo(len(u.Nodes)))(w.r)
		same(w.r, "the state after undo and redo", before, w.state())
		if w.head() > head {
			w.r.Fatalf("redo went to %d, beyond %d", w.head(), head)
		}
	}
}

func (w *walker) redo(*rapid.T) {
	if _, err := w.c.Redo(rapid.IntRange(1, 4).Draw(w.r, "steps")); err == nil {
		w.here()
	}
}

func (w *walker) goTo(*rapid.T) {
	id := history.ID(rapid.IntRange(1, len(w.was)).Draw(w.r, "node"))
	same(w.r, "the head", id, must(w.c.Goto(fmt.Sprint(id)))(w.r).Head)
	w.here()
}

func (w *walker) look(*rapid.T) {
	id := history.ID(rapid.IntRange(1, len(w.was)).Draw(w.r, "node"))
	before := w.everything()
	ok(w.r, w.c.ViewAt(id, func(v *chain.View) error { checkDerived(w.r, v); return nil }))
	same(w.r, "the store after a look back", before, w.everything())
}

func (w *walker) snapshot(*rapid.T) {
	name := w.pick("name", "x", "y", "z")
	if at, taken := w.names[name]; taken {
		same(w.r, "where a name leads", at, must(w.c.Goto(name))(w.r).Head)
		w.here()
		return
	}
	w.names[name] = must(w.c.Snapshot(name, 0))(w.r)
}

// renamed gives a snapshot another name, or deletes it.
func (w *walker) renamed(*rapid.T) {
	name, to := w.pick("name", "x", "y", "z"), w.pick("to", "x", "y", "z", "")
	at, known := w.names[name]
	_, taken := w.names[to]
	if !known || taken && to != name {
		return // what is refused has tests of its own
	}
	before := w.state()
	delete(w.names, name)
	if to == "" {
		same(w.r, "the node that lost its name", at, must(w.c.DeleteSnapshot(name))(w.r))
	} else {
		same(w.r, "the node of the new name", at, must(w.c.RenameSnapshot(name, to))(w.r))
		w.names[to] = at
	}
	same(w.r, "the state after a name has changed", before, w.state())
}

func (w *walker) preview(*rapid.T) {
	before := w.everything()
	must(w.c.Preview(address(w.who()), []byte(w.message())))(w.r)
	same(w.r, "the store after a preview", before, w.everything())
}

func (w *walker) closeAndOpen(*rapid.T) {
	if w.reopen == nil {
		return
	}
	before := w.everything()
	w.db = w.reopen()
	w.c = must(chain.Open(w.db))(w.r)
	same(w.r, "the store after closing and opening", before, w.everything())
}

func (w *walker) steps() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"execute": w.execute, "execute more": w.execute, "execute yet more": w.execute,
		"advance": w.advance, "advance more": w.advance, "pace": w.pace,
		"undo": w.undo, "redo": w.redo, "goto": w.goTo, "look": w.look,
		"snapshot": w.snapshot, "rename or delete": w.renamed, "preview": w.preview, "reopen": w.closeAndOpen,
		"": func(*rapid.T) { w.checkDerived() },
	}
}

// everyNode enters every node that there ever was.
func (w *walker) everyNode() {
	for id := range history.ID(len(w.was)) {
		must(w.c.Goto(fmt.Sprint(id + 1)))(w.r)
		w.here()
	}
	if w.reopen != nil {
		w.closeAndOpen(w.r)
	}
}

func TestWhateverHappensNothingIsLostAndEverythingIsInStep(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := newWalker(r, kv.NewMemory(), nil)
		r.Repeat(w.steps())
		w.everyNode()
	})
}

func TestWhateverHappensOnDiskIsThereAfterClosingAndOpening(t *testing.T) {
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		if runs++; runs > 8 {
			return // a disk is slow; the walks in memory are the many
		}
		dir := filepath.Join(t.TempDir(), fmt.Sprint(runs))
		db := onDisk(t, dir)
		defer func() { ok(t, db.Close()) }()
		w := newWalker(r, db, func() kv.DB {
			ok(r, db.Close())
			db = onDisk(t, dir)
			return db
		})
		r.Repeat(w.steps())
		w.everyNode()
	})
}
