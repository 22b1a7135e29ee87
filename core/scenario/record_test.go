package scenario_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	chainhistory "ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/scenario"
)

// recordAll returns the record of a chain's whole history.
func recordAll(w *chaintest.World, f scenario.Format) string {
	w.T.Helper()
	text, _, err := recordPart(w, f, scenario.HistoryPart{})
	chaintest.OK(w.T, err)
	return text
}

// kept is a store that stays open after a run.
type kept struct{ kv.DB }

func (kept) Close() error { return nil }

// importOf returns an importer of the state of a chain at a node.
func importOf(t rapid.TB, c *chain.Chain, id chainhistory.ID) scenario.Importer {
	var state bytes.Buffer
	if id != 0 {
		chaintest.OK(t, c.ViewAt(id, func(v *chain.View) error { return dump.Write(&state, nil, v.Records()) }))
	}
	return func(c *chain.Chain, g chain.Genesis, name string) error {
		return c.Import(g, dump.Read(&state).Records(), nil)
	}
}

// replayOf plays a record and returns its chain.
func replayOf(t rapid.TB, name, text string) *chain.Chain {
	t.Helper()
	return replayFrom(t, name, text, nil)
}

// replayFrom plays a record that begins with the state that importDump reads.
func replayFrom(t rapid.TB, name, text string, importDump scenario.Importer) *chain.Chain {
	t.Helper()
	db := kept{kv.NewMemory()}
	open := func() (*chain.Chain, error) { return chain.Open(db) }
	res, err := run(name, text, scenario.Options{Open: open, Import: importDump})
	var wrong *scenario.Error
	if errors.As(err, &wrong) && wrong.Field == "steps" {
		err = nil // there was no message, so all of it was played and there was nothing to hold
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, m := range res.Mismatches {
		t.Errorf("%v\n%s", m, text)
	}
	return chaintest.Must(chain.Open(db))(t)
}

func storage(t rapid.TB, c *chain.Chain) string {
	t.Helper()
	var text string
	chaintest.OK(t, c.View(func(v *chain.View) error { text = storageOf(t, v); return nil }))
	return text
}

func storageOf(t rapid.TB, v *chain.View) string {
	t.Helper()
	var w bytes.Buffer
	fmt.Fprintln(&w, v.Clock.Block())
	chaintest.OK(t, dump.Write(&w, nil, v.Records()))
	return w.String()
}

// history is a chain with random events.
type history struct {
	c     *chain.Chain
	names []string
}

func newHistory(t *rapid.T) *history {
	c := chaintest.Must(chain.Open(kv.NewMemory()))(t)
	h := &history{c: c, names: []string{"alice", "bob", "carol", "market", "vault"}}
	header := scenario.Header{
		Name:     rapid.SampledFrom([]string{"", "demo"}).Draw(t, "about"),
		Rules:    rapid.SampledFrom(cw721.AllRules()).Draw(t, "rules"),
		Flavour:  rapid.SampledFrom([]cw721.Flavour{"", cw721.FlavourBase}).Draw(t, "flavour"),
		Prefix:   rapid.SampledFrom([]string{"", "stars"}).Draw(t, "prefix"),
		Accounts: []chain.Account{{Name: "alice"}, {Name: "bob"}, {Name: "carol"}},
		Contracts: []chain.Account{
			{Name: "market", Receiver: chain.ReceiverAccepts}, {Name: "vault", Receiver: chain.ReceiverRejects},
		},
		Undelivered: rapid.IntRange(0, 4).Draw(t, "record") == 0,
	}
	g := chaintest.Must(header.Genesis())(t)
	g.Clock.Time = 1_700_000_000_000_000_000
	chaintest.OK(t, c.Begin(g))
	return h
}

func (h *history) address(t *rapid.T, name string) (a cw721.Address) {
	err := h.c.View(func(v *chain.View) (err error) {
		a, err = v.Resolve(name)
		return err
	})
	chaintest.OK(t, err)
	return a
}

func (h *history) message(t *rapid.T) string {
	who := rapid.SampledFrom(h.names).Draw(t, "who")
	if rapid.IntRange(0, 5).Draw(t, "spelled out") == 0 {
		who = string(h.address(t, who))
	} else {
		who = "$" + who
	}
	id := rapid.SampledFrom([]string{"1", "2", "10", "日本", "$alice"}).Draw(t, "id")
	expires := rapid.SampledFrom([]string{`{"at_height":3}`, `{"at_height":40}`, `{"at_time":"1700000100000000001"}`, `{"never":{}}`, "null"}).Draw(t, "expires")
	return rapid.SampledFrom([]string{
		fmt.Sprintf(`{"mint":{"token_id":%q,"owner":%q}}`, id, who),
		fmt.Sprintf("{\"mint\" : {\n\"token_id\":%q,\"owner\":%q,\"token_uri\":\"ipfs://\\u0031\"}}", id, who),
		fmt.Sprintf(`{"transfer_nft":{"token_id":%q,"recipient":%q}}`, id, who),
		fmt.Sprintf(`{"send_nft":{"token_id":%q,"contract":%q,"msg":"e30="}}`, id, who),
		fmt.Sprintf(`{"approve":{"token_id":%q,"spender":%q,"expires":%s}}`, id, who, expires),
		fmt.Sprintf(`{"approve_all":{"operator":%q,"expires":%s}}`, who, expires),
		fmt.Sprintf(`{"burn":{"token_id":%q}}`, id),
		fmt.Sprintf(`{"update_minter_ownership":{"transfer_ownership":{"new_owner":%q,"expiry":%s}}}`, who, expires),
		`{"update_minter_ownership":"accept_ownership"}`,
		`{"update_extension":{"msg":{"a":1,"a":2}}}`,
		`{"burn":{"token_id":"1","token_id":"1"}}`,
		fmt.Sprintf(`{"transfer_nft":{"recipient":%q,"token_id":1}}`, who),
		`{"nosuch":{}}`, `not JSON`, `"text"`, `null`, "{\"burn\":{\"token_id\":\"\xff\"}}", ``,
	}).Draw(t, "message")
}

func (h *history) instantiate(t *rapid.T) {
	msg := rapid.SampledFrom([]string{`{"name":"Apes","symbol":"APE"}`, `{"name":"","symbol":"A"}`, `{"name":"Ñ","symbol":"A","minter":"$alice"}`}).Draw(t, "instantiate")
	_, err := h.c.Instantiate(h.address(t, "alice"), []byte(msg))
	if err != nil && !errors.Is(err, chain.ErrCollectionExists) {
		t.Fatal(err)
	}
}

func (h *history) act(t *rapid.T) {
	var err error
	switch rapid.IntRange(0, 12).Draw(t, "act") {
	case 0:
		_, err = h.c.Advance(chain.ClockStep{Blocks: rapid.Uint64Range(0, 20).Draw(t, "blocks")})
	case 1:
		_, err = h.c.Advance(chain.ClockStep{Duration: time.Duration(rapid.Int64Range(0, 1e11).Draw(t, "ns"))})
	case 2:
		_, err = h.c.Advance(chain.ClockStep{ToNext: true})
	case 3:
		_, err = h.c.Undo(rapid.IntRange(1, 3).Draw(t, "undo"))
	case 4:
		_, err = h.c.Redo(1)
	case 5:
		_, err = h.c.SetPace(rapid.Uint64Range(1, 10).Draw(t, "pace"))
	case 6:
		to := rapid.SampledFrom([]chain.Receiver{chain.ReceiverAccepts, chain.ReceiverRejects, chain.ReceiverPlain}).Draw(t, "receiver")
		_, err = h.c.SetReceiver(rapid.SampledFrom(h.names).Draw(t, "name"), to)
	case 7:
		if gone := rapid.IntRange(1, len(h.names)-1).Draw(t, "forget"); len(h.names) > 3 {
			err = h.c.RemoveAccount(h.names[gone])
			h.names = append(h.names[:gone:gone], h.names[gone+1:]...)
		}
	case 8:
		h.instantiate(t)
	default:
		sender := h.address(t, rapid.SampledFrom(h.names).Draw(t, "sender"))
		_, err = h.c.Execute(sender, []byte(h.message(t)))
	}
	var beyond *chain.RangeError
	for _, fine := range []error{chain.ErrNothingExpires, chain.ErrNoCollection} {
		if errors.Is(err, fine) {
			err = nil
		}
	}
	if err != nil && !errors.As(err, &beyond) && !strings.HasPrefix(err.Error(), "there is nothing to") {
		t.Fatal(err)
	}
}

func TestARecordingKeepsRefusedMessagesAfterUndoAndRedo(t *testing.T) {
	w := newCollection(t)
	chaintest.Must(w.C.Advance(chain.ClockStep{Blocks: 5}))(t)
	w.Refused("alice", `{"burn":{"token_id":"1"}}`)
	before := recordAll(w, scenario.JSONLines)
	chaintest.Must(w.C.Undo(1))(t)
	chaintest.Must(w.C.Redo(1))(t)
	if diff := cmp.Diff(before, recordAll(w, scenario.JSONLines)); diff != "" || !strings.Contains(before, "burn") {
		t.Error(diff)
	}
}

func TestARecordingOfAnyPartOfAnyHistoryPlaysTheSame(t *testing.T) {
	for round := range kvtest.Many(2) { // of a hundred histories each
		t.Run(fmt.Sprint(round), func(t *testing.T) { t.Parallel(); rapid.Check(t, playsTheSame) })
	}
}

// drawAncestor draws one of the last ten nodes on the way to a node.
func drawAncestor(w *chaintest.World, id chainhistory.ID) chainhistory.ID {
	w.View(func(v *chain.View) {
		for range rapid.IntRange(0, 9).Draw(w.T.(*rapid.T), "back") {
			if n := chaintest.Must(v.Node(id))(w.T); n.Parent != 0 {
				id = n.Parent
			}
		}
	})
	return id
}

func playsTheSame(t *rapid.T) {
	h := newHistory(t)
	for range rapid.IntRange(0, 2).Draw(t, "first") {
		h.instantiate(t)
	}
	for range rapid.IntRange(0, 40).Draw(t, "acts") {
		h.act(t)
	}
	w := &chaintest.World{T: t, C: h.c}
	var part scenario.HistoryPart
	view := h.c.View
	switch {
	case w.Head() == 0:
	case rapid.Bool().Draw(t, "a part of it"):
		part.LastNode = chainhistory.ID(rapid.Uint64Range(1, uint64(w.Head())).Draw(t, "to"))
		part.FirstNode = drawAncestor(w, part.LastNode)
		view = func(fn func(*chain.View) error) error { return h.c.ViewAt(part.LastNode, fn) }
	case rapid.Bool().Draw(t, "from a state"):
		part.StartAt = drawAncestor(w, w.Head())
	}
	w.View(func(v *chain.View) { part.AddsQueries = v.HasCollection() })
	part.AddsQueries = part.AddsQueries && part.LastNode == 0 && rapid.Bool().Draw(t, "checks")
	part.FullAnswers = rapid.Bool().Draw(t, "full answers")

	name := rapid.SampledFrom([]string{"x.yaml", "x.jsonl"}).Draw(t, "file")
	text, dumpNode, err := recordPart(w, chaintest.Must(scenario.FormatOf(name))(t), part)
	var unrecordable *scenario.RecordError
	if errors.As(err, &unrecordable) {
		isTooEarly := part.StartAt != 0 && strings.Contains(err.Error(), "is before the collection was created")
		if isTooEarly {
			return
		}
		hasNothingToCheck := strings.HasPrefix(err.Error(), "no message was sent")
		if hasNothingToCheck {
			err = nil // all of it was written, and is played
		}
	}
	chaintest.OK(t, err)
	got := storage(t, replayFrom(t, name, text, importOf(t, h.c, dumpNode)))
	chaintest.OK(t, view(func(v *chain.View) error {
		if diff := cmp.Diff(storageOf(t, v), got); diff != "" {
			t.Errorf("from #%d to #%d led somewhere else: %s\n%s", part.FirstNode, part.LastNode, diff, text)
		}
		return nil
	}))
}

func TestAHistoryWhoseBeginningWasForgottenCannotBeRecorded(t *testing.T) {
	w := newCollection(t)
	for range 5 {
		chaintest.Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	}
	chaintest.Must(w.C.Prune(2))(t)
	if _, _, err := recordPart(w, scenario.YAML, scenario.HistoryPart{}); err == nil || !strings.HasSuffix(err.Error(), "was forgotten, so it cannot be recorded from the beginning") {
		t.Errorf("got %v", err)
	}
}

func TestARecordingChangesAReceiverWhereItsAnswersChanged(t *testing.T) {
	w := newCollection(t)
	send := `{"send_nft":{"contract":"$shop","token_id":"1","msg":""}}`
	for _, receiver := range []chain.Receiver{chain.ReceiverPlain, chain.ReceiverRejects, chain.ReceiverPlain, chain.ReceiverAccepts} {
		chaintest.Must(w.C.SetReceiver("shop", receiver))(t)
		w.Run("alice", `{"mint":{"token_id":"1","owner":"$alice"}}`)
		w.Run("alice", "%s", send)
	}
	text := recordAll(w, scenario.YAML)
	if !strings.Contains(text, `contracts: {shop: plain}`) || strings.Count(text, `contracts: {shop:`) != 4 {
		t.Error(text)
	}
	replayOf(t, "x.yaml", text)
}

func TestTheChecksOfARecordingNoticeEveryChangeOfOwnersGrantsAndRoles(t *testing.T) {
	c := replayOf(t, "story.yaml", `accounts: {alice: , bob: , carol: }
rules: v0.22.0
steps:
  - as: alice
    instantiate: {name: Apes, symbol: APE}
  - as: alice
    execute: {mint: {token_id: "1", owner: $bob}}
  - as: bob
    execute: {approve: {token_id: "1", spender: $carol, expires: h3}}
  - as: bob
    execute: {approve_all: {operator: $alice, expires: h3}}
  - advance: "+9"
`)
	w := &chaintest.World{T: t, C: c}
	for _, format := range []scenario.Format{scenario.YAML, scenario.JSONLines} {
		text, _, err := recordPart(w, format, scenario.HistoryPart{AddsQueries: true})
		chaintest.OK(t, err)
		name := map[scenario.Format]string{scenario.YAML: "x.yaml", scenario.JSONLines: "x.jsonl"}[format]
		checkHolds(t, name, text)

		for as, messages := range map[string][]string{
			"alice": {
				`{"mint":{"token_id":"2","owner":"$bob"}}`,
				`{"approve_all":{"operator":"$carol"}}`,
				`{"add_minter":{"minter":"$carol"}}`,
				`{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob"}}}`,
				`{"update_creator_ownership":"renounce_ownership"}`,
			},
			"bob": {
				`{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`,
				`{"burn":{"token_id":"1"}}`,
				`{"approve":{"token_id":"1","spender":"$alice"}}`,
				`{"approve":{"token_id":"1","spender":"$carol"}}`,
				`{"revoke":{"token_id":"1","spender":"$carol"}}`,
				`{"approve_all":{"operator":"$alice"}}`,
				`{"revoke_all":{"operator":"$alice"}}`,
			},
		} {
			for _, message := range messages {
				s := chaintest.Must(scenario.Load(name, strings.NewReader(text)))(t)
				end := slices.IndexFunc(s.Steps, func(s scenario.Step) bool { return s.Kind == scenario.Query })
				s.Steps = slices.Insert(s.Steps, end, scenario.Step{Sender: as, Kind: scenario.Execute, Message: []byte(message)})
				result := chaintest.Must(scenario.Run(context.Background(), s.NewReader(name), scenario.Options{Open: chaintest.InMemory}))(t)
				if result.OK() || result.Mismatches[0].Step <= end+1 {
					t.Errorf("%s: %s passes unnoticed, or is refused: %+v", as, message, result)
				}
			}
		}
	}
}
