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
	s.Resume(p[l.ID])
	play := &learner{app: a, session: s, all: all, progress: p, lines: bufio.NewScanner(a.Stdin)}
	defer func() { play.session.Chain().Close() }() // it is in memory, and nothing of it is kept
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
	for err == nil && !play.session.Over() {
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
	case "restart":
		return p.restart()
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
	before, err := p.moment()
	if err != nil {
		return err
	}
	p.command(ctx, words)
	if err := p.tellChanges(before); err != nil {
		return err
	}
	return p.look()
}

// restart begins the task in hand anew, as the lesson itself comes to it.
func (p *learner) restart() error {
	s, err := lesson.Begin(p.inMemory, p.session.Lesson, p.session.At())
	if err != nil {
		return err
	}
	s.Continue(p.session)
	if err := p.session.Chain().Close(); err != nil {
		return errors.Join(err, s.Chain().Close())
	}
	p.session = s
	return p.tell()
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
	root.SetOut(answers{p.app})
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && !sub.started && !is[*usageError](err) {
		err = &usageError{err.Error()}
	}
	sub.report(err)
}
