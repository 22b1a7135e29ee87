package lesson_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
)

// testdata/sentences.txt has every sentence of the course, in its order: of each task the
// story, the replies to its wrong choices and why the right one is right; after the tasks,
// as task 0, what to remember.
//
//	LESSON.TASK EVIDENCE | SENTENCE
//
// The evidence names steps that show the sentence to be true, of the same task or of a task
// that is named before a slash: "bob:approve" was accepted, "bob:approve!" refused,
// "?owner_of" is a query, "clock" a move of the clock. A "-" is evidence for a sentence that
// states no rule: the situation, the task, advice, or what is outside the contract. Whether
// the steps show it is for the reader to judge. This test fails if a step is missing, and
// others play the steps.
func TestEverySentenceThatStatesARuleStandsBesideAStepThatShowsIt(t *testing.T) {
	var course []string                   // a line for each sentence, without evidence
	shown := map[string]map[string]bool{} // by task, what its steps show
	add := func(place, text string) {
		if text != "" {
			for sentence := range strings.SplitSeq(strings.ReplaceAll(text, ". ", ".\n"), "\n") {
				course = append(course, place+" | "+sentence)
			}
		}
	}
	for i, l := range allLessons(t) {
		for j, task := range l.Tasks {
			place := fmt.Sprintf("%d.%d", i+1, j+1)
			shown[place] = evidence(task)
			add(place, task.Story)
			for _, choice := range task.Ask.Choices {
				add(place, choice.Why)
			}
			add(place, task.Ask.Why)
		}
		add(fmt.Sprintf("%d.0", i+1), l.Remember)
	}

	raw := chaintest.Must(os.ReadFile("testdata/sentences.txt"))(t)
	var listed []string
	for line := range strings.Lines(string(raw)) {
		before, sentence, _ := strings.Cut(strings.TrimSpace(line), " | ")
		place, steps, _ := strings.Cut(before, " ")
		listed = append(listed, place+" | "+sentence)
		for _, step := range strings.Fields(steps) {
			where, what, isElsewhere := strings.Cut(step, "/")
			if !isElsewhere {
				where, what = place, step
			}
			if step != "-" && !shown[where][what] {
				t.Errorf("task %s has no step %s, which is to show: %s", where, what, sentence)
			}
		}
	}
	if diff := cmp.Diff(course, listed); diff != "" {
		t.Errorf("sentences.txt differs from the course (-course +file):\n%s", diff)
	}
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
		if s.Sender != "" {
			name = s.Sender + ":" + name
		}
		if s.Expect != nil && s.Expect.Refused {
			name += "!"
		}
		out[name] = true
	}
	return out
}
