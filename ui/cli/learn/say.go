package learn

import (
	"fmt"

	"ephemera/core/human"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/ui/widget"
)

// sayTask says the story of the current task, and then its question and choices, or its goals if
// the question is answered. It says nothing if the lesson is over.
func (p *player) sayTask() error {
	task := p.session.Task()
	if task == nil {
		return nil
	}
	taskNumber := p.session.TaskIndex() + 1
	p.say(fmt.Sprintf("\nTask %d of %d", taskNumber, len(p.session.Lesson.Tasks)), task.Story)
	question := p.session.Question()
	if question == nil {
		p.sayAnswer()
		return p.sayAllGoals()
	}

	p.say("\nPredict: " + question.Question)
	for i, choice := range p.session.Choices() {
		p.sayf("  %d  %s", i+1, choice)
	}
	p.say("Type the number of your answer.")
	return nil
}

// answerQuestion takes a choice as the answer to the question of the current task. It says
// whether that is right, and why; for an answer that shows a misconception, how the task would
// go if that were true; and then the goals.
func (p *player) answerQuestion(choice string) error {
	question := p.session.Question() // must be read first, as it is nil after the answer
	misconception := p.session.Task().MisconceptionOfChoice(choice)
	p.session.Answer(choice)
	p.sayExplanation(question, choice)
	if misconception != lesson.NoMisconception {
		if err := p.sayDifference(misconception); err != nil {
			return err
		}
	}
	return p.sayAllGoals()
}

func (p *player) sayExplanation(question *scenario.Ask, choice string) {
	if choice == question.Answer {
		p.say("Right: "+question.Answer, question.Why)
		return
	}
	p.say("Not so. It is: "+question.Answer, question.Choices.Find(choice).Why, question.Why)
}

// sayAnswer says the answered question of the current task again, if it has one.
func (p *player) sayAnswer() {
	question := p.session.Task().Ask
	if question == nil {
		return
	}
	givenAnswer := p.session.Answered().Given
	p.say("\nPredicted: "+question.Question, "You said: "+givenAnswer)
	p.sayExplanation(question, givenAnswer)
}

// sayDifference says how the task would go if a misconception were true. It ends with the first
// step that has another outcome under the true contract, and says why. It says nothing if
// there is no such step.
func (p *player) sayDifference(misconception lesson.Misconception) error {
	comparison, outcomesDiffer, err := p.session.Lesson.CompareContracts(p.session.TaskIndex(), misconception)
	if err != nil {
		return err
	}
	if !outcomesDiffer {
		return nil
	}

	// Tell the task as it would go. The last row is the step whose outcomes differ.
	p.sayf("\nSuppose that %s. Then the task would go like this:", comparison.Belief)
	for i, row := range comparison.Rows { // a row has the outcomes of one step
		height := human.Thousands(uint64(row.Block.Height))
		p.sayf("At %s: %s", height, row.Step)
		switch {
		case i == len(comparison.Rows)-1:
			p.say("  as supposed: "+row.Believed, "  in fact: "+row.Truth)
		case row.Truth != "":
			p.say("  " + row.Truth)
		}
	}
	for _, rule := range comparison.Why {
		p.say("Because: " + rule)
	}
	return nil
}

// sayAllGoals is [player.sayGoals], also for goals that were said before.
func (p *player) sayAllGoals() error {
	p.saidGoals = nil
	return p.sayGoals()
}

// sayGoals says each goal of the current task that has changed since it was said last. If all
// are reached, it saves the progress and says the next task.
func (p *player) sayGoals() error {
	goalCheck, err := p.session.Check()
	if err != nil {
		return err
	}
	for i, goal := range goalCheck.Goals {
		wasSaid := i < len(p.saidGoals)
		if wasSaid && goal == p.saidGoals[i] {
			continue
		}
		switch {
		case goal.Reached:
			p.say("Reached: " + goal.Text)
		case wasSaid && p.saidGoals[i].Reached:
			p.say("No longer: " + goal.Text)
		default:
			p.say("To reach: " + goal.String())
		}
	}
	p.saidGoals = goalCheck.Goals

	if !p.session.Next(goalCheck) {
		return nil
	}
	p.saveProgress()
	p.say("This task is done.")
	return p.sayTask()
}

// sayHints says the next hint of the task, and with the last one the lines to type that solve
// the task.
func (p *player) sayHints() {
	shownCount := len(p.session.Hints())
	hints := p.session.ShowNextHint()
	if len(hints) == shownCount {
		p.say("There is no stronger hint. If something is in the way, `undo` takes it back, and `restart` begins the task again.")
		return
	}
	p.say("Hint: " + hints[shownCount])

	// The session has no solution until the last hint is shown.
	for _, step := range p.session.Solution() {
		for _, line := range commandLines(step) {
			// The line is not wrapped, so that it can be copied.
			fmt.Fprintf(&p.pendingText, "Say: %s\n", widget.Safe(line))
		}
	}
}

// commandLines returns the lines that a learner types for a step of a solution, such as
// "clock advance +10" and "exec --as bob {…}".
func commandLines(step scenario.Step) []string {
	var lines []string

	// The clock moves before the message is sent.
	if move := step.Advance; move != nil {
		if move.Blocks > 0 {
			lines = append(lines, fmt.Sprintf("clock advance +%d", move.Blocks))
		}
		if move.Time > 0 {
			lines = append(lines, fmt.Sprintf("clock advance +%s", move.Time))
		}
	}
	if target := step.At; target != nil {
		if target.Height != nil {
			lines = append(lines, fmt.Sprintf("clock set h%d", *target.Height))
		}
		if target.Time != nil {
			lines = append(lines, fmt.Sprintf("clock set %d ns", *target.Time))
		}
	}

	// A step without a message only moves the clock.
	switch step.Kind {
	case scenario.Execute:
		lines = append(lines, fmt.Sprintf("exec --as %s %s", step.Sender, step.Message))
	case scenario.Query:
		lines = append(lines, fmt.Sprintf("query %s", step.Message))
	}
	return lines
}

// sayEnd says what a learner reads at the end of a lesson: the score of a challenge or
// game, what to remember, the predictions that were wrong, and the lesson that comes next.
func (p *player) sayEnd() {
	if score := p.session.Score(); score != nil {
		p.say(score.Lines()...)
		p.say("")
	}
	playedLesson := p.session.Lesson
	p.say("Remember", playedLesson.Remember)

	lessonNumber := p.indexOfLesson(playedLesson.ID) + 1
	rightCount, answeredCount := p.session.AnswerCounts()
	if answeredCount > 0 {
		p.sayf("\n%d of %d predictions were right.", rightCount, answeredCount)
		p.say(p.session.Corrections()...)
		if rightCount < answeredCount {
			p.sayf("`ephemera learn %d --wrong` plays just what was wrong again.", lessonNumber)
		}
	}

	// As numbers count from 1, the number of a lesson is the index of the next one.
	if playedLesson.IsGame() {
		p.say("`ephemera learn find` plays the next.")
		return
	}
	if lessonNumber < len(p.lessons) {
		nextTitle := p.lessons[lessonNumber].Title
		p.sayf("Next: `ephemera learn %d`, %s.", lessonNumber+1, nextTitle)
	}
}
