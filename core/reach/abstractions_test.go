package reach

import (
	"slices"
	"testing"

	"ephemera/core/cw721"
)

// The functions below leave an abstraction out of a search that is prepared.

func nobodyElse(s *search) {
	s.messages = []sent{{msg: &cw721.Burn{TokenID: "rose"}}} // all that is left is refused
}

func givingToPassive(s *search) {
	for _, by := range s.answer.Actors {
		for _, to := range s.Passive {
			s.messages = append(s.messages, sent{Info: cw721.Info{Sender: by}, msg: &cw721.Approve{Spender: to, TokenID: s.Token}})
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
	for _, by := range s.answer.Actors {
		for _, from := range append(slices.Clone(s.answer.Actors), s.Passive...) {
			s.messages = append(s.messages, sent{Info: cw721.Info{Sender: by}, msg: &cw721.Revoke{Spender: from, TokenID: s.Token}})
		}
	}
}

func notWaiting(s *search) {
	for i := range s.messages {
		s.messages[i].onlyForOwner = false
	}
}

func noExpiry(s *search) { s.moments = s.moments[:1]; s.first = 0 }

func allKinds(s *search) {
	s.answer.Actors = append(s.answer.Actors, address("creator"))
	s.rules = []cw721.Rule{cw721.RuleOwner, cw721.RuleMinter, cw721.RuleCreator}
	s.messages = s.usefulMessages()
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
		{"5: an operator grant waits", `alice approve_all bob`, "approve as carol unmoved", notWaiting, None, NoneWithin},
		{"6: the moments are those at which something expires", `alice approve bob rose 1100`, "transfer after 1100 unmoved", noExpiry, None, Way},
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

func TestAStateCountsAtItsEarliestMomentAlone(t *testing.T) {
	w := newWorld(t).do("alice approve_all bob\nalice approve carol rose")
	const question = "approve as carol unmoved"
	once, twice := w.ask(question), w.ask(question+" after 1050")
	if once.Verdict != None || twice.Verdict != None || once.States != twice.States {
		t.Errorf("%s of %d states at one moment, and %s of %d at two", once.Verdict, once.States, twice.Verdict, twice.States)
	}
}
