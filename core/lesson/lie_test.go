package lesson_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/lesson"
	"ephemera/core/scenario"
)

// The measure of the course: whoever holds one of the misconceptions is asked
// about it, and meets a step that comes out otherwise than he believes.
func TestLiesAreEachCaughtByALesson(t *testing.T) {
	course := all(t)
	var table strings.Builder
	fmt.Fprintf(&table, "%-22s", "lesson")
	for i := range course {
		fmt.Fprintf(&table, "%4d", i+1)
	}
	caught := 0
	for _, lie := range lesson.Misconceptions() {
		fmt.Fprintf(&table, "\n%-22s", lie)
		found, asked := 0, 0
		for _, l := range course {
			tasks, err := l.Catches(lie)
			if err != nil {
				t.Fatalf("%s, %s: %v", l.ID, lie, err)
			}
			about := 0
			for i, task := range l.Tasks {
				if !slices.Contains(task.CanFind(), lie) {
					continue
				}
				if about++; !slices.Contains(tasks, i) {
					t.Errorf("%s, task %d: a choice believes %s, and no step of the task shows that it is wrong", l.ID, i+1, lie)
				}
			}
			found, asked = found+len(tasks), asked+about
			cell := "·"
			if len(tasks) > 0 {
				cell = fmt.Sprintf("%d/%d", about, len(tasks))
			}
			fmt.Fprintf(&table, "%4s", cell)
		}
		if found > 0 {
			caught++
		}
		if found == 0 || asked == 0 {
			t.Errorf("%s: %d tasks catch it, %d ask about it", lie, found, asked)
		}
	}
	t.Logf("tasks that ask about a lie / that catch it\n%s\n%d of %d are caught", table.String(), caught, len(lesson.Misconceptions()))
}

func TestTheTruthIsNeverCaught(t *testing.T) {
	for _, l := range all(t) {
		if tasks, err := l.Catches(lesson.NoMisconception); err != nil || len(tasks) > 0 {
			t.Errorf("%s: tasks %v, %v", l.ID, tasks, err)
		}
	}
}

// play plays the whole course with given answers, and gives what is kept of it.
func play(t *testing.T, answer func(*lesson.Task) string) lesson.Progress {
	t.Helper()
	p := lesson.Progress{}
	for _, l := range all(t) {
		s := begin(t, l, 0)
		for !s.IsOver() {
			if s.Question() != nil {
				s.Answer(answer(s.Task()))
			}
			if solve(t, s); !s.Next(check(t, s)) {
				t.Fatalf("%s: task %d is not done", l.ID, s.TaskIndex()+1)
			}
			p.Record(s)
		}
	}
	return p
}

func TestWhoBelievesALieFailsExactlyWhereItIsAskedAbout(t *testing.T) {
	for _, lie := range lesson.Misconceptions() {
		t.Run(string(lie), func(t *testing.T) {
			p := play(t, func(task *lesson.Task) string {
				for _, c := range task.Ask.Choices {
					if task.Believes(c) == lie {
						return c
					}
				}
				return task.Ask.Answer
			})
			failed := 0
			for _, l := range all(t) {
				for i, task := range l.Tasks {
					about := slices.Contains(task.CanFind(), lie)
					if right := p[l.ID].First[i].Right; right == about {
						t.Errorf("%s, task %d: about it %t, right %t", l.ID, i+1, about, right)
					}
					if about {
						failed++
					}
				}
			}
			for _, b := range lesson.ReportClass([]lesson.Result{p.Result("he", all(t))}).Beliefs {
				if holds := len(b.Holders) == 1; holds != (b.Misconception == lie) {
					t.Errorf("that he believes %s, the report says is %t", b.Misconception, holds)
				}
			}
			if failed == 0 {
				t.Error("he fails nowhere")
			}
		})
	}
}

func TestGuessingBlindlyIsRightInAtMostThirtyOfAHundred(t *testing.T) {
	questions, right := 0, 0.0
	strategies := map[string]int{}
	for _, l := range all(t) {
		for i, task := range l.Tasks {
			if task.Ask == nil {
				continue
			}
			n := len(task.Ask.Choices)
			if n < 3 {
				t.Errorf("%s: task %d has %d choices", l.ID, i+1, n)
			}
			questions++
			right += 1 / float64(n)
			count := func(strategy, choice string) {
				if choice == task.Ask.Answer {
					strategies[strategy]++
				}
			}
			count("the first", task.Ask.Choices[0])
			count("the second", task.Ask.Choices[1])
			count("the third", task.Ask.Choices[2])
			count("the last", task.Ask.Choices[n-1])
			longest := slices.Clone(task.Ask.Choices)
			slices.SortStableFunc(longest, func(a, b string) int { return len(b) - len(a) })
			count("the longest", longest[0])
			count("the shortest", longest[n-1])
		}
	}
	t.Logf("%d questions; guessing is right in %.1f %%; always %v", questions, 100*right/float64(questions), strategies)
	if right > 0.30*float64(questions) {
		t.Errorf("guessing is right in %.1f %%", 100*right/float64(questions))
	}
	for s, n := range strategies {
		if n*2 > questions {
			t.Errorf("%s is right in %d of %d", s, n, questions)
		}
	}
}

// wordsOf gives the words of a text, without what stands around them.
func wordsOf(text string) []string {
	words := strings.Fields(strings.NewReplacer("'s", "", "\"", " ").Replace(strings.ToLower(text)))
	for i, w := range words {
		words[i] = strings.Trim(w, ",.:;?")
	}
	return words
}

// told gives the share of a choice's words that a story has. Words that
// another choice has as well don't count.
func told(story, choice string, choices []string) float64 {
	own, found := 0, 0
	for _, word := range wordsOf(choice) {
		if slices.ContainsFunc(choices, func(c string) bool { return c != choice && slices.Contains(wordsOf(c), word) }) {
			continue
		}
		own++
		if slices.Contains(wordsOf(story), word) {
			found++
		}
	}
	return float64(found) / float64(max(own, 1))
}

// What is on the screen before the prediction does not tell it: a story that
// has all words of the answer has half of the words of a wrong choice.
func TestNoStoryTellsTheAnswer(t *testing.T) {
	chance := map[string]string{
		"13-queries, task 4":          "the story says how many there are, the answer how many are shown",
		"17-royalty-of-v0220, task 1": "only the word collection tells the answer apart",
	}
	for _, l := range all(t) {
		for i, task := range l.Tasks {
			if task.Ask == nil {
				continue
			}
			tells := told(task.Story, task.Ask.Answer, task.Ask.Choices) == 1
			for _, c := range task.Ask.Choices {
				if c != task.Ask.Answer && told(task.Story, c, task.Ask.Choices) >= 0.5 {
					tells = false
				}
			}
			at := fmt.Sprintf("%s, task %d", l.ID, i+1)
			if known := chance[at] != ""; tells != known {
				t.Errorf("%s: that the story tells %q is %t, and known is %t", at, task.Ask.Answer, tells, known)
			}
		}
	}
}

func TestEveryWrongChoiceHasAnAnswerOfItsOwn(t *testing.T) {
	for _, l := range all(t) {
		for i, task := range l.Tasks {
			for _, c := range task.Ask.Choices {
				if c != task.Ask.Answer && task.Ask.Replies[c].Why == "" {
					t.Errorf("%s: task %d says nothing to %q", l.ID, i+1, c)
				}
				if c == task.Ask.Answer && task.Ask.Replies[c] != (scenario.Reply{}) {
					t.Errorf("%s: task %d: the right answer has a reply", l.ID, i+1)
				}
			}
		}
	}
}
