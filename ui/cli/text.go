package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ephemera/themes"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// What is printed may hold what somebody else has chosen, such as the id of a token. So
// nothing that a terminal could act on is printed as it is, to whatever it goes: it
// is escaped as JSON does, which in an answer means the same to any program. In a
// locale that is not UTF-8 all that is not ASCII is, as the bytes of a letter can
// be such characters there.

// acts says whether a terminal could act on a character, or show what stands
// around it in another order: control characters but newline and tab, the
// separators of lines and paragraphs, and the bidi controls.
func acts(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x061c || r == 0x200e || r == 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// escaped escapes what acts, and what is not ASCII where that is asked.
func escaped(text string, asciiOnly bool) string {
	plain := func(r rune) bool { return r < utf8.RuneSelf && !acts(r) }
	if strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case plain(r) || !asciiOnly && !acts(r) && r != utf8.RuneError:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// writeText lets fn write lines for people to stdout, with stand-ins for the
// glyphs that the locale does not have.
func (a *app) writeText(fn func(*bufio.Writer) error) error {
	return writeTo(a.textOut(), fn)
}

// textOut is where lines for people go.
func (a *app) textOut() io.Writer {
	if term.NotUTF8(os.Getenv) {
		return &textWriter{to: answers{a}, change: themes.Plain}
	}
	return answers{a}
}

// complain writes one sentence to stderr.
func (a *app) complain(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	notUTF8 := term.NotUTF8(os.Getenv)
	if notUTF8 {
		text = themes.Plain(text)
	}
	fmt.Fprintf(a.Stderr, "ephemera: %s\n", escaped(text, notUTF8))
}

// textWriter changes text on its way. A character that one write begins
// and the next one ends is kept until it is whole.
type textWriter struct {
	to     io.Writer
	change func(string) string
	rest   []byte
}

func (w *textWriter) Write(p []byte) (int, error) {
	text := append(w.rest, p...)
	whole := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if at := len(text) - i; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				whole = at
			}
			break
		}
	}
	w.rest = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(w.to, w.change(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// safe makes one line of what may come from anywhere.
func safe(err error) string { return widget.Safe(err.Error()) }
