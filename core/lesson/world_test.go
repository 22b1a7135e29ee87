package lesson

import (
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// The world without a lie is the chain: every step of every lesson comes to the
// same in both.
func TestTheHonestWorldAnswersAsTheChainDoes(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		c, err := chain.Open(kv.NewMemory())
		if err != nil {
			t.Fatal(err)
		}
		player, err := scenario.NewPlayer(c, l.header)
		if err != nil {
			t.Fatal(err)
		}
		none := l
		none.setup = nil
		w, err := none.world(0)
		if err != nil {
			t.Fatal(err)
		}
		steps := l.setup
		for _, task := range l.Tasks {
			steps = append(steps[:len(steps):len(steps)], task.steps...)
		}
		for i := range steps {
			s := &steps[i]
			out, err := player.Play(s)
			if err != nil {
				t.Fatal(err)
			}
			told, err := w.play(s)
			if err != nil {
				t.Fatal(err)
			}
			if refused := strings.HasPrefix(told, "refused: "); refused != (out.Refusal != nil) {
				t.Errorf("%s, line %d: the world says %q, the chain %v", l.ID, s.Line, told, out.Refusal)
			}
			if s.Kind != scenario.Query || out.Refusal != nil {
				continue
			}
			want, err := c.Query(s.Message)
			got, errWorld := w.query(s.Message)
			if err != nil || errWorld != nil || string(got) != string(want) {
				t.Errorf("%s, line %d: the world answers %s (%v), the chain %s (%v)", l.ID, s.Line, got, errWorld, want, err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever a lie does, the token's record and the owner index stay in step: the
// lists of tokens are those of the records.
func TestALyingContractLeavesACollectionThatCanBeRead(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		for _, lie := range Lies() {
			w, err := l.world(0)
			if err != nil {
				t.Fatal(err)
			}
			w = w.copy(lie)
			for _, task := range l.Tasks {
				for i := range task.steps {
					if _, err := w.play(&task.steps[i]); err != nil {
						t.Fatalf("%s, %s, line %d: %v", l.ID, lie, task.steps[i].Line, err)
					}
				}
			}
			for rec, err := range cw721.Tokens(w.store, cw721.Walk{}) {
				if err != nil {
					t.Fatal(err)
				}
				ids, err := collect(cw721.TokenIDsOf(w.store, rec.Value.Owner, cw721.Walk{From: &rec.Key}), 1)
				if err != nil || len(ids) != 1 || ids[0] != rec.Key {
					t.Errorf("%s, %s: %s is not among the tokens of its owner: %v, %v", l.ID, lie, rec.Key, ids, err)
				}
			}
		}
	}
}
