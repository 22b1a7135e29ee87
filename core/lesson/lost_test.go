package lesson_test

import (
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/lesson"
)

// spoilers returns actions that can make the goals of a task unreachable: each burns a token
// that there is, or transfers it away, in its owner's name; the last one moves the clock far.
func spoilers(t *testing.T, s *lesson.Session) (actions []func(*lesson.Session)) {
	t.Helper()
	chaintest.OK(t, s.Chain().View(func(v *chain.View) error {
		for token, err := range v.Tokens("", cw721.Walk{}) {
			if err != nil {
				return err
			}
			owner := string(token.Owner)
			actions = append(actions,
				func(s *lesson.Session) { send(t, s, owner, `{"burn":{"token_id":"`+token.ID+`"}}`) },
				func(s *lesson.Session) {
					send(t, s, owner, `{"transfer_nft":{"recipient":"$creator","token_id":"`+token.ID+`"}}`)
				})
		}
		return nil
	}))
	moveClock := func(s *lesson.Session) { advance(t, s, chain.ClockStep{Blocks: 100_000}) }
	return append(actions, moveClock)
}

// What is done by mistake either leaves the way of the solution open, or the goals that it
// spoils say that undo takes it back, and after the undo the solution works.
func TestASpoiledGoalAdvisesUndoAndUndoMakesTheTaskSolvable(t *testing.T) {
	spoiled := 0
	for _, l := range allLessons(t) {
		for task := range l.Tasks {
			if len(l.Tasks[task].Checks) == 0 {
				continue
			}
			all := spoilers(t, begin(t, l, task))
			for i, spoil := range all {
				s := beginAnswered(t, l, task)
				spoil(s)
				missing := check(t, s).Missing()

				advises := func(goal string) bool { return strings.Contains(goal, "undo") }
				isSpoiled := slices.ContainsFunc(missing, advises)
				if isSpoiled {
					spoiled++
					chaintest.Must(s.Chain().Undo(1))(t)
				}
				movesClock := i == len(all)-1
				if movesClock && !isSpoiled {
					continue // solve cannot move the clock to the solution's blocks
				}
				solve(t, s)
				if c := check(t, s); !c.Done {
					t.Errorf("%s, task %d, spoiler %d: after %q it is not solved: %q", l.ID, task+1, i, missing, c.Missing())
				}
			}
		}
	}
	if spoiled < 50 {
		t.Errorf("only %d tasks were spoiled", spoiled)
	}
}

func TestTheAdviceNamesTheMessageInTheWayAndHowManyUndosTakeItBack(t *testing.T) {
	s := beginAnswered(t, lessonNamed(t, "what-a-transfer-wipes"), 0)
	send(t, s, "alice", `{"approve":{"spender":"$carol","token_id":"tulip"}}`)
	send(t, s, "alice", `{"burn":{"token_id":"rose"}}`)
	send(t, s, "bob", `{"burn":{"token_id":"rose"}}`) // refused, and costs no undo
	send(t, s, "alice", `{"approve":{"spender":"$dave","token_id":"tulip"}}`)

	missing := check(t, s).Missing()

	const want = `(there is no rose now; "burn rose" by alice is in the way; undo, 2 times, takes it back)`
	if len(missing) == 0 || !strings.HasSuffix(missing[len(missing)-1], want) {
		t.Errorf("missing %q", missing)
	}
}

func TestGoalsThatCanStillBeReachedAdviseNoUndo(t *testing.T) {
	s := beginAnswered(t, allLessons(t)[0], 2)
	send(t, s, "creator", `{"mint":{"token_id":"lily","owner":"$alice"}}`) // the second step of the solution first
	for _, goal := range check(t, s).Missing() {
		if strings.Contains(goal, "undo") {
			t.Error(goal)
		}
	}
}

func TestChoicesAreShuffledByLearnerAndQuestionAndStaySo(t *testing.T) {
	question := func(learner string, task int) []string {
		s := begin(t, allLessons(t)[0], task)
		s.Learner = learner
		return s.Choices()
	}
	file := question("", 0)
	if !slices.Equal(file, allLessons(t)[0].Tasks[0].Ask.Choices.Texts()) {
		t.Errorf("without a name: %q", file)
	}
	orders := map[string]bool{}
	for _, learner := range []string{"ana", "ben", "cleo", "dora", "eli"} {
		first, again := question(learner, 0), question(learner, 0)
		if !slices.Equal(first, again) {
			t.Errorf("%s sees %q and then %q", learner, first, again)
		}
		if !slices.Equal(slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(file))) {
			t.Errorf("%s sees other choices: %q", learner, first)
		}
		orders[strings.Join(first, "; ")] = true
	}
	if len(orders) < 3 {
		t.Errorf("five learners see %d orders", len(orders))
	}
}

func TestWhoLooksAroundBeforeTheAnswerIsRecorded(t *testing.T) {
	s := begin(t, allLessons(t)[0], 0)
	s.NoteLook()
	s.NoteQuery([]byte(`{"num_tokens":{}}`))
	s.Answer(s.Question().Answer)
	s.NoteLook() // after the answer
	if looked := s.Answered().LookCount; looked != 2 {
		t.Errorf("looked %d times", looked)
	}
}
