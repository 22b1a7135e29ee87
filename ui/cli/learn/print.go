package learn

import (
	"bufio"
	"fmt"
	"slices"
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

// printTask prints the task in hand, its question, and what is to be reached.
func (p *learner) printTask() error {
	t := p.session.Task()
	if t == nil {
		return nil
	}
	words := []string{fmt.Sprintf("\nTask %d of %d", p.session.TaskIndex()+1, len(p.session.Lesson.Tasks)), t.Story}
	if ask := p.session.Question(); ask != nil {
		words = append(words, "\nPredict: "+ask.Question)
		for i, c := range ask.Choices {
			words = append(words, fmt.Sprintf("  %d  %s", i+1, c))
		}
		words = append(words, "Say the number of your answer.")
	}
	err := p.printWords(words...)
	if err != nil || p.session.Question() != nil {
		return err
	}
	p.check = lesson.Check{}
	return p.checkGoals()
}

func (p *learner) answer(choice string) error {
	ask, lie := p.session.Question(), p.session.Task().Believes(choice)
	words := []string{"Right: " + ask.Answer}
	if !p.session.Answer(choice) {
		words = []string{"Not so. It is: " + ask.Answer, ask.Replies[choice].Why}
	}
	err := p.printWords(append(words, ask.Why)...)
	if err == nil && lie != lesson.NoMisconception {
		err = p.printWorlds(lie)
	}
	if err != nil {
		return err
	}
	p.check = lesson.Check{}
	return p.checkGoals()
}

// printWorlds prints how the task would go under the contract that the learner
// believes in, and how it goes, to where the two part.
func (p *learner) printWorlds(lie lesson.Misconception) error {
	worlds, ok, err := p.session.Lesson.Worlds(p.session.TaskIndex(), lie)
	if err != nil || !ok {
		return err
	}
	words := []string{fmt.Sprintf("\nSuppose that %s. Then the task would go like this:", lie.Belief())}
	for i, row := range worlds.Rows {
		words = append(words, fmt.Sprintf("At %s: %s", human.Thousands(uint64(row.Block.Height)), row.Step))
		switch {
		case i == len(worlds.Rows)-1:
			words = append(words, "  as supposed: "+row.Believed, "  in fact: "+row.Truth)
		case row.Truth != "":
			words = append(words, "  "+row.Truth)
		}
	}
	for _, rule := range worlds.Why {
		words = append(words, "Because: "+rule)
	}
	return p.printWords(words...)
}

// checkGoals says what was reached since it was last called, or is no longer, and goes on
// when the task is done.
func (p *learner) checkGoals() error {
	was := p.check
	var err error
	if p.check, err = p.session.Check(); err != nil {
		return err
	}
	var words []string
	for i, g := range p.check.Goals {
		before := i < len(was.Goals)
		switch {
		case before && g == was.Goals[i]:
		case g.Reached:
			words = append(words, "Reached: "+g.Text)
		case before && was.Goals[i].Reached:
			words = append(words, "No longer: "+g.Text)
		default:
			words = append(words, "To reach: "+g.String())
		}
	}
	err = p.printWords(words...)
	if err != nil || !p.session.Next(p.check) {
		return err
	}
	p.keepNow()
	if _, err := fmt.Fprintln(p.TextOut(), "This task is done."); err != nil {
		return err
	}
	return p.printTask()
}

func (p *learner) hint() error {
	before := len(p.session.Hints())
	hints := p.session.Hint()
	return p.WriteText(func(w *bufio.Writer) error {
		if len(hints) == before {
			prose(w, "There is no stronger hint. Where something stands in the way, `undo` takes it back, and `restart` begins the task anew.")
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
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if m := s.Advance; m != nil && m.Blocks > 0 {
		say("clock advance %dblocks", m.Blocks)
	}
	if m := s.Advance; m != nil && m.Time > 0 {
		say("clock advance %s", m.Time)
	}
	if at := s.At; at != nil && at.Height != nil {
		say("clock set --height %d", *at.Height)
	}
	if at := s.At; at != nil && at.Time != nil {
		say("clock set --time %d", *at.Time)
	}
	switch s.Kind {
	case scenario.Execute:
		say("exec --as %s %s", s.As, s.Message)
	case scenario.Query:
		say("query %s", s.Message)
	}
	return out
}

func (p *learner) help() error {
	_, text, _ := strings.Cut(learnCommand(p.App, p.sayable).Long, "In a lesson, say\n")
	_, err := fmt.Fprintln(p.TextOut(), "Say\n"+text)
	return err
}

// end says what to remember, and what comes next.
func (p *learner) end() error {
	words := []string{"\nRemember", p.session.Lesson.Remember}
	if right, of := p.session.Right(); of > 0 {
		words = append(words, fmt.Sprintf("\n%d of %d predictions were right.", right, of))
	}
	i := slices.IndexFunc(p.all, func(l lesson.Lesson) bool { return l.ID == p.session.Lesson.ID })
	if i >= 0 && i+1 < len(p.all) {
		words = append(words, fmt.Sprintf("Next: `ephemera learn %d`, %s.", i+2, p.all[i+1].Title))
	}
	return p.printWords(words...)
}

// printDone says in words what a command did: its answer is for programs.
func (p *learner) printDone(command string, before history.ID, answer string) error {
	var words []string
	err := p.session.Chain().View(func(v *chain.View) (err error) {
		switch command {
		case "query":
			answer, err = v.WithNames(strings.TrimSpace(answer))
			words = []string{answer}
		case "exec":
			words, err = changed(v, before)
		case "undo":
			words, err = walkedOver(v, "Undone: ", before, v.Head)
		case "redo":
			words, err = walkedOver(v, "Done again: ", v.Head, before)
		}
		if command != "query" && command != "exec" {
			words = append(words, fmt.Sprintf("The clock is at height %s, %s.", human.Thousands(uint64(v.Clock.Height)), human.TimeUTC(v.Clock.Time)))
		}
		return err
	})
	if err != nil {
		return err
	}
	return p.printWords(words...)
}

func (p *learner) printWords(words ...string) error {
	return p.WriteText(func(w *bufio.Writer) error {
		for _, text := range words {
			prose(w, text)
		}
		return nil
	})
}

// changed says what the message at the head has changed.
func changed(v *chain.View, before history.ID) ([]string, error) {
	if v.Head <= before {
		return []string{"It would be done."}, nil // as a dry run
	}
	words := []string{"Done."}
	changes, err := v.ChangesOf(v.Head)
	for _, text := range explain.Describe(changes, v.DisplayName) {
		words = append(words, "Changed: "+text)
	}
	return words, err
}

// walkedOver says what lies between two nodes, from the younger one up.
func walkedOver(v *chain.View, verb string, from, to history.ID) (words []string, err error) {
	for id := from; id > to; {
		n, err := v.Node(id)
		if err != nil {
			return words, err
		}
		words = append(words, verb+answer.NodeOf(v, n).Line())
		id = n.Parent
	}
	return words, nil
}
