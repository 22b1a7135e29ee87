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

// player plays one lesson, line by line.
type player struct {
	*command.App
	*course
	session *lesson.Session
	goals   []lesson.Goal // as they were printed last; nil to print all of them again
	input   *bufio.Scanner
	prompt  string // "> ", or "" if stdin is not a terminal
}

// errQuit is returned when the learner ends the lesson.
var errQuit = errors.New("the learner has quit")

// playLesson plays a lesson from one of its tasks on. It ends at the end of the lesson or
// of stdin, or when the learner quits.
func playLesson(ctx context.Context, a *command.App, c *course, l lesson.Lesson, firstTask int) error {
	session, err := lesson.Begin(a.OpenInMemory, l, firstTask)
	if err != nil {
		return err
	}
	session.Resume(c.progress[l.ID])
	p := &player{App: a, course: c, session: session, input: bufio.NewScanner(a.Stdin)}
	defer func() { _ = p.session.Chain().Close() }() // in memory, so nothing can be lost
	p.input.Buffer(nil, command.LongestMessage)
	if command.IsTerminal(a.Stdin) {
		p.prompt = "> "
	}

	err = p.printTexts("Lesson: "+l.Title, l.About, "It has a collection of its own, and yours is left alone. `help` says what you can say.")
	if err != nil {
		return err
	}
	if err := p.printTask(); err != nil {
		return err
	}
	for !p.session.IsOver() {
		err := p.takeLine(ctx)
		if errors.Is(err, io.EOF) || errors.Is(err, errQuit) {
			return p.printTexts(fmt.Sprintf("\nThe lesson goes on with task %d next time.", p.session.TaskIndex()+1))
		}
		if err != nil {
			return err
		}
	}
	return p.printEnd()
}

// takeLine reads a line, does what it says, and saves the progress. It returns [io.EOF] at
// the end of stdin, and [errQuit] if the learner quits.
func (p *player) takeLine(ctx context.Context) error {
	start := time.Now()
	line, err := p.readLine(ctx)
	if err != nil {
		return err
	}
	p.session.AddTime(time.Since(start))
	err = p.handleLine(ctx, line)
	p.saveProgress()
	return err
}

// readLine returns the next line without the blanks around it, or [io.EOF].
func (p *player) readLine(ctx context.Context) (string, error) {
	if _, err := io.WriteString(p.TextOut(), p.prompt); err != nil {
		return "", err
	}
	return command.ReadUntilDone(ctx, func() (string, error) {
		if p.input.Scan() {
			return strings.TrimSpace(p.input.Text()), nil
		}
		if err := p.input.Err(); err != nil {
			return "", command.UsageErrorf("stdin: a line cannot be read: %v", err)
		}
		return "", io.EOF
	})
}

// saveProgress stores the progress, and writes the file for the teacher. It prints an
// error and does not return it, so that the lesson goes on.
func (p *player) saveProgress() {
	p.progress.Record(p.session)
	saveErr := p.storage.Write(p.progress)
	resultErr := p.writeResult(p.Global.Explorer.Learner)
	if errors.Is(resultErr, lesson.ErrNothingDone) {
		resultErr = nil // the learner has just begun
	}
	if err := errors.Join(saveErr, resultErr); err != nil {
		fmt.Fprintf(p.Stderr, "ephemera: your progress is not kept: %v\n", err)
	}
}

// handleLine does what a line says: a word for the lesson itself, the answer to its
// question, or a command of the program.
func (p *player) handleLine(ctx context.Context, line string) error {
	switch line {
	case "":
		return nil
	case "quit", "exit", "q":
		return errQuit
	case "hint":
		return p.printHints()
	case "task":
		return p.printTask()
	case "restart":
		return p.restartTask()
	case "help", "?":
		return p.printHelp()
	}

	if question := p.session.Question(); question != nil {
		choice, ok := parseChoice(question.Choices, line)
		if !ok {
			p.Errorf("predict first: expected a number from 1 to %d, or one of the answers as it stands there", len(question.Choices))
			return nil
		}
		return p.answerQuestion(choice)
	}

	words, err := splitLine(line)
	if err != nil {
		p.Report(err)
		return nil
	}
	if err := p.runCommand(ctx, words); err != nil {
		return err
	}
	return p.checkGoals()
}

// restartTask begins the current task again.
func (p *player) restartTask() error {
	session, err := lesson.Begin(p.OpenInMemory, p.session.Lesson, p.session.TaskIndex())
	if err != nil {
		return err
	}
	session.Continue(p.session)
	if err := p.session.Chain().Close(); err != nil {
		return errors.Join(err, session.Chain().Close())
	}
	p.session = session
	return p.printTask()
}

// parseChoice returns the choice that a line names: by its number from 1, or by its text,
// in any case, and with or without commas in numbers.
func parseChoice(choices []string, line string) (choice string, ok bool) {
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(choices) {
		return choices[n-1], true
	}
	withoutCommas := func(text string) string { return strings.ReplaceAll(text, ",", "") }
	for _, choice := range choices {
		if strings.EqualFold(withoutCommas(choice), withoutCommas(line)) {
			return choice, true
		}
	}
	return "", false
}

// Commands that can be used inside a lesson.
var (
	// summarizedCommands answer in JSON, which a lesson replaces by words.
	summarizedCommands = []string{"exec", "query", "clock", "undo", "redo"}

	// wordyCommands answer in words, which a lesson leaves as they are.
	wordyCommands = []string{"why", "probe", "history", "accounts"}
)

// runCommand runs a command of the program on the lesson's collection, and prints its
// outcome. It returns an error only if it cannot print or read the collection.
func (p *player) runCommand(ctx context.Context, words []string) error {
	if words[0] == "ephemera" {
		words = words[1:]
	}
	isSummarized := len(words) > 0 && slices.Contains(summarizedCommands, words[0])
	isWordy := len(words) > 0 && slices.Contains(wordyCommands, words[0])
	if !isSummarized && !isWordy {
		fmt.Fprintf(p.Stderr, "ephemera: %s is nothing to say in a lesson; `help` lists what is\n", widget.Safe(strings.Join(words, " ")))
		return nil
	}
	isSummarized = isSummarized && !slices.Contains(words, "--help")

	oldHead, err := p.head()
	if err != nil {
		return err
	}
	sub := p.newApp(ctx)
	var answer bytes.Buffer
	if isSummarized {
		sub.Stdout = &answer
	}
	err = execute(sub, p.makeCommands, words)
	isQuery := words[0] == "query" && len(words) == 2 && sub.Started
	if isQuery {
		p.session.NoteQuery([]byte(words[1]))
	}

	if refusal := cw721.AsError(err); isSummarized && refusal != nil {
		return p.printTexts("Refused: " + refusal.Text)
	}
	sub.Report(err)
	if err != nil || !isSummarized {
		return nil
	}
	return p.printOutcome(words[0], oldHead, answer.String())
}

// head returns the node of the history that the lesson's collection shows.
func (p *player) head() (history.ID, error) {
	return chain.Read(p.session.Chain(), func(v *chain.View) (history.ID, error) { return v.Head, nil })
}

// newApp returns a run of the program on the lesson's collection. Its stdin is empty,
// because the lines on stdin belong to the lesson.
func (p *player) newApp(ctx context.Context) *command.App {
	program := p.Program
	program.Stdin = strings.NewReader("")
	return &command.App{
		Program: program,
		Ctx:     ctx,
		Held:    &command.Database{Chain: p.session.Chain()},
	}
}

// execute runs the command that words name and returns its error.
func execute(a *command.App, makeCommands func(*command.App) []*cobra.Command, words []string) error {
	root := &cobra.Command{Use: "ephemera", SilenceErrors: true, SilenceUsage: true}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(makeCommands(a)...)
	root.SetArgs(words)
	root.SetIn(a.Stdin)
	root.SetOut(a.Answers())
	root.SetErr(a.Stderr)
	err := root.ExecuteContext(a.Ctx)

	isFromCobra := !a.Started && !command.Is[*command.UsageError](err)
	if err != nil && isFromCobra {
		return &command.UsageError{Text: err.Error()}
	}
	return err
}

// wordPattern matches a word of a line: JSON from its first brace to its last, a text in
// quotes, or anything without blanks.
var wordPattern = regexp.MustCompile(`\{.*\}|'[^']*'|"[^"]*"|\S+`)

// splitLine splits a line into the words of a command, and removes the quotes around them.
// JSON is one word and needs no quotes. It fails if a quote or a brace is not closed.
func splitLine(line string) (words []string, err error) {
	for _, word := range wordPattern.FindAllString(line, -1) {
		first, last := word[0], word[len(word)-1]
		isQuoted := first == '\'' || first == '"'
		switch {
		case first == '{' && last != '}':
			return nil, command.UsageErrorf("the message ends before its last }, expected all of it in one line")
		case isQuoted && (len(word) == 1 || last != first):
			return nil, command.UsageErrorf("the text after %c has no end, expected another %c", first, first)
		case isQuoted:
			word = word[1 : len(word)-1]
		}
		words = append(words, word)
	}
	return words, nil
}
