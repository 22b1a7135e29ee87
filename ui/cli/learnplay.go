package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/ui/widget"
)

// learner is a lesson that is being played line by line.
type learner struct {
	*app
	session  *lesson.Session
	all      []lesson.Lesson
	progress lesson.Progress
	check    lesson.Check
	lines    *bufio.Scanner
	prompt   string
}

// learn plays a lesson until it is over, the input ends or the learner does.
func (a *app) learn(ctx context.Context, all []lesson.Lesson, l lesson.Lesson, p lesson.Progress, from int) error {
	s, err := lesson.Begin(a.inMemory, l, from)
	if err != nil {
		return err
	}
	defer s.Chain().Close() // it is in memory, and nothing of it is kept
	play := &learner{app: a, session: s, all: all, progress: p, lines: bufio.NewScanner(a.Stdin)}
	play.lines.Buffer(nil, longestMessage)
	if f, ok := a.Stdin.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		play.prompt = "> "
	}
	err = a.writeText(func(w *bufio.Writer) error {
		fmt.Fprintf(w, "Lesson: %s\n", widget.Safe(l.Title)) // Flush gives its error
		prose(w, l.About)
		prose(w, "It has a collection of its own, and yours is left alone. `help` says what you can say.")
		return nil
	})
	if err == nil {
		err = play.tell()
	}
	for err == nil && !s.Over() {
		var line string
		if line, err = play.read(ctx); err == nil {
			err = play.say(ctx, line)
		}
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, errQuit):
		return play.part()
	case err != nil:
		return err
	}
	return play.end()
}

// read gives the next line, or io.EOF.
func (p *learner) read(ctx context.Context) (string, error) {
	if _, err := io.WriteString(p.textOut(), p.prompt); err != nil {
		return "", err
	}
	return untilDone(ctx, func() (string, error) {
		if !p.lines.Scan() {
			if err := p.lines.Err(); err != nil {
				return "", misused("stdin: a line cannot be read: %v", err)
			}
			return "", io.EOF
		}
		return strings.TrimSpace(p.lines.Text()), nil
	})
}

// say does what a line says, and then tells what is reached.
func (p *learner) say(ctx context.Context, line string) error {
	switch line {
	case "":
		return nil
	case "quit", "exit", "q":
		return errQuit
	case "hint":
		return p.hint()
	case "task":
		return p.tell()
	case "help", "?":
		return p.help()
	}
	if ask := p.session.Asks(); ask != nil {
		choice, ok := chosen(ask.Choices, line)
		if !ok {
			p.complain("predict first: expected a number from 1 to %d, or one of the answers as it stands there", len(ask.Choices))
			return nil
		}
		return p.answer(choice)
	}
	words, err := splitLine(line)
	if err != nil {
		p.report(err)
		return nil
	}
	p.command(ctx, words)
	return p.look()
}

// chosen finds the answer that a line names: by its number, or as it stands
// there, thousands with or without their commas.
func chosen(choices []string, line string) (string, bool) {
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(choices) {
		return choices[n-1], true
	}
	bare := strings.NewReplacer(",", "")
	for _, c := range choices {
		if strings.EqualFold(bare.Replace(c), bare.Replace(line)) {
			return c, true
		}
	}
	return "", false
}

// command runs a command of the program on the lesson's collection.
func (p *learner) command(ctx context.Context, words []string) {
	program := p.Program
	program.Stdin = strings.NewReader("") // the lines belong to the lesson
	sub := &app{Program: program, held: &Database{Chain: p.session.Chain()}}
	root := &cobra.Command{Use: "ephemera", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(sub.execCommand(), sub.queryCommand(), sub.clockCommand(), sub.whyCommand(), sub.probeCommand(), sub.matrixCommand(),
		sub.historyCommand(), sub.undoCommand(), sub.redoCommand(), sub.accountsCommand())
	root.CompletionOptions.DisableDefaultCmd = true
	if words[0] == root.Use {
		words = words[1:]
	}
	if i := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return len(words) > 0 && c.Name() == words[0] }); i < 0 {
		fmt.Fprintf(p.Stderr, "ephemera: %s is nothing to say in a lesson; `help` lists what is\n", widget.Safe(strings.Join(words, " ")))
		return
	}
	root.SetArgs(words)
	root.SetIn(program.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && !sub.started && !is[*usageError](err) {
		err = &usageError{err.Error()}
	}
	sub.report(err)
}

// tell tells the task in hand, its question, and what is to be reached.
func (p *learner) tell() error {
	t := p.session.Task()
	if t == nil {
		return nil
	}
	err := p.writeText(func(w *bufio.Writer) error {
		fmt.Fprintf(w, "\nTask %d of %d\n", p.session.At()+1, len(p.session.Lesson.Tasks)) // Flush gives its error
		prose(w, t.Story)
		if ask := p.session.Asks(); ask != nil {
			prose(w, "\nPredict: "+ask.Question)
			for i, c := range ask.Choices {
				prose(w, fmt.Sprintf("  %d  %s", i+1, c))
			}
			prose(w, "Say the number of your answer.")
		}
		return nil
	})
	if err != nil || p.session.Asks() != nil {
		return err
	}
	p.check = lesson.Check{}
	return p.look()
}

func (p *learner) answer(choice string) error {
	ask := p.session.Asks()
	right := p.session.Answer(choice)
	err := p.writeText(func(w *bufio.Writer) error {
		verdict := "Right: "
		if !right {
			verdict = "Not so. It is: "
		}
		prose(w, verdict+ask.Answer)
		prose(w, ask.Why)
		return nil
	})
	if err != nil {
		return err
	}
	p.check = lesson.Check{}
	return p.look()
}

// look says what was reached since it looked last, or is no longer, and goes on
// when the task is done.
func (p *learner) look() error {
	was := p.check
	var err error
	if p.check, err = p.session.Check(); err != nil {
		return err
	}
	err = p.writeText(func(w *bufio.Writer) error {
		for i, g := range p.check.Goals {
			before := i < len(was.Goals)
			switch {
			case before && g == was.Goals[i]:
			case g.Reached:
				prose(w, "Reached: "+g.Text)
			case before && was.Goals[i].Reached:
				prose(w, "No longer: "+g.Text)
			default:
				prose(w, "To reach: "+withInstead(g))
			}
		}
		return nil
	})
	if err != nil || !p.session.Next(p.check) {
		return err
	}
	p.progress.Note(p.session)
	if err := p.Progress.Write(p.progress); err != nil {
		fmt.Fprintf(p.Stderr, "ephemera: your progress is not kept: %v\n", err)
	}
	if _, err := fmt.Fprintln(p.textOut(), "This task is done."); err != nil {
		return err
	}
	return p.tell()
}

func withInstead(g lesson.Goal) string {
	if g.Instead == "" {
		return g.Text
	}
	return g.Text + " (" + g.Instead + ")"
}

func (p *learner) hint() error {
	before := len(p.session.Hints())
	hints := p.session.Hint()
	return p.writeText(func(w *bufio.Writer) error {
		if len(hints) == before {
			prose(w, "There is no stronger hint.")
			return nil
		}
		for _, h := range hints[before:] {
			prose(w, "Hint: "+h)
		}
		for _, s := range p.session.Solution() {
			for _, line := range sayings(s) {
				fmt.Fprintf(w, "Say: %s\n", widget.Safe(line)) // whole, to be copied; Flush gives its error
			}
		}
		return nil
	})
}

// sayings writes a step of a solution as it is said in a lesson.
func sayings(s scenario.Step) (out []string) {
	if m := s.Advance; m != nil {
		line := "clock advance"
		if m.Blocks > 0 {
			line += fmt.Sprintf(" %dblocks", m.Blocks)
		}
		if m.Time > 0 {
			line += " " + m.Time.String()
		}
		out = append(out, line)
	}
	if at := s.At; at != nil {
		line := "clock set"
		if at.Height != nil {
			line += fmt.Sprintf(" --height %d", *at.Height)
		}
		if at.Time != nil {
			line += fmt.Sprintf(" --time %d", *at.Time)
		}
		out = append(out, line)
	}
	if s.Kind == scenario.Execute {
		out = append(out, fmt.Sprintf("exec --as %s %s", s.As, s.Message))
	}
	return out
}

func (p *learner) help() error {
	_, text, _ := strings.Cut(p.learnCommand().Long, "In a lesson, say\n")
	_, err := fmt.Fprintln(p.textOut(), "Say\n"+text)
	return err
}

// part ends a lesson that is not over.
func (p *learner) part() error {
	return p.writeText(func(w *bufio.Writer) error {
		prose(w, fmt.Sprintf("\nThe lesson goes on with task %d next time.", p.session.At()+1))
		return nil
	})
}

// end says what to remember, and what comes next.
func (p *learner) end() error {
	return p.writeText(func(w *bufio.Writer) error {
		prose(w, "\nRemember")
		prose(w, p.session.Lesson.Remember)
		if right, of := p.session.Right(); of > 0 {
			prose(w, fmt.Sprintf("\n%d of %d predictions were right.", right, of))
		}
		i := slices.IndexFunc(p.all, func(l lesson.Lesson) bool { return l.ID == p.session.Lesson.ID })
		if i >= 0 && i+1 < len(p.all) {
			prose(w, fmt.Sprintf("Next: `ephemera learn %d`, %s.", i+2, p.all[i+1].Title))
		}
		return nil
	})
}
