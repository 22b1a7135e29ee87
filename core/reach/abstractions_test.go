package reach

import (
	"context"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Each abstraction, left out, makes an answer wrong, or a "none" unprovable
// within the messages that it takes otherwise.
func TestEachAbstractionIsNeeded(t *testing.T) {
	for _, c := range []struct {
		about, world, question string
		left                   without
		with, without          Verdict
	}{
		{"2: nothing is given to those who send nothing", `alice approve_all bob`, "approve as carol unmoved",
			without{activeOnly: true}, None, NoneWithin},
		{"3: new grants never expire", `alice approve_all bob 1100`, "transfer after 1200 unmoved",
			without{endless: true}, Way, None},
		{"4: nothing is taken away", "alice approve dave rose\nalice approve_all bob", "approve as carol passive alice,dave unmoved",
			without{givingOnly: true}, None, NoneWithin},
		{"5: an operator grant waits", "alice approve bob rose 1100\nclock 1100", "transfer",
			without{waiting: true}, None, NoneWithin},
		{"8: messages are of the kinds that the question turns on", ``, "transfer",
			without{cone: true}, None, NoneWithin},
	} {
		t.Run(c.about, func(t *testing.T) {
			w := newWorld(t).do(c.world)
			if got := w.ask(c.question).Verdict; got != c.with {
				t.Errorf("%s is answered with %q, not %q", c.question, got, c.with)
			}
			if got := w.askLeaving(c.question, c.left).Verdict; got != c.without {
				t.Errorf("without it %s is answered with %q, not %q", c.question, got, c.without)
			}
		})
	}
}

func TestWithoutTheOneWhoStandsForEverybodyElseNobodyFromOutsideIsFound(t *testing.T) {
	w := worldUnder(t, cw721.RulesV019) // where anyone may change the royalty
	const question = "update-royalty passive creator,alice,bob"
	if a := w.ask(question); a.Verdict != Way || ways(a) != "1000 anyone update_collection_info [anyone]" {
		t.Errorf("got %s %s", a.Verdict, ways(a))
	}
	if a := w.askLeaving(question, without{anyone: true}); a.Verdict != None {
		t.Errorf("without abstraction 1 somebody is found still: %s", ways(a))
	}
}

func TestWithoutTheMomentsAGrantHasNoEnd(t *testing.T) {
	w := newWorld(t).do(`alice approve bob rose 1100`)
	w.view(func(v *chain.View) error {
		for _, left := range []without{{}, {clock: true}} {
			s := realEnd(cw721.Grant{Kind: cw721.GrantApproval, Token: "rose", Owner: address("alice"), Spender: address("bob")}, "rose")
			s.without = left
			got, err := s.end(context.Background(), v)
			ok(t, err)
			if (got == cw721.UntilHeight(1100)) == left.clock {
				t.Errorf("leaving out %+v the approval ends at %v", left, got)
			}
		}
		return nil
	})
}

func TestAStateCountsAtItsEarliestMomentAlone(t *testing.T) {
	w := newWorld(t).do("alice approve_all bob\nalice approve carol rose 1050")
	const question = "approve as carol unmoved"
	with, left := w.ask(question), w.askLeaving(question, without{earliest: true})
	if with.Verdict != None || left.Messages <= with.Messages {
		t.Errorf("%d messages were tried, and %d without abstraction 7", with.Messages, left.Messages)
	}
}
