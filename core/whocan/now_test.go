package whocan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

// whoCanNow asks who can do something by one message, and gives their names and the rules.
func whoCanNow(w *world, question string) (who string, answer Answer) {
	w.t.Helper()
	w.view(func(v *chain.View) (err error) {
		q := w.question(question)
		q.ListsNow = true
		answer, err = Ask(context.Background(), v, q)
		return err
	})
	var all []string
	for _, step := range answer.Now {
		all = append(all, fmt.Sprintf("%s (%s)", name(step.Sender), step.Decision.GrantingCheck().Rule))
	}
	return strings.Join(all, ", "), answer
}

func TestEverybodyWhoCanNowIsListed(t *testing.T) {
	w := newWorld(t).do(`
		alice approve bob rose 1100
		alice approve_all carol
		alice approve dave rose 1050
		creator offer-minter bob 1100`)
	for question, want := range map[string]string{
		"transfer":                          "alice (owner), bob (approval), dave (approval), carol (operator)",
		"transfer passive bob":              "alice (owner), bob (approval), dave (approval), carol (operator)",
		"transfer only carol":               "alice (owner), bob (approval), dave (approval), carol (operator)",
		"transfer after 1050 unmoved":       "alice (owner), bob (approval), carol (operator)",
		"transfer after 1100":               "alice (owner), carol (operator)",
		"own as dave":                       "alice (owner), bob (approval), dave (approval), carol (operator)",
		"approve":                           "alice (owner), carol (operator)",
		"mint":                              "creator (minter)",
		"accept-minter":                     "bob (pending owner)",
		"accept-minter after 1100":          "",
		"accept-creator":                    "",
		"update-collection depth 1 ways 20": "creator (creator)",
	} {
		if who, _ := whoCanNow(w, question); who != want {
			t.Errorf("%s: got %q, want %q", question, who, want)
		}
	}
	w = worldUnder(t, cw721.RulesV019)
	if who, _ := whoCanNow(w, "update-royalty"); who != "anyone (anyone)" {
		t.Errorf("anyone may change the royalty, got %q", who)
	}
}

// Where more accounts could be tried than are, the answer says so.
func TestAccountsThatAreNotTriedAreCounted(t *testing.T) {
	w := newWorld(t)
	accounts := 0
	w.view(func(v *chain.View) error { accounts = len(chaintest.Must(v.Accounts())(t)); return nil })
	for i := range maxListed {
		chaintest.Must(w.c.AddAccount(fmt.Sprint("extra", i), "", ""))(t)
	}
	if _, answer := whoCanNow(w, "transfer"); answer.UntriedNow != accounts+1 { // and anyone
		t.Errorf("%d are said not to have been tried, of %d", answer.UntriedNow, accounts+maxListed)
	}
}

// In random worlds the list has exactly those whose message the contract executes.
func TestWhoCanNowIsWhoseMessageIsExecuted(t *testing.T) {
	worlds, listed := kvtest.Many(100), 0
	for seed := range uint64(worlds) {
		p := populate(t, seed)
		p.view(func(v *chain.View) error {
			q := p.world.question(p.question)
			q.ListsNow = true
			answer, err := Ask(context.Background(), v, q)
			if errors.As(err, new(*QuestionError)) {
				return nil
			}
			chaintest.OK(t, err)
			listed += len(answer.Now)
			s := chaintest.Must(prepare(context.Background(), v, q))(t)
			isListed := func(who cw721.Address) bool {
				return slices.ContainsFunc(answer.Now, func(step Step) bool {
					return step.Sender == who || step.Sender == s.answer.Anyone
				})
			}
			for _, who := range append(append(slices.Clone(parts), "fresh", "minter0", "minter9"), p.people...) {
				can := false
				for _, act := range s.acts(address(who)) {
					message := chain.TimedMessage{Block: s.moments[s.firstMomentIndex], Sender: address(who), Message: cw721.Encode(act)}
					_, refusal, err := v.TryMessages([]chain.TimedMessage{message})
					chaintest.OK(t, err)
					can = can || refusal == nil
				}
				if can != isListed(address(who)) {
					t.Errorf("seed %d, %s: %s can: %v, listed: %v", seed, p.question, who, can, isListed(address(who)))
				}
			}
			return nil
		})
	}
	t.Logf("%d accounts in %d worlds", listed, worlds)
	if listed < worlds {
		t.Errorf("only %d accounts were listed", listed)
	}
}
