package lesson_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
)

// testdata/sentences.txt has every sentence of the course, in its order: of each
// task the story, the answers to its wrong choices and why the right one is right;
// after the tasks, as task 0, what to remember.
//
//	LESSON.TASK EVIDENCE | SENTENCE
//
// The evidence are steps that show the sentence to be so, of the same task or of a
// task that is named before a slash: "bob:approve" was carried out, "bob:approve!"
// refused, "?owner_of" is a query, "clock" a move of the clock. A "-" is for what
// states no rule: the situation and what is to be done, advice, or what lies outside
// of the contract. Whether the steps show it is for the reader to judge; that they are
// there and come out so, is held here.
func TestEverySentenceThatStatesARuleStandsBesideAStepThatShowsIt(t *testing.T) {
	raw := chaintest.Must(os.ReadFile("testdata/sentences.txt"))(t)
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	course := allLessons(t)
	shown := map[string]map[string]bool{} // by task, what its steps show
	for i, l := range course {
		for j, task := range l.Tasks {
			shown[fmt.Sprintf("%d.%d", i+1, j+1)] = evidence(task)
		}
	}
	rules, next := 0, 0
	for i, l := range course {
		for j, task := range l.Tasks {
			texts := []string{task.Story}
			for _, choice := range task.Ask.Choices {
				texts = append(texts, task.Ask.Replies[choice].Why)
			}
			for _, text := range append(texts, task.Ask.Why) {
				next += holdSentences(t, shown, lines[next:], i+1, j+1, text, &rules)
			}
		}
		next += holdSentences(t, shown, lines[next:], i+1, 0, l.Remember, &rules)
	}
	if next != len(lines) {
		t.Errorf("the file has %d sentences, the course %d", len(lines), next)
	}
	t.Logf("%d sentences, %d of them state a rule and stand beside a step", next, rules)
}

func holdSentences(t *testing.T, shown map[string]map[string]bool, lines []string, number, task int, text string, rules *int) (n int) {
	t.Helper()
	if text == "" {
		return 0
	}
	for s := range strings.SplitSeq(strings.ReplaceAll(text, ". ", ".\n"), "\n") {
		if n == len(lines) {
			t.Fatalf("the file ends before: %d.%d %s", number, task, s)
		}
		before, sentence, _ := strings.Cut(lines[n], " | ")
		place, steps, _ := strings.Cut(before, " ")
		if want := fmt.Sprintf("%d.%d", number, task); place != want || sentence != s {
			t.Fatalf("the file has\n%s\nand the course\n%s … | %s", lines[n], want, s)
		}
		n++
		if steps == "-" {
			continue
		}
		*rules++
		for _, e := range strings.Fields(steps) {
			where, what, ok := strings.Cut(e, "/")
			if !ok {
				where, what = place, e
			}
			if !shown[where][what] {
				t.Errorf("task %s has no step %s, which is to show: %s", where, what, s)
			}
		}
	}
	return n
}

// evidence names what the steps of a task show; that they come out so, playing
// the lesson as a scenario holds.
func evidence(task lesson.Task) map[string]bool {
	out := map[string]bool{}
	for _, s := range append(task.Solution, task.Checks...) {
		if s.At != nil || s.Advance != nil {
			out["clock"] = true
		}
		name, _, _ := strings.Cut(strings.Trim(string(s.Message), "{ "), ":")
		if text, err := strconv.Unquote(name); err == nil {
			name = text
		}
		if s.Kind == scenario.Query {
			name = "?" + name
		}
		if s.As != "" {
			name = s.As + ":" + name
		}
		if s.Expect != nil && s.Expect.Refused {
			name += "!"
		}
		out[name] = true
	}
	return out
}
