package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
)

// playLines types lines in a lesson, and returns what the program printed.
func playLines(t *testing.T, keep lesson.Storage, id string, lines ...string) string {
	t.Helper()
	var out, faults bytes.Buffer
	p := command.Program{Open: openDatabase, Progress: func(string) lesson.Storage { return keep }, Stdin: strings.NewReader(strings.Join(lines, "\n")), Stdout: &out, Stderr: &faults}
	if status := cli.Run(p, []string{"learn", id}); status != 0 || faults.Len() > 0 {
		t.Fatalf("%s: status %d: %s\n%s", id, status, faults.String(), out.String())
	}
	return out.String()
}

func TestEveryLessonCanBeDoneWithWrongAnswersAndItsHints(t *testing.T) {
	all := chaintest.Must(lesson.All())(t)
	for _, l := range all {
		t.Run(l.ID, func(t *testing.T) {
			var kept []byte
			keep := lesson.Storage{Load: func() ([]byte, error) { return kept, nil }, Save: func(b []byte) error { kept = b; return nil }}
			var told string
			for _, task := range l.Tasks {
				told = takeTask(t, keep, l.ID, task)
			}
			if !strings.Contains(told, "Remember\n") {
				t.Fatalf("the end does not say what to remember:\n%s", told)
			}
			if p, err := lesson.DecodeProgress(kept); err != nil || !p[l.ID].Done {
				t.Fatalf("that it is done is not kept: %s, %v", kept, err)
			}
		})
	}
}

// takeTask answers the question of a task wrongly, asks for all hints, and does what they say.
// It returns what the program printed.
func takeTask(t *testing.T, keep lesson.Storage, id string, task lesson.Task) string {
	t.Helper()
	var lines []string
	if ask := task.Ask; ask != nil {
		wrong := "1"
		if ask.Choices[0].Text == ask.Answer {
			wrong = "2"
		}
		lines = []string{wrong}
	}
	if len(task.Checks) > 0 {
		told := playLines(t, keep, id, append(lines, "hint", "hint", "hint")...)
		if !strings.Contains(told, "To reach: ") {
			t.Fatalf("it does not say what is to be reached:\n%s", told)
		}
		if keep.Save != nil {
			lines = nil // the answer is kept
		}
		for line := range strings.SplitSeq(told, "\n") {
			if said, ok := strings.CutPrefix(line, "Say: "); ok {
				lines = append(lines, said)
			}
		}
	}
	told := playLines(t, keep, id, lines...)
	if !strings.Contains(told, "This task is done.") {
		t.Fatalf("said %q, and the task is not done:\n%s", lines, told)
	}
	return told
}

func TestTheLessonInTheReadmePlaysAndTeaches(t *testing.T) {
	page := chaintest.Must(os.ReadFile("help/lessons.md"))(t)
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("the page on lessons has none in it")
	}
	name := filepath.Join(t.TempDir(), "my.yaml")
	chaintest.OK(t, os.WriteFile(name, []byte(text), 0o600))
	l := chaintest.Must(lesson.Read(name, strings.NewReader(text)))(t)
	var out bytes.Buffer
	p := command.Program{Open: openDatabase, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}
	if status := cli.Run(p, []string{"run", name}); status != 0 {
		t.Fatal(out.String())
	}
	for _, task := range l.Tasks {
		takeTask(t, lesson.Storage{}, name, task)
	}
}
