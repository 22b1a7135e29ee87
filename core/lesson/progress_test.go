package lesson_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
)

// kept gives progress as it is after it was written and read again.
func kept(t *testing.T, p lesson.Progress) lesson.Progress {
	t.Helper()
	raw, err := p.Encode()
	chaintest.OK(t, err)
	if p, err = lesson.DecodeProgress(raw); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProgressIsKept(t *testing.T) {
	l := all(t)[0]
	var raw []byte
	k := lesson.Storage{Load: func() ([]byte, error) { return raw, nil }, Save: func(b []byte) error { raw = b; return nil },
		MoveAside: func() (string, error) { return "", errors.ErrUnsupported }}
	p, err := k.Read()
	if err != nil || p.NextTask(l) != 0 {
		t.Fatal(p, err)
	}
	s := begin(t, l, 2)
	s.Hint()
	p.Record(s)
	chaintest.OK(t, k.Write(p))
	if p, err = k.Read(); err != nil || p.NextTask(l) != 2 {
		t.Fatalf("it goes on at task %d: %v", p.NextTask(l)+1, err)
	}
	end := begin(t, l, len(l.Tasks))
	p.Record(end)
	if !end.IsOver() || !p[l.ID].Done || p.NextTask(l) != 0 {
		t.Fatal("a lesson that was played to its end does not begin anew")
	}
	for _, bad := range []string{"{", `{"version":2}`, "[]"} {
		raw = []byte(bad)
		if _, err := k.Read(); err == nil || !strings.Contains(err.Error(), "progress") {
			t.Errorf("%s is taken for progress: %v", bad, err)
		}
	}
}

func TestAWrongFirstAnswerStaysWrongAfterQuittingAndAfterPlayingAnew(t *testing.T) {
	l, p := all(t)[0], lesson.Progress{}
	s := begin(t, l, 0)
	s.Hint()
	s.AddTime(3 * time.Second)
	s.Answer(wrongChoice(s.Question()))
	send(t, s.Chain(), "alice", `{"burn":{"token_id":"daisy"}}`)
	check(t, s)
	p.Record(s) // and quits

	p = kept(t, p)
	again := begin(t, l, p.NextTask(l))
	again.Resume(p[l.ID])
	if again.Question() != nil || again.Answered().Right || len(again.Hints()) != 1 {
		t.Fatalf("after quitting: asks %v, answered %v, hints %q", again.Question(), again.Answered(), again.Hints())
	}
	if right, of := again.Right(); right != 0 || of != 1 {
		t.Errorf("after quitting %d of %d are right", right, of)
	}
	solve(t, again)
	if !again.Next(check(t, again)) {
		t.Fatal(check(t, again).Missing())
	}
	p.Record(again)
	first := p[l.ID].First[0]

	anew := begin(t, l, 0)
	anew.Answer(anew.Question().Answer)
	p.Record(anew)
	if diff := cmp.Diff(first, kept(t, p)[l.ID].First[0]); diff != "" || first.Right || !first.Done {
		t.Errorf("played anew: %s", diff)
	}
	if first.Hints != 1 || first.Tries != 3 || first.Seconds != 3 {
		t.Errorf("it took %+v", first)
	}
}

func TestProgressOfTheProgramOfBeforeIsRead(t *testing.T) {
	p, err := lesson.DecodeProgress([]byte(`{"version":1,"lessons":{
		"06-what-a-spender-may":{"tasks":3,"done":true,"right":2,"asked":3},
		"10-queries":{"tasks":2,"done":false,"right":1,"asked":1},
		"01-owner-spender-operator":{"tasks":2,"done":false,"right":1,"asked":2}}}`))
	chaintest.OK(t, err)
	want := lesson.Progress{"02-what-a-spender-may": {Tasks: 3, Done: true, Right: 2, Asked: 3}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
}

func TestAFileOfATeachersNeverCountsAsALessonOfTheProgram(t *testing.T) {
	ours := all(t)[1]
	theirs := chaintest.Must(lesson.Read("somewhere/"+ours.ID+".yaml", strings.NewReader(lesson.Skeleton())))(t)
	p := lesson.Progress{}
	p.Record(begin(t, theirs, len(theirs.Tasks)))
	if p[ours.ID].Done || !p[theirs.ID].Done {
		t.Errorf("%+v", p)
	}
}

func TestEveryLessonIsAGoodOneAndSoIsTheOneToBeginWith(t *testing.T) {
	skeleton := chaintest.Must(lesson.Read("mine.yaml", strings.NewReader(lesson.Skeleton())))(t)
	for _, l := range append(all(t), skeleton) {
		faults := chaintest.Must(l.Faults(chaintest.InMemory))(t)
		for _, f := range faults {
			t.Errorf("%s: %s", l.ID, f)
		}
	}
	if tasks, err := skeleton.Catches("inclusive-end"); err != nil || len(tasks) != 1 {
		t.Errorf("it shows nothing: %v", err)
	}
}

func TestWhatIsWrongWithALessonIsSaid(t *testing.T) {
	const head = "name: x\naccounts: {alice: }\nsteps:\n  - as: alice\n    instantiate: {name: A, symbol: A}\n"
	for name, c := range map[string]struct{ text, says string }{
		"Solved":       {"  - note: do\n    hint: [a, b, c]\n  - query: {num_tokens: {}}\n    expect: ok\n    hint: h\n", "task 1: it is solved before it begins"},
		"NoWords":      {"  - note: do\n    hint: [a, b, c]\n  - query: {num_tokens: {}}\n    expect: {ok: {count: 1}}\n", "line 8: the goal has no words"},
		"Unsolved":     {"  - note: do\n    hint: [a, b, c]\n  - advance: {blocks: 1}\n  - query: {num_tokens: {}}\n    expect: {ok: {count: 1}}\n    hint: one token\n", "task 1: its solution does not reach: one token"},
		"NoWhy":        {"  - note: do\n    ask: {question: q, choices: [a, b], answer: a}\n", "task 1: the answer is not explained"},
		"AsksApproval": {"  - note: do\n    hint: [a, b, c]\n  - query: {approval: {token_id: a, spender: $alice}}\n    expect: ok\n    hint: h\n", "line 8: the goal asks approval, which also answers for the owner, expected approvals"},
		"NotAsTold":    {"  - note: do\n    hint: [a, b, c]\n  - as: alice\n    execute: {burn: {token_id: a}}\n    expect: ok\n    hint: h\n", "execute burn as alice"},
		"BadSetting":   {"  - as: alice\n    execute: {burn: {token_id: a}}\n    expect: ok\n  - note: do\n    ask: {question: q, choices: [a, b], answer: a, why: w}\n", "the lesson does not play"},
	} {
		t.Run(name, func(t *testing.T) {
			l := chaintest.Must(lesson.Read("x.yaml", strings.NewReader(head+c.text+"  - note: end\n")))(t)
			faults, err := l.Faults(chaintest.InMemory)
			if err != nil || !strings.Contains(strings.Join(faults, "; "), c.says) {
				t.Errorf("got %q, %v, want %q", faults, err, c.says)
			}
		})
	}
}
