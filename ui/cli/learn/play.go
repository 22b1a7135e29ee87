package learn

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// learner is a lesson that is being played line by line.
type learner struct {
	*command.App
	*course
	session *lesson.Session
	check   lesson.Check
	lines   *bufio.Scanner
	prompt  string
}

// learn plays a lesson until it is over, the input ends or the learner does.
func learn(a *command.App, ctx context.Context, c *course, l lesson.Lesson, from int) error {
	s, err := lesson.Begin(a.OpenInMemory, l, from)
	if err != nil {
		return err
	}
	s.Resume(c.progress[l.ID])
	play := &learner{App: a, course: c, session: s, lines: bufio.NewScanner(a.Stdin)}
	defer func() { play.session.Chain().Close() }() // it is in memory, and nothing of it is kept
	play.lines.Buffer(nil, command.LongestMessage)
	if command.IsTerminal(a.Stdin) {
		play.prompt = "> "
	}
	err = play.printWords("Lesson: "+l.Title, l.About, "It has a collection of its own, and yours is left alone. `help` says what you can say.")
	if err == nil {
		err = play.printTask()
	}
	for err == nil && !play.session.IsOver() {
		var line string
		began := time.Now()
		if line, err = play.read(ctx); err == nil {
			play.session.AddTime(time.Since(began))
			err = play.say(ctx, line)
			play.keepNow()
		}
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, errQuit):
		return play.printWords(fmt.Sprintf("\nThe lesson goes on with task %d next time.", play.session.TaskIndex()+1))
	case err != nil:
		return err
	}
	return play.end()
}

// keepNow keeps what was done so far. That it cannot is said, and keeps nobody
// from learning.
func (p *learner) keepNow() {
	p.progress.Record(p.session)
	if err := errors.Join(p.keep.Write(p.progress), p.hand()); err != nil {
		fmt.Fprintf(p.Stderr, "ephemera: your progress is not kept: %v\n", err)
	}
}

// read gives the next line, or io.EOF.
func (p *learner) read(ctx context.Context) (string, error) {
	if _, err := io.WriteString(p.TextOut(), p.prompt); err != nil {
		return "", err
	}
	return command.ReadUntilDone(ctx, func() (string, error) {
		if !p.lines.Scan() {
			if err := p.lines.Err(); err != nil {
				return "", command.UsageErrorf("stdin: a line cannot be read: %v", err)
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
		return p.printTask()
	case "restart":
		return p.restart()
	case "help", "?":
		return p.help()
	}
	if ask := p.session.Question(); ask != nil {
		choice, ok := chosen(ask.Choices, line)
		if !ok {
			p.Errorf("predict first: expected a number from 1 to %d, or one of the answers as it stands there", len(ask.Choices))
			return nil
		}
		return p.answer(choice)
	}
	words, err := splitLine(line)
	if err != nil {
		p.Report(err)
		return nil
	}
	var before history.ID
	err = p.session.Chain().View(func(v *chain.View) error { before = v.Head; return nil })
	if err != nil {
		return err
	}
	if err := p.command(ctx, words, before); err != nil {
		return err
	}
	return p.checkGoals()
}

// restart begins the task in hand anew, as the lesson itself comes to it.
func (p *learner) restart() error {
	s, err := lesson.Begin(p.OpenInMemory, p.session.Lesson, p.session.TaskIndex())
	if err != nil {
		return err
	}
	s.Continue(p.session)
	if err := p.session.Chain().Close(); err != nil {
		return errors.Join(err, s.Chain().Close())
	}
	p.session = s
	return p.printTask()
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

// inWords are the commands whose answers a lesson tells in words; the others
// answer in words by themselves.
var inWords = []string{"exec", "query", "clock", "undo", "redo"}

// inLesson are all that a lesson takes.
var inLesson = append([]string{"why", "probe", "history", "accounts"}, inWords...)

// command runs a command of the program on the lesson's collection.
func (p *learner) command(ctx context.Context, words []string, before history.ID) error {
	program := p.Program
	program.Stdin = strings.NewReader("") // the lines belong to the lesson
	sub := &command.App{Program: program, Held: &command.Database{Chain: p.session.Chain()}}
	root := &cobra.Command{Use: "ephemera", SilenceErrors: true, SilenceUsage: true}
	for _, c := range p.sayable(sub) {
		if slices.Contains(inLesson, c.Name()) {
			root.AddCommand(c)
		}
	}
	root.CompletionOptions.DisableDefaultCmd = true
	if words[0] == root.Use {
		words = words[1:]
	}
	if i := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return len(words) > 0 && c.Name() == words[0] }); i < 0 {
		fmt.Fprintf(p.Stderr, "ephemera: %s is nothing to say in a lesson; `help` lists what is\n", widget.Safe(strings.Join(words, " ")))
		return nil
	}
	var answer bytes.Buffer
	tell := slices.Contains(inWords, words[0]) && !slices.Contains(words, "--help")
	if tell {
		sub.Stdout = &answer
	}
	root.SetArgs(words)
	root.SetIn(program.Stdin)
	root.SetOut(sub.Answers())
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && !sub.Started && !command.Is[*command.UsageError](err) {
		err = &command.UsageError{Text: err.Error()}
	}
	if words[0] == "query" && len(words) == 2 && sub.Started {
		p.session.NoteQuery([]byte(words[1]))
	}
	if refusal := cw721.AsError(err); tell && refusal != nil {
		return p.printWords("Refused: " + refusal.Text)
	}
	if sub.Report(err); err != nil || !tell {
		return nil
	}
	return p.printDone(words[0], before, answer.String())
}

var word = regexp.MustCompile(`\{.*\}|'[^']*'|"[^"]*"|\S+`)

// splitLine splits what is said in a lesson into the words of a command. Text
// in quotes is one word, and so is JSON from its first brace to its last, which
// needs no quotes.
func splitLine(line string) (words []string, err error) {
	for _, w := range word.FindAllString(line, -1) {
		switch first, last := w[0], w[len(w)-1]; {
		case first == '{' && last != '}':
			return nil, command.UsageErrorf("the message ends before its last }, expected all of it in one line")
		case first != '\'' && first != '"':
		case len(w) == 1 || last != first:
			return nil, command.UsageErrorf("the text after %c has no end, expected another %c", first, first)
		default:
			w = w[1 : len(w)-1]
		}
		words = append(words, w)
	}
	return words, nil
}
