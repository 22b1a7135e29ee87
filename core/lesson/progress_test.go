package lesson_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
)

// reload encodes and decodes progress.
func reload(t *testing.T, p lesson.Progress) lesson.Progress {
	t.Helper()
	return chaintest.Must(lesson.DecodeProgress(chaintest.Must(p.Encode())(t)))(t)
}

func TestALessonContinuesAtTheStoredTaskAndAfterItsEndAtTheFirst(t *testing.T) {
	l := allLessons(t)[0]
	progress := lesson.Progress{}
	if next := progress.NextTask(l); next != 0 {
		t.Errorf("a new lesson begins at task %d", next+1)
	}

	third := begin(t, l, 2)
	third.ShowNextHint()
	progress.Record(third)
	progress = reload(t, progress)
	if next := progress.NextTask(l); next != 2 {
		t.Errorf("it continues at task %d, want 3", next+1)
	}

	progress.Record(begin(t, l, len(l.Tasks)))
	if next := progress.NextTask(l); !progress[l.ID].Done || next != 0 {
		t.Errorf("after its end it continues at task %d; done: %t", next+1, progress[l.ID].Done)
	}
}

func TestProgressThatCannotBeReadIsMovedAside(t *testing.T) {
	for _, text := range []string{"{", `{"version":2}`, "[]"} {
		for _, moveErr := range []error{nil, errors.ErrUnsupported} {
			storage := lesson.Storage{
				Load:      func() ([]byte, error) { return []byte(text), nil },
				MoveAside: func() (string, error) { return "lessons.old", moveErr },
			}
			want := "the old file is lessons.old"
			if moveErr != nil {
				want = "cannot be put aside"
			}

			progress, err := storage.Read()

			if len(progress) > 0 || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, %v, want %s", text, progress, err, want)
			}
		}
	}
}

func TestTheFirstAnswerCountsAfterQuittingAndInASecondRun(t *testing.T) {
	l := allLessons(t)[0]
	progress := lesson.Progress{}
	first := begin(t, l, 0)
	first.ShowNextHint()
	first.AddTime(3 * time.Second)
	first.Answer(wrongChoice(first.Question()))
	send(t, first, "alice", `{"burn":{"token_id":"daisy"}}`)
	check(t, first)
	progress.Record(first)
	restarted := begin(t, l, 0)
	restarted.Answer(restarted.Question().Answer) // right, and too late
	progress.Record(restarted)

	progress = reload(t, progress)
	resumed := begin(t, l, progress.NextTask(l))
	resumed.Resume(progress[l.ID])

	if resumed.Question() != nil || resumed.Answered().Right || len(resumed.Hints()) != 1 {
		t.Fatalf("it asks %v, the answer is %+v, the hints are %q", resumed.Question(), resumed.Answered(), resumed.Hints())
	}
	if right, answered := resumed.AnswerCounts(); right != 0 || answered != 1 {
		t.Errorf("%d of %d answers are right", right, answered)
	}
	finishTask(t, resumed)
	progress.Record(resumed)
	record := progress[l.ID].FirstRecords[0]
	if record.Right || !record.Done || record.Hints != 1 || record.Tries != 3 || record.Seconds != 3 {
		t.Errorf("the record is %+v", record)
	}

	second := begin(t, l, 0)
	second.Answer(second.Question().Answer)
	progress.Record(second)
	if diff := cmp.Diff(record, reload(t, progress)[l.ID].FirstRecords[0]); diff != "" {
		t.Errorf("a second run changes the record (-first +second):\n%s", diff)
	}
}

func TestProgressOfAnEarlierProgramKeepsFinishedLessonsUnderTheirNewIDs(t *testing.T) {
	p, err := lesson.DecodeProgress([]byte(`{"version":1,"lessons":{
		"06-what-a-spender-may":{"tasks":3,"done":true,"right":2,"asked":3},
		"10-queries":{"tasks":2,"done":false,"right":1,"asked":1},
		"01-owner-spender-operator":{"tasks":2,"done":false,"right":1,"asked":2}}}`))
	chaintest.OK(t, err)
	want := lesson.Progress{"02-what-a-spender-may": {DoneTasks: 3, Done: true, Right: 2, Asked: 3}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
}

func TestATeachersFileHasAnotherIDThanTheBuiltInLessonOfItsName(t *testing.T) {
	builtIn := allLessons(t)[1]
	teachers := chaintest.Must(lesson.Read("folder/"+builtIn.ID+".yaml", strings.NewReader(lesson.Skeleton())))(t)

	progress := lesson.Progress{}
	progress.Record(begin(t, teachers, len(teachers.Tasks)))

	if progress[builtIn.ID].Done || !progress[teachers.ID].Done {
		t.Errorf("got %+v", progress)
	}
}

func TestTheBuiltInLessonsAndTheSkeletonHaveNoFaults(t *testing.T) {
	skeleton := chaintest.Must(lesson.Read("mine.yaml", strings.NewReader(lesson.Skeleton())))(t)
	for _, l := range append(allLessons(t), skeleton) {
		if faults := chaintest.Must(l.Faults(chaintest.InMemory))(t); len(faults) > 0 {
			t.Errorf("%s: %q", l.ID, faults)
		}
	}
	if tasks := chaintest.Must(skeleton.TasksAgainst("inclusive-end"))(t); len(tasks) != 1 {
		t.Errorf("the misconception of the skeleton is caught by the tasks %v", tasks)
	}
}

func TestFaultsNamesWhatIsWrongWithAValidLesson(t *testing.T) {
	const head = "name: x\naccounts: {alice: }\nsteps:\n  - as: alice\n    instantiate: {name: A, symbol: A}\n"
	for name, c := range map[string]struct{ text, fault string }{
		"a goal that is reached at once":          {"  - note: do\n    hint: [a, b, c]\n  - query: {num_tokens: {}}\n    expect: ok\n    hint: h\n", "task 1: it is solved before it begins"},
		"one of two goals is reached at once":     {"  - note: do\n    hint: [a, b, c]\n  - as: alice\n    execute: {mint: {token_id: a, owner: $alice}}\n  - query: {all_operators: {owner: $alice}}\n    expect: ok\n    hint: no operator\n  - query: {owner_of: {token_id: a}}\n    expect: ok\n    hint: alice owns a\n", "task 1: the goal is reached before it begins: no operator"},
		"a goal without words":                    {"  - note: do\n    hint: [a, b, c]\n  - query: {num_tokens: {}}\n    expect: {ok: {count: 1}}\n", "line 8: the goal has no words"},
		"a solution that does not reach the goal": {"  - note: do\n    hint: [a, b, c]\n  - advance: {blocks: 1}\n  - query: {num_tokens: {}}\n    expect: {ok: {count: 1}}\n    hint: one token\n", "task 1: its solution does not reach: one token"},
		"an answer without an explanation":        {"  - note: do\n    ask: {question: q, choices: [a, b], answer: a}\n", "task 1: the answer is not explained"},
		"a goal that asks approval":               {"  - note: do\n    hint: [a, b, c]\n  - query: {approval: {token_id: a, spender: $alice}}\n    expect: ok\n    hint: h\n", "line 8: the goal asks approval, which also answers for the owner, expected approvals"},
		"a step with another outcome":             {"  - note: do\n    hint: [a, b, c]\n  - as: alice\n    execute: {burn: {token_id: a}}\n    expect: ok\n    hint: h\n", "execute burn as alice"},
		"a set-up with another outcome":           {"  - as: alice\n    execute: {burn: {token_id: a}}\n    expect: ok\n  - note: do\n    ask: {question: q, choices: [a, b], answer: a, why: w}\n", "the lesson does not play"},
	} {
		l := chaintest.Must(lesson.Read("x.yaml", strings.NewReader(head+c.text+"  - note: end\n")))(t)

		faults := chaintest.Must(l.Faults(chaintest.InMemory))(t)

		if !strings.Contains(strings.Join(faults, "; "), c.fault) {
			t.Errorf("%s: got %q, want %q", name, faults, c.fault)
		}
	}
}

func TestGiveawaysNamesWhatTellsTheAnswer(t *testing.T) {
	const text = "name: %s\naccounts: {alice: }\nsteps:\n  - as: alice\n    instantiate: {name: A, symbol: A}\n" +
		"  - note: %s\n    hint: [a, b, c]\n    ask: {question: q, choices: [red rose, tulip], answer: red rose, why: w}\n" +
		"  - as: alice\n    execute: {burn: {token_id: rose}}\n    expect: error\n    hint: burned\n  - note: end\n"
	for name, c := range map[string]struct{ title, story, warning string }{
		"nothing":                 {"x", "As alice, burn it.", ""},
		"the answer in the story": {"x", "There is a red rose.", `task 1: the story contains the answer "red rose" and no other choice`},
		"every choice":            {"x", "There are a red rose and a tulip.", ""},
		"the answer in the title": {"The red rose", "Burn it.", `task 1: the title contains the answer "red rose" and no other choice`},
		"try to":                  {"x", "As alice, try to burn it.", `task 1: "try to" reveals that a message is refused, expected a story that says "send"`},
	} {
		l := chaintest.Must(lesson.Read("x.yaml", strings.NewReader(fmt.Sprintf(text, c.title, c.story))))(t)

		warnings := strings.Join(l.Giveaways(), "; ")

		if warnings != c.warning {
			t.Errorf("%s: got %q, want %q", name, warnings, c.warning)
		}
	}
}

func TestASessionOfATaskThatTheLessonNoLongerHasIsOver(t *testing.T) {
	played := allLessons(t)[0]
	session := chaintest.Must(lesson.Repeat(chaintest.InMemory, played, []int{len(played.Tasks)}))(t)
	defer session.Chain().Close()
	if !session.IsOver() || session.Task() != nil {
		t.Errorf("the session plays %+v, expected no task", session.Task())
	}
}
