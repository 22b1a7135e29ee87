package command

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"ephemera/themes"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// WriteText calls write with stdout for lines that people read. In a locale that is not
// UTF-8, glyphs are replaced by ASCII characters.
func (a *App) WriteText(write func(*bufio.Writer) error) error {
	return writeAndFlush(a.TextOut(), write)
}

// TextOut returns stdout for lines that people read; see [App.WriteText].
func (a *App) TextOut() io.Writer {
	if term.LacksUTF8(os.Getenv) {
		return &textWriter{out: a.Answers(), change: themes.Plain}
	}
	return a.Answers()
}

// Write calls write with stdout for what is no text for people.
func (a *App) Write(write func(*bufio.Writer) error) error { return writeAndFlush(a.Answers(), write) }

func writeAndFlush(out io.Writer, write func(*bufio.Writer) error) error {
	w := bufio.NewWriter(out)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// Answers returns stdout for answers.
func (a *App) Answers() io.Writer { return answers{a} }

// answers is stdout for answers and help. It keeps its first error in OutputErr, so that the
// program fails even if the caller ignores the error.
type answers struct{ *App }

// Write escapes p. After the first error of stdout it returns that error.
func (a answers) Write(p []byte) (int, error) {
	if a.out == nil { // this is the first call
		lacksUTF8 := term.LacksUTF8(os.Getenv)
		a.App.out = &textWriter{out: a.Stdout, change: func(s string) string { return Escape(s, lacksUTF8) }}
	}
	n, err := a.out.Write(p)
	if err != nil && a.OutputErr == nil {
		a.App.OutputErr = fmt.Errorf("stdout: the answer could not be written: %w", err)
	}
	return n, a.OutputErr
}

// Errorf prints one sentence to stderr, on one line and without characters that a terminal
// could act on.
func (a *App) Errorf(format string, args ...any) {
	text := widget.Safe(fmt.Sprintf(format, args...))
	lacksUTF8 := term.LacksUTF8(os.Getenv)
	if lacksUTF8 {
		text = themes.Plain(text)
	}
	fmt.Fprintf(a.Stderr, "ephemera: %s\n", Escape(text, lacksUTF8))
}

// textWriter changes the text that is written through it. A character that is split between
// two writes is held back until it is complete.
type textWriter struct {
	out        io.Writer           // receives the changed text
	change     func(string) string // returns the text to write in place of a text
	incomplete []byte              // the beginning of a character
}

// Write returns len(p), although the changed text may have another length.
func (w *textWriter) Write(p []byte) (int, error) {
	text := append(w.incomplete, p...)
	completeBytes := countCompleteBytes(text)
	w.incomplete = bytes.Clone(text[completeBytes:])

	changedText := w.change(string(text[:completeBytes]))
	if _, err := io.WriteString(w.out, changedText); err != nil {
		return 0, err
	}
	return len(p), nil
}

// countCompleteBytes returns the length of a text without its last character if that is
// incomplete.
func countCompleteBytes(text []byte) int {
	for i := max(0, len(text)-utf8.UTFMax); i < len(text); i++ {
		if !utf8.FullRune(text[i:]) {
			return i
		}
	}
	return len(text)
}

// Output may contain text that somebody else has chosen, such as the id of a token. So
// characters that a terminal could act on are escaped, always and not only on a terminal.
// They are escaped as in JSON, so that a program reads the same answer. In a locale that is
// not UTF-8 every character that is not ASCII is escaped, because its bytes can be control
// characters there.

// Escape replaces characters that a terminal could act on, and with asciiOnly all that are not
// ASCII, by escapes as in JSON, such as \u001b.
func Escape(text string, asciiOnly bool) string {
	isEscaped := func(r rune) bool {
		return asciiOnly && r >= utf8.RuneSelf || isUnsafeRune(r) || r == utf8.RuneError
	}
	if !strings.ContainsFunc(text, isEscaped) {
		return text
	}
	var builder strings.Builder
	for _, r := range text {
		switch {
		case !isEscaped(r):
			builder.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&builder, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&builder, `\u%04x`, r)
		}
	}
	return builder.String()
}

// isUnsafeRune reports whether a terminal could act on a character, show its neighbours in
// another order, or show nothing for it. Such characters are control characters except for
// newline and tab, the separators of lines and paragraphs, and format characters, such as
// those for the direction of writing and those without width.
func isUnsafeRune(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Safe returns the text of an error as one line without characters that a terminal could act on.
func Safe(err error) string { return widget.Safe(err.Error()) }

// JoinNames returns names as a list with commas.
func JoinNames[S ~string](names []S) string {
	var words []string
	for _, name := range names {
		words = append(words, string(name))
	}
	return strings.Join(words, ", ")
}

// LinesShown is how many lines of a mismatch are printed.
const LinesShown = 200
