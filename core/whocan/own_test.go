package whocan

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv/kvtest"
)

// askOfOwning makes up a question in a population: who can own the token or do something with
// it, perhaps with the messages of a few accounts alone.
func askOfOwning(p *population, r *rand.Rand) string {
	some := func() (names []string) {
		for _, name := range p.people {
			if r.IntN(2) == 0 {
				names = append(names, name)
			}
		}
		return append(names, "fresh")[:max(1, len(names))]
	}
	action := "own"
	if r.IntN(3) == 0 {
		action = []string{"transfer", "burn", "approve"}[r.IntN(3)]
	}
	question := action
	if r.IntN(3) > 0 {
		question += " as " + append(p.people, "fresh")[r.IntN(len(p.people)+1)]
	}
	if r.IntN(2) == 0 {
		question += " only " + strings.Join(some(), ",")
	}
	switch r.IntN(3) {
	case 0:
		question += " passive " + strings.Join(some(), ",")
	case 1:
		question += " active " + p.plays["owner"]
	}
	switch r.IntN(4) {
	case 0:
		question += " after " + []string{"1010", "1012"}[r.IntN(2)]
	case 1:
		question += " until 1012"
	}
	if r.IntN(4) == 0 {
		question += " unmoved"
	}
	return question + " depth 2"
}

func TestNoWayToOwnIsHiddenAndNoWayNeedsWhoIsNotAmongTheOnlySenders(t *testing.T) {
	verdicts := map[string]int{}
	for seed := range uint64(kvtest.Many(80)) {
		p := populate(t, seed)
		r := rand.New(rand.NewPCG(seed, 6))
		p.people = nil // all who bear on a question about the token
		for _, part := range []string{"owner", "operator", "spender", "helper", "zed"} {
			p.people = append(p.people, p.plays[part])
		}
		slices.Sort(p.people)
		p.people = slices.Compact(p.people)
		p.question = askOfOwning(p, r)
		p.view(func(v *chain.View) error {
			q := p.world.question(p.question)
			answer, err := Ask(context.Background(), v, q)
			if wrong := new(QuestionError); errors.As(err, &wrong) {
				verdicts["refused"]++
				return nil
			}
			chaintest.OK(t, err)
			for _, sender := range answer.Actors {
				if q.OnlySenders != nil && !slices.Contains(q.OnlySenders, sender) {
					t.Errorf("world %d: %s: %s sends messages", seed, p.question, name(sender))
				}
			}

			q.PassiveAccounts = answer.PassiveAccounts
			want := newBruteForce(v, q, p.people, p.stored, true).shortest(2)
			got := 0
			if answer.Verdict == WayExists {
				got = len(answer.Ways[0])
			}
			isHidden := want > 0 && got == 0
			if got != want || isHidden {
				t.Errorf("world %d, %s: %s: %s: a way of %d, want %d %v", seed, p.rules, p.question, answer.Verdict, got, want, ways(answer))
			}
			verdicts[fmt.Sprint(q.Action.Name == "own", " ", answer.Verdict)]++
			return nil
		})
	}
	t.Log(verdicts)
	for _, verdict := range []string{"true way", "true none", "false way", "false none"} {
		if verdicts[verdict] < 2 {
			t.Errorf("only %d worlds are answered with %q", verdicts[verdict], verdict)
		}
	}
}

func TestWhoOwnsTheTokenIsNotAskedAbout(t *testing.T) {
	w := newWorld(t)
	w.view(func(v *chain.View) error {
		if _, err := Ask(context.Background(), v, w.question("own as alice")); !errors.Is(err, ErrOwnsAlready) {
			t.Errorf("alice owns it: %v", err)
		}
		if _, err := Ask(context.Background(), v, w.question("own as bob only alice passive alice")); !errors.Is(err, ErrNoSender) {
			t.Errorf("nobody sends messages: %v", err)
		}
		if _, err := Ask(context.Background(), v, w.question("transfer as bob only alice")); !errors.Is(err, ErrAsPassive) {
			t.Errorf("bob is not among the senders: %v", err)
		}
		return nil
	})
}

func TestAGiftCountsForWhoOwns(t *testing.T) {
	w := newWorld(t)
	w.do("alice approve_all bob 1010")
	answer := w.ask("own as carol only bob after 1100")
	if answer.Verdict != WayExists || told(answer.Ways[0]) != "1000 bob transfer carol [operator]" {
		t.Errorf("%s: %v", answer.Verdict, ways(answer))
	}
	if answer := w.ask("own as carol only dave"); answer.Verdict != None {
		t.Errorf("with dave alone: %s", answer.Verdict)
	}
}
