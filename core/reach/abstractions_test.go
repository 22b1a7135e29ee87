package reach

import (
	"context"
	"slices"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

// The functions below leave an abstraction out of a search that is prepared.

func nobodyElse(s *search) {
	s.messages = slices.DeleteFunc(s.messages, func(m sent) bool { return m.act && m.by == s.answer.Anyone })
}

func givingToPassive(s *search) {
	for _, by := range s.actors {
		for _, to := range s.Passive {
			s.messages = append(s.messages, sent{by: by, msg: &cw721.Approve{Spender: to, TokenID: s.Token}})
		}
	}
}

func endingSoon(s *search) {
	soon := cw721.UntilTime(s.moments[1].Time)
	for _, m := range s.messages {
		if approve, is := m.msg.(*cw721.Approve); is {
			approve.Expires = &soon
		}
	}
}

func takingAway(s *search) {
	for _, by := range s.actors {
		for _, from := range append(slices.Clone(s.actors), s.Passive...) {
			s.messages = append(s.messages, sent{by: by, msg: &cw721.Revoke{Spender: from, TokenID: s.Token}})
		}
	}
}

func notWaiting(s *search) {
	for i := range s.messages {
		s.messages[i].waits = false
	}
}

func everyMoment(s *search) { s.everyMoment = true }

func allKinds(s *search) {
	s.actors = append(s.actors, address("creator"))
	s.about = subject{true, true, true}
	s.messages = s.bearing()
}

// Each abstraction, left out, makes an answer wrong, or a "none" unprovable
// within the messages that it takes otherwise.
func TestEachAbstractionIsNeeded(t *testing.T) {
	for _, c := range []struct {
		about, world, question string
		leave                  func(*search)
		with, without          Verdict
	}{
		{"2: nothing is given to those who send nothing", `alice approve_all bob`, "approve as carol unmoved", givingToPassive, None, NoneWithin},
		{"3: new grants never expire", `alice approve_all bob 1100`, "transfer after 1200 unmoved", endingSoon, Way, None},
		{"4: nothing is taken away", "alice approve dave rose\nalice approve_all bob", "approve as carol passive alice,dave unmoved", takingAway, None, NoneWithin},
		{"5: an operator grant waits", "alice approve bob rose 1100\nclock 1100", "transfer", notWaiting, None, NoneWithin},
		{"8: messages are of the kinds that the question turns on", ``, "transfer", allKinds, None, NoneWithin},
	} {
		t.Run(c.about, func(t *testing.T) {
			w := newWorld(t).do(c.world)
			if got := w.ask(c.question).Verdict; got != c.with {
				t.Errorf("%s is answered with %q, not %q", c.question, got, c.with)
			}
			if got := w.askLeaving(c.question, c.leave).Verdict; got != c.without {
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
	if a := w.askLeaving(question, nobodyElse); a.Verdict != None {
		t.Errorf("without abstraction 1 somebody is found still: %s", ways(a))
	}
}

func TestWithoutTheMomentsAGrantHasNoEnd(t *testing.T) {
	w := newWorld(t).do(`alice approve bob rose 1100`)
	w.view(func(v *chain.View) error {
		for _, moments := range []int{2, 1} {
			q := w.question("transfer unmoved passive alice")
			s, err := prepare(context.Background(), v, q, address("bob"))
			chaintest.OK(t, err)
			s.moments = s.moments[:moments]
			got, err := s.end(cw721.Grant{})
			chaintest.OK(t, err)
			if (got == cw721.UntilHeight(1100)) != (moments == 2) {
				t.Errorf("with %d moments the approval ends at %v", moments, got)
			}
		}
		return nil
	})
}

func TestAStateCountsAtItsEarliestMomentAlone(t *testing.T) {
	w := newWorld(t).do("alice approve_all bob\nalice approve carol rose 1050")
	const question = "approve as carol unmoved"
	with, without := w.ask(question), w.askLeaving(question, everyMoment)
	if with.Verdict != None || without.Messages <= with.Messages {
		t.Errorf("%d messages were tried, and %d without abstraction 7", with.Messages, without.Messages)
	}
}
