package learn

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"ephemera/core/human"
	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
)

// playLesson plays a lesson, beginning at the task with the index firstTask.
func playLesson(app *command.App, c *course, playedLesson lesson.Lesson, firstTask int) error {
	session, err := lesson.Begin(app.OpenInMemory, playedLesson, firstTask)
	if err != nil {
		return err
	}
	session.Resume(c.progress[playedLesson.ID])

	p := newPlayer(app, c, session)
	defer p.close()
	p.say(
		"Lesson: "+playedLesson.Title,
		playedLesson.About,
		"It has a collection of its own; yours is not touched. `help` lists what you can type.",
	)
	isEndedEarly, err := p.play()
	switch {
	case err != nil:
		return err
	case isEndedEarly:
		p.sayf("\nThe lesson goes on with task %d next time.", p.session.TaskIndex()+1)
	default:
		p.sayEnd()
	}
	return p.flush()
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
	defer p.close()
	taskCount := human.Plural(len(wrongTasks), "task")
	p.sayf("Lesson: %s, again what was wrong (%s). The first answers stay.", repeatedLesson.Title, taskCount)
	if _, err := p.play(); err != nil {
		return err
	}
	rightCount, _ := p.session.AnswerCounts()
	p.sayf("\n%d of %d predictions are right now.", rightCount, len(wrongTasks))
	p.say(p.session.Corrections()...)
	return p.flush()
}

// player plays one lesson in text mode. It writes what the learner reads to stdout, and
// reads what the learner types from stdin, line by line.
type player struct {
	*command.App
	*course
	session     *lesson.Session
	saidGoals   []lesson.Goal  // as the learner has read them last; nil if all are to be said again
	input       *bufio.Scanner // stdin, line by line
	prompt      string         // "> ", or "" if stdin is not a terminal
	pendingText bytes.Buffer   // for stdout, not written yet
}

// newPlayer returns a player of a session, whose learner is that of the course. The caller
// closes it.
func newPlayer(app *command.App, c *course, session *lesson.Session) *player {
	session.Learner = c.learner
	p := &player{App: app, course: c, session: session, input: bufio.NewScanner(app.Stdin)}
	p.input.Buffer(nil, command.MaxMessageBytes) // a line can have a whole message in it
	if command.IsTerminal(app.Stdin) {
		p.prompt = "> "
	}
	return p
}

// close closes the chain of the session. It is in memory, so nothing can be lost.
func (p *player) close() { _ = p.session.Chain().Close() }

// play plays the tasks of the session. isEndedEarly is true at the end of stdin, and if the
// learner quits.
func (p *player) play() (isEndedEarly bool, err error) {
	// A session that repeats tasks has only one of them. The others follow in new sessions.
	for {
		err := p.playTasks()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, errQuit):
			return true, nil
		case err != nil, p.session.RepeatsLeft() == 0:
			return false, err
		}
		next, err := p.session.RepeatNext(p.OpenInMemory)
		if err != nil {
			return false, err
		}
		if err := p.replaceSession(next); err != nil {
			return false, err
		}
	}
}

// errQuit is returned when the learner ends the lesson.
var errQuit = errors.New("the learner has quit")

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

// replaceSession closes the chain of the present session, and goes on with the next one. If the
// chain cannot be closed, it closes that of the next session too.
func (p *player) replaceSession(nextSession *lesson.Session) error {
	if err := p.session.Chain().Close(); err != nil {
		return errors.Join(err, nextSession.Chain().Close())
	}
	p.session = nextSession
	return nil
}

// readLine writes what was said and the prompt, and returns the next line of stdin without
// the blanks around it. It returns [io.EOF] at the end of stdin.
func (p *player) readLine() (string, error) {
	p.pendingText.WriteString(p.prompt)
	if err := p.flush(); err != nil {
		return "", err
	}

	return command.ReadUntilDone(p.Ctx, func() (string, error) {
		if p.input.Scan() {
			return strings.TrimSpace(p.input.Text()), nil
		}
		if err := p.input.Err(); err != nil {
			return "", command.UsageErrorf("stdin: a line cannot be read: %v", err)
		}
		return "", io.EOF
	})
}

// say collects texts for stdout, and wraps each into lines of its own. flush writes them, at
// the latest when the player waits for the next line.
func (p *player) say(texts ...string) {
	for _, text := range texts {
		writeWrapped(&p.pendingText, text)
	}
}

func (p *player) sayf(format string, args ...any) { p.say(fmt.Sprintf(format, args...)) }

func (p *player) flush() error {
	_, err := p.pendingText.WriteTo(p.TextOut())
	return err
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
