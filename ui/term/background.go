package term

import (
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ephemera/themes"
)

// questions asks the terminal for its name, its background colour, and its attributes, in
// this order. Every terminal answers the last question, but not the first two. Terminals
// answer in order, so after the attributes no further answer will come.
const questions = "\x1b[>0q\x1b]11;?\x1b\\\x1b[c"

// Answers holds what a terminal answered about itself.
type Answers struct {
	TerminalName string            // with its version, such as "kitty(0.42.1)"; "" is unknown
	Background   themes.Background // UnknownBackground if the terminal did not answer
}

// Ask asks the terminal, on which out writes, for its name and its background colour. It waits
// at most as long as timeLimit; Read removes an answer that comes later.
//
// The answers arrive through Read. So call Ask while another goroutine reads from in, and
// the terminal is raw, for example from a command of a running bubbletea program.
func (in *Input) Ask(out io.Writer, timeLimit time.Duration) (answers Answers) {
	replyChannel := make(chan string, 4) // more than the three answers, so that Read rarely drops one

	// From now on, Read passes the replies here.
	in.mu.Lock()
	in.replyChannel = replyChannel
	in.replyDueUntil = time.Now().Add(replyTimeout)
	in.mu.Unlock()
	if _, err := io.WriteString(out, questions); err != nil {
		return answers
	}

	timeout := time.NewTimer(timeLimit)
	defer timeout.Stop()
	for {
		select {
		case reply := <-replyChannel:
			if isAttributeList(reply) {
				return answers
			}
			if name, isName := strings.CutPrefix(reply, "P>|"); isName {
				answers.TerminalName = name
				continue
			}
			answers.Background = parseBackground(reply)
			if answers.Background != themes.UnknownBackground {
				return answers // the name comes before the background, if it comes at all
			}
		case <-timeout.C:
			return answers
		}
	}
}

// handleReply passes a reply, which the filter has removed from the input, to a waiting
// Ask. reply is the text without the leading ESC, such as "]11;rgb:0000/0000/0000".
func (in *Input) handleReply(reply string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if isAttributeList(reply) {
		in.replyDueUntil = time.Time{} // this was the last reply
	}
	select {
	case in.replyChannel <- reply:
	default: // there was no question, or Ask has returned
	}
}

// isAttributeList reports whether a reply lists the terminal's attributes, such as
// "[?62;22c".
func isAttributeList(reply string) bool {
	return strings.HasPrefix(reply, "[?") && strings.HasSuffix(reply, "c")
}

// parseBackground says whether the background colour in a reply such as "]11;rgb:ffff/ffff/ffff"
// is dark or light. For every other reply it is unknown.
func parseBackground(reply string) themes.Background {
	value, isBackground := strings.CutPrefix(reply, "]11;")
	if !isBackground {
		return themes.UnknownBackground
	}
	parsed := ansi.XParseColor(value)
	if parsed == nil {
		return themes.UnknownBackground
	}
	r, g, b, _ := parsed.RGBA()
	luma := (299*r + 587*g + 114*b) / 1000 // how bright the colour looks, from 0 to 65535
	if luma < 0x8000 {
		return themes.DarkBackground
	}
	return themes.LightBackground
}

// LacksUTF8 reports whether the environment names a locale that is not UTF-8, such as LANG=C.
// Like the C library, it uses the first variable that is set. If none is set, the terminal
// most likely shows UTF-8.
func LacksUTF8(getenv func(name string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}
