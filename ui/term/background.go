package term

import (
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ephemera/themes"
)

// ask is the questions for the name and the background, and one that every
// terminal answers (what it can do). Terminals answer in order, so the last answer
// without the others means that there will be none, and nobody waits for them.
const ask = "\x1b[>0q\x1b]11;?\x1b\\\x1b[c"

// Answers is what a terminal has told of itself; what it did not tell is empty.
type Answers struct {
	Name       string // with its version: "kitty(0.42.1)"
	Background themes.Background
}

// Ask asks the terminal what it is and for its background colour, and waits for
// the answers at most as long as bound. What comes later is dropped by Read.
//
// It blocks, and the answer comes through Read: call it from a command of a
// running program, so that the terminal is raw and something reads. out must be
// the terminal that the program draws on.
func (in *Input) Ask(out io.Writer, bound time.Duration) (answers Answers) {
	answer := make(chan string, 4)
	in.mu.Lock()
	in.answer, in.due = answer, time.Now().Add(overdue)
	in.mu.Unlock()
	if _, err := io.WriteString(out, ask); err != nil {
		return answers
	}
	timeout := time.NewTimer(bound)
	defer timeout.Stop()
	for {
		select {
		case reply := <-answer:
			if isAttributes(reply) {
				return answers
			}
			if name, ok := strings.CutPrefix(reply, "P>|"); ok {
				answers.Name = name
			} else if answers.Background = background(reply); answers.Background != themes.UnknownBackground {
				return answers
			}
		case <-timeout.C:
			return answers
		}
	}
}

// replied is told of each reply that was dropped.
func (in *Input) replied(reply string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if isAttributes(reply) {
		in.due = time.Time{}
	}
	select {
	case in.answer <- reply:
	default: // nobody asked, or nobody listens any more
	}
}

func isAttributes(reply string) bool {
	return strings.HasPrefix(reply, "[?") && strings.HasSuffix(reply, "c")
}

// background reads the reply to the question for the background colour.
func background(reply string) themes.Background {
	value, ok := strings.CutPrefix(reply, "]11;")
	if !ok {
		return themes.UnknownBackground
	}
	c := ansi.XParseColor(value)
	if c == nil {
		return themes.UnknownBackground
	}
	r, g, b, _ := c.RGBA()
	// Luma as television counts it: how bright the colour looks, of 65535.
	if (299*r+587*g+114*b)/1000 < 0x8000 {
		return themes.DarkBackground
	}
	return themes.LightBackground
}

// NotUTF8 tells that the environment says of the terminal that it takes no
// UTF-8. Where it says nothing, it likely does.
func NotUTF8(env func(name string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first one that is set counts
		if v := strings.ToLower(env(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}
