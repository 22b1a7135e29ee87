package learn

import (
	"bufio"
	"bytes"
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
	"ephemera/core/human"
	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// player plays one lesson in text mode. It writes what the learner reads to stdout, and
// reads what the learner types from stdin, line by line.
type player struct {
	*command.App
	*course
	session *lesson.Session
	// saidGoals has the goals of the task as the learner has read them last. It is nil if all
	// goals are to be said again.
	saidGoals []lesson.Goal
	// input reads the lines from stdin.
	input *bufio.Scanner
	// prompt is "> ", or "" if stdin is not a terminal.
	prompt string
	// pendingText is text for stdout that is not written yet.
	pendingText bytes.Buffer
}

// errQuit is returned when the learner ends the lesson.
var errQuit = errors.New("the learner has quit")

// newPlayer returns a player of a session, which reads stdin and writes stdout of app. The
// session gets the name of the learner from the course.
func newPlayer(app *command.App, c *course, session *lesson.Session) *player {
	session.Learner = c.learner
	p := &player{App: app, course: c, session: session, input: bufio.NewScanner(app.Stdin)}
	p.input.Buffer(nil, command.MaxMessageBytes) // a line can have a whole message in it
	if command.IsTerminal(app.Stdin) {
		p.prompt = "> "
	}
	return p
}

// repeatWrong plays some tasks of a lesson again: those whose question was answered
// wrongly. What the learner does in them is not recorded. It ends early at the end of
// stdin, or when the learner quits.
func repeatWrong(app *command.App, c *course, repeatedLesson lesson.Lesson) error {
	wrongTasks := c.progress[repeatedLesson.ID].WrongTasks()
	if len(wrongTasks) == 0 {
		writeWrapped(app.TextOut(), "No prediction in this lesson was wrong.")
		return app.OutputErr
	}
	session, err := lesson.Repeat(app.OpenInMemory, repeatedLesson, wrongTasks)
	if err != nil {
		return err
	}

	p := newPlayer(app, c, session)
	taskCount := human.Plural(len(wrongTasks), "task")
	introduction := fmt.Sprintf(
		"Lesson: %s, again what was wrong (%s). The first answers stay.",
		repeatedLesson.Title,
		taskCount,
	)
	sayConclusion := func(bool) {
		rightCount, _ := p.session.AnswerCounts()
		p.sayf("\n%d of %d predictions are right now.", rightCount, len(wrongTasks))
		p.say(p.session.Corrections()...)
	}
	return p.play([]string{introduction}, sayConclusion)
}

// playLesson plays a lesson, beginning at the task with the index firstTask. It ends at the
// end of the lesson, at the end of stdin, or when the learner quits.
func playLesson(app *command.App, c *course, playedLesson lesson.Lesson, firstTask int) error {
	session, err := lesson.Begin(app.OpenInMemory, playedLesson, firstTask)
	if err != nil {
		return err
	}
	session.Resume(c.progress[playedLesson.ID])

	p := newPlayer(app, c, session)
	introduction := []string{
		"Lesson: " + playedLesson.Title,
		playedLesson.About,
		"It has a collection of its own; yours is not touched. `help` lists what you can type.",
	}
	sayConclusion := func(isEndedEarly bool) {
		if isEndedEarly {
			p.sayf("\nThe lesson goes on with task %d next time.", p.session.TaskIndex()+1)
			return
		}
		p.sayEnd()
	}
	return p.play(introduction, sayConclusion)
}

// play says an introduction, plays the tasks of the session, and calls sayConclusion. It
// ends early at the end of stdin, or when the learner quits. Then isEndedEarly is true.
// play closes the chain of the session.
func (p *player) play(introduction []string, sayConclusion func(isEndedEarly bool)) error {
	defer func() { _ = p.session.Chain().Close() }() // in memory, so nothing can be lost
	p.say(introduction...)

	// A session that repeats tasks has only one of them. The others follow in new sessions.
	err := p.playTasks()
	for err == nil && p.session.RepeatsLeft() > 0 {
		var next *lesson.Session
		next, err = p.session.RepeatNext(p.OpenInMemory)
		if err == nil {
			err = p.replaceSession(next)
		}
		if err == nil {
			err = p.playTasks()
		}
	}

	isEndedEarly := errors.Is(err, io.EOF) || errors.Is(err, errQuit)
	if err != nil && !isEndedEarly {
		return err
	}
	sayConclusion(isEndedEarly)
	return p.flush()
}

// replaceSession closes the chain of the present session, and goes on with the next
// session. If the chain cannot be closed, it closes the chain of the next session too.
func (p *player) replaceSession(nextSession *lesson.Session) error {
	if err := p.session.Chain().Close(); err != nil {
		return errors.Join(err, nextSession.Chain().Close())
	}
	p.session = nextSession
	return nil
}

// playTasks plays the current task of the session and those after it. It returns [io.EOF] if
// stdin ends before the lesson, and [errQuit] if the learner quits.
func (p *player) playTasks() error {
	if err := p.sayTask(); err != nil {
		return err
	}
	for !p.session.IsOver() {
		waitStart := time.Now()
		line, err := p.readLine()
		if err != nil {
			return err
		}
		p.session.AddTime(time.Since(waitStart)) // the time until the line was typed

		// Save even if the line failed or ended the lesson.
		err = p.handleLine(line)
		p.saveProgress()
		if err != nil {
			return err
		}
	}
	return nil
}

// say collects texts for stdout, and wraps each into lines of its own. flush writes them.
// That happens at the latest when the player waits for the next line.
func (p *player) say(texts ...string) {
	for _, text := range texts {
		writeWrapped(&p.pendingText, text)
	}
}

// sayf is [player.say] for a text that has a format.
func (p *player) sayf(format string, args ...any) { p.say(fmt.Sprintf(format, args...)) }

// flush writes the texts that say collected to stdout.
func (p *player) flush() error {
	_, err := p.pendingText.WriteTo(p.TextOut())
	return err
}

// readLine writes what was said and the prompt, and returns the next line of stdin without
// the blanks around it. It returns [io.EOF] at the end of stdin.
func (p *player) readLine() (string, error) {
	p.pendingText.WriteString(p.prompt)
	if err := p.flush(); err != nil {
		return "", err
	}

	scanLine := func() (string, error) {
		if p.input.Scan() {
			return strings.TrimSpace(p.input.Text()), nil
		}
		if err := p.input.Err(); err != nil {
			return "", command.UsageErrorf("stdin: a line cannot be read: %v", err)
		}
		return "", io.EOF
	}
	return command.ReadUntilDone(p.Ctx, scanLine)
}

// saveProgress stores the progress, and writes the result for the teacher if there is a
// file for it. It prints an error instead of returning it, so that the lesson goes on.
func (p *player) saveProgress() {
	p.progress.Record(p.session)
	saveErr := p.storage.Write(p.progress)
	resultErr := p.writeResult()
	if errors.Is(resultErr, lesson.ErrNothingDone) {
		resultErr = nil // the learner has just begun
	}
	if err := errors.Join(saveErr, resultErr); err != nil {
		p.Errorf("your progress is not kept: %v", err)
	}
}

// handleLine does what the learner has typed. A line is a word for the lesson itself, such
// as "hint", or the answer to the open question, or else a command of the program.
func (p *player) handleLine(line string) error {
	switch line {
	case "":
		return nil
	case "quit", "exit", "q":
		return errQuit
	case "hint":
		p.sayHints()
		return nil
	case "task":
		return p.sayTask()
	case "restart":
		return p.restartTask()
	case "help", "?":
		p.pendingText.WriteString("Type\n" + lessonHelp + "\n")
		return nil
	}

	// "name" can have a number or a sentence behind it.
	words := strings.Fields(line)
	if words[0] == "name" {
		return p.nameMistake(strings.Join(words[1:], " "))
	}

	if p.session.Question() != nil {
		choices := p.session.Choices()
		choice, isChoice := parseChoice(choices, line)
		if !isChoice {
			p.Errorf("predict first: expected a number from 1 to %d, or the text of an answer", len(choices))
			return nil
		}
		return p.answerQuestion(choice)
	}

	// It is a command of the program, which may reach a goal.
	words, err := splitLine(line)
	if err != nil {
		p.Report(err)
		return nil
	}
	if err := p.runCommand(words); err != nil {
		return err
	}
	return p.sayGoals()
}

// restartTask begins the current task again on a new chain. The learner's answer and the
// hints that were shown stay.
func (p *player) restartTask() error {
	session, err := lesson.Begin(p.OpenInMemory, p.session.Lesson, p.session.TaskIndex())
	if err != nil {
		return err
	}
	session.Learner = p.learner
	session.Continue(p.session)
	if err := p.replaceSession(session); err != nil {
		return err
	}
	return p.sayTask()
}

// nameMistake handles what the learner types behind "name" in a game of "find the mistake".
// numberOrText is the number or the sentence of the rule that the learner believes to be
// wrong, and nameMistake says whether it is. If it is empty, nameMistake lists all rules
// that can be wrong.
func (p *player) nameMistake(numberOrText string) error {
	mistake := p.session.Task().Mistake
	if mistake == nil {
		p.Errorf("no mistake is to be found here; `learn find` plays a collection that has one")
		return nil
	}

	if numberOrText == "" {
		for i, belief := range mistake.Beliefs {
			p.sayf("%3d  %s", i+1, belief)
		}
		return nil
	}

	belief, isBelief := parseChoice(mistake.Beliefs, numberOrText)
	if !isBelief {
		p.Errorf(
			"name: expected a number from 1 to %d, or one of the sentences that `name` lists",
			len(mistake.Beliefs),
		)
		return nil
	}

	isRight, err := p.session.NameMistake(belief)
	switch {
	case errors.Is(err, lesson.ErrNothingTried):
		p.Errorf("%v", err)
		return nil
	case err != nil:
		return err
	case !isRight:
		p.sayf("Not so, and it counts as %d messages: %s.", lesson.WrongNameCost, belief)
		return nil
	}
	p.say("Right: " + belief + ".")
	return p.sayGoals()
}

// parseChoice returns the choice that a line names, by its number, from 1, or by its text.
// It ignores the difference between upper and lower case, and commas, so that "1110" names
// the choice "1,110". isChoice is false if the line names no choice.
func parseChoice(choices []string, line string) (choice string, isChoice bool) {
	number, err := strconv.Atoi(line)
	if err == nil && number >= 1 && number <= len(choices) {
		return choices[number-1], true
	}
	withoutCommas := func(text string) string { return strings.ReplaceAll(text, ",", "") }
	for _, choice := range choices {
		if strings.EqualFold(withoutCommas(choice), withoutCommas(line)) {
			return choice, true
		}
	}
	return "", false
}

// lessonCommands has the names of the commands that can be used inside a lesson. The value
// is true for a command that answers in JSON. In a lesson, [player.sayOutcome] says its
// answer in words. The output of the other commands is shown as it is.
var lessonCommands = map[string]bool{
	"exec": true, "query": true, "clock": true, "undo": true, "redo": true,
	"why": false, "probe": false, "history": false, "accounts": false,
}

// runCommand runs a command of the program on the lesson's collection, and says its outcome.
// words has the name of the command and its arguments. It prints the error of a command that
// fails. It returns an error only if it cannot read the collection or write to stdout.
func (p *player) runCommand(words []string) error {
	// Learners who copy a line of a shell type the name of the program too.
	if words[0] == "ephemera" {
		words = words[1:]
	}

	// Find out whether the command can be used here.
	var name string
	if len(words) > 0 {
		name = words[0]
	}
	answersJSON, isAllowed := lessonCommands[name]
	if !isAllowed {
		p.Errorf("%s is no command of a lesson; `help` lists them", widget.Safe(strings.Join(words, " ")))
		return nil
	}
	isSummarized := answersJSON && !slices.Contains(words, "--help") // said in words

	// Note the newest node that is not undone. It shows later what the command has changed.
	oldHead, err := chain.Read(p.session.Chain(), func(view *chain.View) (history.ID, error) {
		return view.Head, nil
	})
	if err != nil {
		return err
	}

	// The contract of "find the mistake" may not follow the true rules, which some commands
	// show.
	showsTrueRules := name == "why" || name == "probe" || slices.Contains(words, "--dry-run")
	if showsTrueRules && p.session.Lesson.IsGame() {
		p.say("By the rule book; this contract may do otherwise:")
		if err := p.flush(); err != nil {
			return err
		}
	}

	// Run the command on the lesson's collection. Its stdin is empty, because the lines on the
	// real stdin are for the lesson. An answer that is said in words must not reach stdout.
	commandApp := &command.App{
		Program:        p.Program,
		Ctx:            p.Ctx,
		SharedDatabase: &command.Database{Chain: p.session.Chain()},
	}
	commandApp.Stdin = strings.NewReader("")
	var answer bytes.Buffer
	if isSummarized {
		commandApp.Stdout = &answer
	}
	root := &cobra.Command{Use: "ephemera", SilenceErrors: true, SilenceUsage: true}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(p.makeCommands(commandApp)...)
	err = commandApp.Execute(root, words)

	// A goal can be to send a query, which the history does not record.
	if name == "query" && len(words) == 2 && commandApp.Started {
		p.session.NoteQuery([]byte(words[1]))
	}

	// Say the outcome.
	refusal := cw721.AsError(err)
	if isSummarized && refusal != nil {
		p.say("Refused: " + refusal.Text)
		return nil
	}
	commandApp.Report(err)
	if err != nil || !isSummarized {
		return nil
	}
	return p.sayOutcome(name, oldHead, answer.String())
}

// wordPattern matches a word of a line: JSON from its first brace to its last, a text in
// quotes, or anything without blanks.
var wordPattern = regexp.MustCompile(`\{.*\}|'[^']*'|"[^"]*"|\S+`)

// splitLine splits a line into the words of a command, and removes the quotes around a
// word. A JSON message is one word and needs no quotes, so `exec {"burn": {…}}` has two
// words. splitLine fails if a quote or a brace is not closed.
func splitLine(line string) (words []string, err error) {
	for _, word := range wordPattern.FindAllString(line, -1) {
		firstByte := word[0]
		lastByte := word[len(word)-1]
		isQuoted := firstByte == '\'' || firstByte == '"'
		switch {
		case firstByte == '{' && lastByte != '}':
			return nil, command.UsageErrorf("the message ends before its last }, expected all of it in one line")
		case isQuoted && (len(word) == 1 || lastByte != firstByte):
			return nil, command.UsageErrorf(
				"the text after %c has no end, expected another %c",
				firstByte,
				firstByte,
			)
		case isQuoted:
			word = word[1 : len(word)-1]
		}
		words = append(words, word)
	}
	return words, nil
}
