package lessons_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/core/lesson"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
	"ephemera/ui/uitest"
)

// classroom keeps the progress of some learners, who use the explorer and text mode.
type classroom struct {
	t        *testing.T
	dir      string // where results are handed in
	progress map[string]lesson.Storage
}

// storage returns the storage of a learner's progress, which both ways of learning share.
func (c *classroom) storage(learner string) lesson.Storage { return c.progress[learner] }

// run runs a command of the program in text mode with some input, and returns its output.
func (c *classroom) run(input string, args ...string) string {
	c.t.Helper()
	var stdout, stderr bytes.Buffer
	openInMemory := func(w command.OpenOptions) (*command.Database, error) {
		db, err := chain.OpenWith(kv.NewMemory(), w.ChainOptions())
		return &command.Database{Chain: db}, err
	}
	program := command.Program{
		Open:     openInMemory,
		Progress: c.storage,
		Stdin:    strings.NewReader(input),
		Stdout:   &stdout,
		Stderr:   &stderr,
	}
	if status := cli.Run(program, args); status != 0 {
		c.t.Fatalf("%v: status %d: %s", args, status, &stderr)
	}
	return stdout.String()
}

// explore opens the explorer for a learner, with the list of lessons.
func (c *classroom) explore(learner string) *uitest.Driver {
	d := uitest.New(c.t, func(o app.Options) *ui.Model {
		o.Progress = c.storage
		o.Learner = learner
		return ui.New(o)
	}, 120, 36)
	d.Press(LessonsKey)
	return d
}

// answer answers the question of the first lesson in the explorer.
func (c *classroom) answer(learner, answer string) {
	c.t.Helper()
	d := c.explore(learner)
	d.Press("enter")
	choice := slices.Index(book(d).CurrentRun.Session.Choices(), answer)
	d.Press(strconv.Itoa(choice+1), "enter")
	d.Sees("no, minting gives")
	d.Press("enter", "Q")
}

// ana answers in the explorer and goes on in text mode; ben works in text mode only, and
// cleo in the explorer only. The report of the class counts each answer once.
func TestAClassMixesResultsOfTheExplorerAndOfTextMode(t *testing.T) {
	const wrong, right = "yes, whoever minted a token may transfer it", "no, minting gives no permission over a token"
	const solution = `exec --as creator {"transfer_nft":{"recipient":"$creator","token_id":"rose"}}
exec --as alice {"approve":{"spender":"$bob","token_id":"rose"}}
`
	c := &classroom{t: t, dir: t.TempDir(), progress: map[string]lesson.Storage{"ana": keeper(), "ben": keeper(), "cleo": keeper()}}
	c.answer("ana", wrong)
	c.answer("cleo", right)
	files := map[string]string{}
	for learner := range c.progress {
		files[learner] = filepath.Join(c.dir, learner+".json")
	}
	text := c.run(solution, "learn", "1", "--learner", "ana", "--result", files["ana"])
	if asksAgain := strings.Contains(text, "Predict: creator minted"); asksAgain || !strings.Contains(text, "You said: "+wrong) {
		t.Errorf("text mode does not know the answer that was given in the explorer:\n%s", text)
	}
	c.run(right+"\n", "learn", "1", "--learner", "ben", "--result", files["ben"])
	c.run("", "learn", "--learner", "cleo", "--result", files["cleo"])

	report := c.run("", "class", "report", files["ana"], files["ben"], files["cleo"])
	for _, line := range []string{
		`{"name":"ana","signs":["-"]},{"name":"ben","signs":["+"]},{"name":"cleo","signs":["+"]}`,
		`"answered":3,"right":2,`,
		`"wrong":[{"choice":"` + wrong + `","count":1}]`,
		`"text":"whoever minted a token may transfer it","learners":[{"learner":"ana","asked":1,"held":1,"is_held":true}`,
	} {
		if !strings.Contains(report, line) {
			t.Errorf("the report lacks %q:\n%s", line, report)
		}
	}
	c.explore("ana").Sees("task 2 of 4") // which she reached in text mode
}
