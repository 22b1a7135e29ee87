package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"ephemera/themes"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// writeText lets fn write lines for people to stdout. In a locale that is not
// UTF-8 what is not ASCII is written as an escape, because such a terminal would
// show something else, or act on it. JSON is for programs and stays as it is.
func (a *app) writeText(fn func(*bufio.Writer) error) error {
	return writeTo(a.textOut(), fn)
}

// textOut is where lines for people go.
func (a *app) textOut() io.Writer {
	if term.NotUTF8(os.Getenv) {
		return &asciiWriter{to: answers{a}}
	}
	return answers{a}
}

// complain writes one sentence to stderr.
func (a *app) complain(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if term.NotUTF8(os.Getenv) {
		text = ascii(text)
	}
	fmt.Fprintf(a.Stderr, "ephemera: %s\n", text)
}

// ascii writes a text with the plain stand-ins of the glyphs, and escapes for
// what else is not ASCII.
func ascii(text string) string {
	text = themes.Plain(text)
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(text[0])
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		text = text[n:]
	}
	return b.String()
}

// asciiWriter writes text on as [ascii] does. A character that one write begins
// and the next one ends is kept until it is whole.
type asciiWriter struct {
	to   io.Writer
	rest []byte
}

func (w *asciiWriter) Write(p []byte) (int, error) {
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
	if _, err := io.WriteString(w.to, ascii(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// safe makes one line of what may come from anywhere.
func safe(err error) string { return widget.Safe(err.Error()) }
