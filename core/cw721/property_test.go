package cw721_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// outcomes counts the outcomes of drawn messages, so that the test fails if too few of
// a kind occur.
type outcomes struct {
	executed int
	refused  int // including denied and broken
	denied   int // refused for want of a permission
	broken   int // refused because they do not decode
}

func TestAnyMessagesLeaveTheCollectionConsistent(t *testing.T) {
	var total outcomes
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, rapid.SampledFrom(cw721.AllRules()).Draw(rt, "rules"),
			rapid.SampledFrom([]cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase}).Draw(rt, "flavour"))
		w.mustInstantiate(plainInstantiate)
		for range rapid.IntRange(1, 60).Draw(rt, "messages") {
			w.env.Block.Height += cw721.Height(rapid.IntRange(0, 2).Draw(rt, "blocks"))
			w.env.Block.Time += cw721.Time(rapid.IntRange(0, 10).Draw(rt, "nanoseconds"))
			w.send(rt, drawAccount(rt, "sender"), drawExecute(rt, w.env.Block, w.Contract), &total)
		}
		w.expectTokenCount(rt)
		w.expectGrantLists(rt)
		w.expectValidMinters(rt)
		w.expectReadableRecords()
	})

	least := outcomes{executed: 50, refused: 50, denied: 20, broken: 5}
	if testing.Short() { // a fifth of the draws
		least = outcomes{executed: 10, refused: 10, denied: 4, broken: 1}
	}
	if !total.reaches(least) {
		t.Errorf("too little happened to show anything: %+v", total)
	}
}

// reaches reports whether each count in o is at least that in least.
func (o outcomes) reaches(least outcomes) bool {
	return o.executed >= least.executed &&
		o.refused >= least.refused &&
		o.denied >= least.denied &&
		o.broken >= least.broken
}

// send executes a message and counts its outcome. It fails unless the outcome agrees with
// the contract's decision, and unless a refused message changes no record.
func (w *world) send(t *rapid.T, sender, msg string, total *outcomes) {
	before := w.dump()
	decoded, _, decodeErr := w.DecodeExecute([]byte(msg), nil)
	var decision *cw721.Decision
	var decideErr error
	if decodeErr == nil {
		w.read(func(r kv.Reader) error {
			decision, decideErr = w.Decide(r, w.env, cw721.Info{Sender: cw721.Address(addr(sender))}, decoded)
			return nil
		})
	}

	_, err := w.execute(sender, msg)
	if err == nil {
		total.executed++
		if decodeErr != nil || decideErr != nil || !decision.Allowed {
			t.Fatalf("%s: %q is executed, but decoding gives %v and the decision is %+v, %v", sender, msg, decodeErr, decision, decideErr)
		}
		return
	}

	total.refused++
	refusal := cw721.AsError(err)
	if refusal == nil {
		t.Fatalf("%s: %q gives %v, which is no refusal", sender, msg, err)
	}
	if diff := cmp.Diff(before, w.dump()); diff != "" {
		t.Fatalf("%s: %q is refused and changes\n%s", sender, msg, diff)
	}

	switch {
	case decodeErr != nil:
		total.broken++
		if refusal.Kind != cw721.KindParse || !errors.Is(refusal, decodeErr) {
			t.Fatalf("%q fails to decode with %v, and is refused with %v", msg, decodeErr, err)
		}

	case decideErr != nil:
		if !errors.Is(refusal, decideErr) || refusal.Decision != nil {
			t.Fatalf("%q fails to be decided with %v, and is refused with %v", msg, decideErr, err)
		}

	case decision.Allowed:
		if refusal.Decision != nil {
			t.Fatalf("%s: %q is allowed, and refused by the decision %+v", sender, msg, refusal.Decision)
		}

	default:
		total.denied++
		if !errors.Is(refusal, decision.Refusal) || refusal.Decision == nil || formatChecks(decision) != formatChecks(refusal.Decision) {
			t.Fatalf("%s: %q is refused with %v; the decision is %v", sender, msg, refusal, decision.Refusal)
		}
	}
}

// expectReadableRecords checks that every record can be decoded.
func (w *world) expectReadableRecords() {
	w.Helper()
	for _, p := range w.records() {
		kvtest.Must(cw721.CurrentLayout.DecodeRecord(p.Key, p.Value))(w)
	}
}

// expectTokenCount compares the number of tokens and the owner index with the tokens.
func (w *world) expectTokenCount(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		count, err := cw721.LoadTokenCount(r)
		if err != nil {
			return err
		}

		// Each line has the owner, the id, and the length of the id, the value in the index.
		var tokens []string
		for record, err := range cw721.Tokens(r, cw721.Walk{}) {
			if err != nil {
				return err
			}
			tokens = append(tokens, fmt.Sprintf("%s %q %d", record.Value.Owner, record.Key, len(record.Key)))
		}
		var indexed []string
		for _, p := range w.records() {
			if owner, id, ok := cw721.DecodeOwnerIndexKey(p.Key); ok {
				indexed = append(indexed, fmt.Sprintf("%s %q %s", owner, id, p.Value))
			}
		}

		slices.Sort(tokens)
		slices.Sort(indexed)
		if count != uint64(len(tokens)) {
			t.Fatalf("there are %d tokens and %d are counted", len(tokens), count)
		}
		if diff := cmp.Diff(tokens, indexed); diff != "" {
			t.Fatalf("the tokens and the owner index differ:\n%s", diff)
		}
		return nil
	})
}

// expectValidMinters checks that there are at most ten additional minters, and none
// under rule sets without them.
func (w *world) expectValidMinters(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		all, err := cw721.LoadAdditionalMinters(r, nil, cw721.MaxLimit)
		if len(all) > 10 || len(all) > 0 && !w.Rules.HasAdditionalMinters() {
			t.Fatalf("%v are additional minters under %s", all, w.Rules)
		}
		return err
	})
}

// expectGrantLists compares the approvals and operators that queries answer with the
// grants in the records.
func (w *world) expectGrantLists(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		for _, includesExpired := range []bool{true, false} {
			for _, name := range people {
				owner := cw721.Address(addr(name))
				query := fmt.Sprintf(`{"all_operators":{"owner":"%s","include_expired":%v,"limit":1000}}`, owner, includesExpired)
				w.expectList(t, query, "operators", includesExpired, func(g cw721.Grant) bool {
					return g.Kind == cw721.GrantOperator && g.Owner == owner
				})
			}

			for record, err := range cw721.Tokens(r, cw721.Walk{}) {
				if err != nil {
					return err
				}
				query := fmt.Sprintf(`{"approvals":{"token_id":"%s","include_expired":%v}}`, record.Key, includesExpired)
				w.expectList(t, query, "approvals", includesExpired, func(g cw721.Grant) bool {
					return g.Kind == cw721.GrantApproval && g.Token == record.Key
				})
			}
		}
		return nil
	})
}

// expectList compares the list that a query answers under a member's name with the
// grants in the records that match.
func (w *world) expectList(t *rapid.T, query, member string, includesExpired bool, matches func(cw721.Grant) bool) {
	var list []string
	for _, g := range w.grants() {
		isShown := includesExpired || !g.Expires.HasExpired(w.env.Block)
		if isShown && matches(g) {
			list = append(list, fmt.Sprintf(`{"spender":"%s","expires":%s}`, g.Spender, g.Expires.AppendWire(nil)))
		}
	}
	want := fmt.Sprintf(`{"%s":[%s]}`, member, strings.Join(list, ","))

	got, err := w.query(query)
	if err != nil || string(got) != want {
		t.Fatalf("%s answers\n%s, %v\nthe records say\n%s", query, got, err, want)
	}
}
