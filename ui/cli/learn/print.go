package learn

import (
	"bufio"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/ui/cli/answer"
	"ephemera/ui/widget"
)

// printTexts prints texts, each on lines of its own.
func (p *player) printTexts(texts ...string) error {
	return p.WriteText(func(w *bufio.Writer) error {
		for _, text := range texts {
			writeWrapped(w, text)
		}
		return nil
	})
}

// printTask prints the story of the current task, and its question if that is not
// answered yet, or else its goals.
func (p *player) printTask() error {
	task := p.session.Task()
	if task == nil {
		return nil
	}
	title := fmt.Sprintf("\nTask %d of %d", p.session.TaskIndex()+1, len(p.session.Lesson.Tasks))
	if err := p.printTexts(title, task.Story); err != nil {
		return err
	}
	if question := p.session.Question(); question != nil {
		return p.printQuestion(question)
	}
	return p.printAllGoals()
}

// printQuestion prints a question and its numbered choices.
func (p *player) printQuestion(question *scenario.Ask) error {
	texts := []string{"\nPredict: " + question.Question}
	for i, choice := range question.Choices {
		texts = append(texts, fmt.Sprintf("  %d  %s", i+1, choice))
	}
	texts = append(texts, "Say the number of your answer.")
	return p.printTexts(texts...)
}

// answerQuestion answers the question of the current task. It prints the right answer,
// what is wrong with another one, and the goals.
func (p *player) answerQuestion(choice string) error {
	question := p.session.Question()
	misconception := p.session.Task().Believes(choice)
	isRight := p.session.Answer(choice)

	texts := []string{"Right: " + question.Answer, question.Why}
	if !isRight {
		texts = []string{"Not so. It is: " + question.Answer, question.Replies[choice].Why, question.Why}
	}
	if err := p.printTexts(texts...); err != nil {
		return err
	}
	if misconception != lesson.NoMisconception {
		if err := p.printDifference(misconception); err != nil {
			return err
		}
	}
	return p.printAllGoals()
}

// printDifference prints how the task would go if a misconception were true, up to the
// step at which the real contract differs.
func (p *player) printDifference(misconception lesson.Misconception) error {
	worlds, ok, err := p.session.Lesson.Worlds(p.session.TaskIndex(), misconception)
	if err != nil || !ok {
		return err
	}
	texts := []string{fmt.Sprintf("\nSuppose that %s. Then the task would go like this:", misconception.Belief())}
	for i, row := range worlds.Rows {
		texts = append(texts, fmt.Sprintf("At %s: %s", human.Thousands(uint64(row.Block.Height)), row.Step))
		isLast := i == len(worlds.Rows)-1
		switch {
		case isLast:
			texts = append(texts, "  as supposed: "+row.Believed, "  in fact: "+row.Truth)
		case row.Truth != "":
			texts = append(texts, "  "+row.Truth)
		}
	}
	for _, rule := range worlds.Why {
		texts = append(texts, "Because: "+rule)
	}
	return p.printTexts(texts...)
}

// printAllGoals prints all goals of the current task, as [player.checkGoals] does.
func (p *player) printAllGoals() error {
	p.goals = nil
	return p.checkGoals()
}

// checkGoals prints the goals of the current task that changed since they were printed
// last: "Reached: …", "No longer: …" or "To reach: …". If all are reached, it saves the
// progress and prints the next task.
func (p *player) checkGoals() error {
	check, err := p.session.Check()
	if err != nil {
		return err
	}
	var texts []string
	for i, goal := range check.Goals {
		wasPrinted := i < len(p.goals)
		switch {
		case wasPrinted && goal == p.goals[i]: // nothing new
		case goal.Reached:
			texts = append(texts, "Reached: "+goal.Text)
		case wasPrinted && p.goals[i].Reached:
			texts = append(texts, "No longer: "+goal.Text)
		default:
			texts = append(texts, "To reach: "+goal.String())
		}
	}
	p.goals = check.Goals
	if err := p.printTexts(texts...); err != nil {
		return err
	}

	isDone := p.session.Next(check)
	if !isDone {
		return nil
	}
	p.saveProgress()
	if err := p.printTexts("This task is done."); err != nil {
		return err
	}
	return p.printTask()
}

// printHints prints the next hints of the task, and the lines that solve it if the last
// hint is among them.
func (p *player) printHints() error {
	shown := len(p.session.Hints())
	hints := p.session.Hint()
	if len(hints) == shown {
		return p.printTexts("There is no stronger hint. Where something stands in the way, `undo` takes it back, and `restart` begins the task anew.")
	}
	return p.WriteText(func(w *bufio.Writer) error {
		for _, hint := range hints[shown:] {
			writeWrapped(w, "Hint: "+hint)
		}
		for _, step := range p.session.Solution() {
			for _, line := range commandLines(step) {
				fmt.Fprintf(w, "Say: %s\n", widget.Safe(line)) // unwrapped, to be copied; Flush returns its error
			}
		}
		return nil
	})
}

// commandLines returns the lines that a learner types for a step of a solution.
func commandLines(step scenario.Step) []string {
	var lines []string
	if move := step.Advance; move != nil {
		if move.Blocks > 0 {
			lines = append(lines, fmt.Sprintf("clock advance %dblocks", move.Blocks))
		}
		if move.Time > 0 {
			lines = append(lines, fmt.Sprintf("clock advance %s", move.Time))
		}
	}
	if at := step.At; at != nil {
		if at.Height != nil {
			lines = append(lines, fmt.Sprintf("clock set --height %d", *at.Height))
		}
		if at.Time != nil {
			lines = append(lines, fmt.Sprintf("clock set --time %d", *at.Time))
		}
	}
	switch step.Kind {
	case scenario.Execute:
		lines = append(lines, fmt.Sprintf("exec --as %s %s", step.As, step.Message))
	case scenario.Query:
		lines = append(lines, fmt.Sprintf("query %s", step.Message))
	}
	return lines
}

// printHelp prints the part of the command's help that is about the lines of a lesson.
func (p *player) printHelp() error {
	_, text, _ := strings.Cut(learnCommand(p.App, p.makeCommands).Long, "In a lesson, say\n")
	_, err := fmt.Fprintln(p.TextOut(), "Say\n"+text)
	return err
}

// printEnd prints what to remember of the lesson, which predictions were wrong, and the lesson that comes next.
func (p *player) printEnd() error {
	var texts []string
	if score := p.session.Score(); score != nil {
		texts = append(score.Lines(), "")
	}
	texts = append(texts, "Remember", p.session.Lesson.Remember)
	if right, answered := p.session.Right(); answered > 0 {
		texts = append(texts, fmt.Sprintf("\n%d of %d predictions were right.", right, answered))
		texts = append(texts, p.session.Corrections()...)
	}
	if next := p.indexOf(p.session.Lesson.ID) + 1; next < len(p.lessons) {
		texts = append(texts, fmt.Sprintf("Next: `ephemera learn %d`, %s.", next+1, p.lessons[next].Title))
	}
	return p.printTexts(texts...)
}

// printOutcome describes in words what the command called name did. answer is its answer
// in JSON. oldHead is the node of the history that the collection showed before it.
func (p *player) printOutcome(name string, oldHead history.ID, answer string) error {
	texts, err := chain.Read(p.session.Chain(), func(v *chain.View) ([]string, error) {
		switch name {
		case "query":
			named, err := v.WithNames(strings.TrimSpace(answer))
			return []string{named}, err
		case "exec":
			return describeChanges(v, oldHead)
		case "undo":
			texts, err := describeNodes(v, "Undone: ", oldHead, v.Head)
			return append(texts, describeClock(v)), err
		case "redo":
			texts, err := describeNodes(v, "Done again: ", v.Head, oldHead)
			return append(texts, describeClock(v)), err
		}
		return []string{describeClock(v)}, nil
	})
	if err != nil {
		return err
	}
	return p.printTexts(texts...)
}

// describeClock says at which height and time the clock is.
func describeClock(v *chain.View) string {
	return fmt.Sprintf("The clock is at height %s, %s.", human.Thousands(uint64(v.Clock.Height)), human.TimeUTC(v.Clock.Time))
}

// describeChanges describes what a message has changed. A dry run leaves the head of the
// history where it was.
func describeChanges(v *chain.View, oldHead history.ID) ([]string, error) {
	isDryRun := v.Head <= oldHead
	if isDryRun {
		return []string{"It would be done."}, nil
	}
	texts := []string{"Done."}
	changes, err := v.ChangesOf(v.Head)
	for _, text := range explain.Describe(v.Layout, changes, v.DisplayName) {
		texts = append(texts, "Changed: "+text)
	}
	return texts, err
}

// describeNodes describes messages and clock moves of the history: those from one node
// back to its ancestor, which is left out, newest first. Each text begins with prefix,
// such as "Undone: ".
func describeNodes(v *chain.View, prefix string, from, ancestor history.ID) ([]string, error) {
	var texts []string
	for id := from; id > ancestor; {
		node, err := v.Node(id)
		if err != nil {
			return nil, err
		}
		texts = append(texts, prefix+answer.NodeOf(v, node).Line())
		id = node.Parent
	}
	return texts, nil
}
