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

// seen counts what the drawn messages came to, so that a property cannot hold
// for want of anything happening.
type seen struct{ done, refused, verdicts, broken int }

func TestWhateverIsSentTheCollectionStaysWhole(t *testing.T) {
	var total seen
	rapid.Check(t, func(rt *rapid.T) {
		w := blank(t, rapid.SampledFrom(cw721.AllRules()).Draw(rt, "rules"),
			rapid.SampledFrom([]cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase}).Draw(rt, "flavour"))
		w.creates(plain)
		for range rapid.IntRange(1, 60).Draw(rt, "messages") {
			w.env.Block.Height += cw721.Height(rapid.IntRange(0, 2).Draw(rt, "blocks"))
			w.env.Block.Time += cw721.Time(rapid.IntRange(0, 10).Draw(rt, "nanoseconds"))
			w.send(rt, someone(rt, "sender"), someExecute(rt, w.env.Block, w.Contract), &total)
		}
		w.countsAgree(rt)
		w.listsAgree(rt)
		w.mintersAgree(rt)
		w.recordsRead()
	})
	least := seen{done: 50, refused: 50, verdicts: 20, broken: 5}
	if testing.Short() { // a fifth of the draws
		least = seen{done: 10, refused: 10, verdicts: 4, broken: 1}
	}
	if total.done < least.done || total.refused < least.refused || total.verdicts < least.verdicts || total.broken < least.broken {
		t.Errorf("too little happened to show anything: %+v", total)
	}
}

// send executes a message and holds it to its decision and, when it is
// refused, to having changed nothing.
func (w *world) send(t *rapid.T, as, msg string, total *seen) {
	before := w.dump()
	info := cw721.Info{Sender: cw721.Address(addr(as))}
	var decision *cw721.Decision
	var noDecision error
	m, _, decodes := w.DecodeExecute([]byte(msg), nil)
	if decodes == nil {
		w.read(func(r kv.Reader) error {
			decision, noDecision = w.Decide(r, w.env, info, m)
			return nil
		})
	}
	_, err := w.execute(as, msg)
	refusal := cw721.AsError(err)
	if err == nil {
		total.done++
		if decodes != nil || noDecision != nil || !decision.Allowed {
			t.Fatalf("%s: %q was carried out; decoding said %v, the decision %+v, %v", as, msg, decodes, decision, noDecision)
		}
		return
	}
	total.refused++
	if refusal == nil {
		t.Fatalf("%s: %q gives %v, which is no refusal", as, msg, err)
	}
	if diff := cmp.Diff(before, w.dump()); diff != "" {
		t.Fatalf("%s: %q was refused and changed\n%s", as, msg, diff)
	}
	switch {
	case decodes != nil:
		total.broken++
		if refusal.Kind != cw721.KindParse || !errors.Is(refusal, decodes) {
			t.Fatalf("%q does not decode, %v, and is refused with %v", msg, decodes, err)
		}
	case noDecision != nil:
		if !errors.Is(refusal, noDecision) || refusal.Decision != nil {
			t.Fatalf("%q has no decision, %v, and is refused with %v", msg, noDecision, err)
		}
	case decision.Allowed != (refusal.Decision == nil):
		t.Fatalf("%s: %q is allowed: %v; it is refused with %v for %+v", as, msg, decision.Allowed, err, refusal.Decision)
	case !decision.Allowed:
		total.verdicts++
		if !errors.Is(refusal, decision.Refusal) || tell(decision) != tell(refusal.Decision) {
			t.Fatalf("%s: %q is refused with %v; the decision was %v", as, msg, refusal, decision.Refusal)
		}
	}
}

// recordsRead holds every record to what its key says.
func (w *world) recordsRead() {
	w.Helper()
	for _, p := range w.records() {
		kvtest.OK(w, cw721.CheckRecord(p.Key, p.Value))
	}
}

// countsAgree holds the count and the owner index to the tokens themselves.
func (w *world) countsAgree(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		count, err := cw721.LoadTokenCount(r)
		if err != nil {
			return err
		}
		var held, indexed []string
		for rec, err := range cw721.Tokens(r, cw721.Walk{}) {
			if err != nil {
				return err
			}
			held = append(held, fmt.Sprintf("%s %q %d", rec.Value.Owner, rec.Key, len(rec.Key)))
		}
		for _, p := range w.records() {
			if owner, id, ok := cw721.DecodeOwnerIndexKey(p.Key); ok {
				indexed = append(indexed, fmt.Sprintf("%s %q %s", owner, id, p.Value))
			}
		}
		slices.Sort(held)
		slices.Sort(indexed)
		if count != uint64(len(held)) {
			t.Fatalf("there are %d tokens and %d are counted", len(held), count)
		}
		if diff := cmp.Diff(held, indexed); diff != "" {
			t.Fatalf("the tokens and the owner index differ:\n%s", diff)
		}
		return nil
	})
}

// mintersAgree holds the additional minters to the rules: there are ten at most,
// and none under rules that have none.
func (w *world) mintersAgree(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		all, err := cw721.LoadAdditionalMinters(r, nil, cw721.MaxLimit)
		if len(all) > 10 || len(all) > 0 && !w.Rules.HasAdditionalMinters() {
			t.Fatalf("%v are additional minters under %s", all, w.Rules)
		}
		return err
	})
}

// listsAgree holds the lists that queries give to the grants that the records
// hold.
func (w *world) listsAgree(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		lists := map[string][]string{}
		for _, g := range w.grants() {
			for _, all := range []bool{true, false} {
				if all || !g.Expires.Expired(w.env.Block) {
					key := fmt.Sprintf("%s %s %q %v", g.Kind, g.Owner, g.Token, all)
					lists[key] = append(lists[key], `{"spender":"`+string(g.Spender)+`","expires":`+string(g.Expires.AppendWire(nil))+`}`)
				}
			}
		}
		holds := func(msg, shape string, key string) {
			got, err := w.Query(r, w.env, []byte(msg))
			want := fmt.Sprintf(shape, strings.Join(lists[key], ","))
			if err != nil || string(got) != want {
				t.Fatalf("%s answers\n%s, %v\nthe records say\n%s", msg, got, err, want)
			}
		}
		for _, all := range []bool{true, false} {
			for _, name := range people {
				holds(fmt.Sprintf(`{"all_operators":{"owner":"%s","include_expired":%v,"limit":1000}}`, addr(name), all), `{"operators":[%s]}`,
					fmt.Sprintf("%s %s %q %v", cw721.GrantOperator, addr(name), "", all))
			}
			for rec, err := range cw721.Tokens(r, cw721.Walk{}) {
				if err != nil {
					return err
				}
				holds(fmt.Sprintf(`{"approvals":{"token_id":"%s","include_expired":%v}}`, rec.Key, all), `{"approvals":[%s]}`,
					fmt.Sprintf("%s %s %q %v", cw721.GrantApproval, rec.Value.Owner, rec.Key, all))
			}
		}
		return nil
	})
}
