package learn

import (
	"errors"
	"strconv"
	"strings"

	"ephemera/core/lesson"
)

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

// restartTask begins the current task again on a new chain. The answer and the hints stay.
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

// nameMistake handles what the learner types behind "name" in a game of "find the mistake":
// the number or the sentence of the rule that he believes to be wrong, or nothing, which
// lists all rules that can be wrong.
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

// parseChoice returns the choice that a line names, by its number, from 1, or by its text
// without regard to case and commas, so that "1110" names the choice "1,110".
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
