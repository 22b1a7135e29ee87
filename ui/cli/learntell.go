package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/ui/widget"
)

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
	if m := s.Advance; m != nil {
		line := "clock advance"
		switch {
		case m.Blocks == 1:
			line += " 1block"
		case m.Blocks > 1:
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

// moment is where the lesson's chain stands in its history.
func (p *learner) moment() (head history.ID, err error) {
	err = p.session.Chain().View(func(v *chain.View) error { head = v.Head; return nil })
	return head, err
}

// tellChanges says in words what a message did: the answer of the contract is
// for programs. What only walked the history or moved the clock has said so.
func (p *learner) tellChanges(before history.ID) error {
	var words []string
	err := p.session.Chain().View(func(v *chain.View) error {
		if v.Head <= before {
			return nil
		}
		node, err := v.Node(v.Head)
		if err != nil || node.Kind != history.KindExecute || node.Parent != before {
			return err
		}
		changes, err := v.ChangesOf(v.Head)
		words = explain.Describe(changes, v.Call)
		return err
	})
	if err != nil {
		return err
	}
	return p.writeText(func(w *bufio.Writer) error {
		for _, text := range words {
			prose(w, "Changed: "+text)
		}
		return nil
	})
}
