package term

import (
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ephemera/themes"
)

// questions asks for the name and the background of the terminal, and for its attributes,
// which every terminal answers. Terminals answer in order, so after the attributes there
// will be no other answer.
const questions = "\x1b[>0q\x1b]11;?\x1b\\\x1b[c"

// Answers describes a terminal. What the terminal did not answer is empty.
type Answers struct {
	TerminalName string // with its version: "kitty(0.42.1)"
	Background   themes.Background
}

// Ask asks the terminal for its name and its background colour, and waits for the answers
// at most as long as timeLimit. Read removes later answers.
//
// Ask blocks, and the answers come through Read. So call it from a command of a running
// program, when the terminal is raw and another goroutine reads. out must be the terminal
// on which the program draws.
func (in *Input) Ask(out io.Writer, timeLimit time.Duration) (answers Answers) {
	replies := make(chan string, 4)
	in.mu.Lock()
	in.replies = replies
	in.replyDueUntil = time.Now().Add(replyTimeout)
	in.mu.Unlock()
	if _, err := io.WriteString(out, questions); err != nil {
		return answers
	}
	timeout := time.NewTimer(timeLimit)
	defer timeout.Stop()
	for {
		select {
		case reply := <-replies:
			if isAttributes(reply) {
				return answers
			}
			if name, ok := strings.CutPrefix(reply, "P>|"); ok {
				answers.TerminalName = name
			} else if answers.Background = parseBackground(reply); answers.Background != themes.UnknownBackground {
				return answers
			}
		case <-timeout.C:
			return answers
		}
	}
}

// handleReply passes a reply that was removed to Ask.
func (in *Input) handleReply(reply string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if isAttributes(reply) {
		in.replyDueUntil = time.Time{}
	}
	select {
	case in.replies <- reply:
	default: // there was no question, or Ask has returned
	}
}

func isAttributes(reply string) bool {
	return strings.HasPrefix(reply, "[?") && strings.HasSuffix(reply, "c")
}

// parseBackground parses the reply with the background colour.
func parseBackground(reply string) themes.Background {
	value, ok := strings.CutPrefix(reply, "]11;")
	if !ok {
		return themes.UnknownBackground
	}
	c := ansi.XParseColor(value)
	if c == nil {
		return themes.UnknownBackground
	}
	r, g, b, _ := c.RGBA()
	luma := (299*r + 587*g + 114*b) / 1000 // how bright the colour looks, of 65535
	if luma < 0x8000 {
		return themes.DarkBackground
	}
	return themes.LightBackground
}

// NotUTF8 reports whether the environment names a locale that is not UTF-8. Without a
// locale, the terminal most likely shows UTF-8.
func NotUTF8(env func(name string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set counts
		if locale := strings.ToLower(env(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}
