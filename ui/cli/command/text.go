package command

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/term"
	"ephemera/ui/widget"

	"github.com/go-json-experiment/json/jsontext"
)

// LinesShown is how many lines a mismatch takes at most.
const LinesShown = 200

// What is printed may hold what somebody else has chosen, such as the id of a token. So
// nothing that a terminal could act on is printed as it is, to whatever it goes: it
// is escaped as JSON does, which in an answer means the same to any program. In a
// locale that is not UTF-8 all that is not ASCII is, as the bytes of a letter can
// be such characters there.

// isUnsafeRune says whether a terminal could act on a character, or show what stands
// around it in another order, or shows nothing for it: control characters but
// newline and tab, the separators of lines and paragraphs, and format characters,
// which are the bidi controls, those of no width, and tags.
func isUnsafeRune(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Escape escapes what a terminal could act on, and what is not ASCII where that is asked.
func Escape(text string, asciiOnly bool) string {
	plain := func(r rune) bool { return r < utf8.RuneSelf && !isUnsafeRune(r) }
	if strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case plain(r) || !asciiOnly && !isUnsafeRune(r) && r != utf8.RuneError:
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

// WriteText lets fn write lines for people to stdout, with stand-ins for the
// glyphs that the locale does not have.
func (a *App) WriteText(fn func(*bufio.Writer) error) error {
	return writeTo(a.TextOut(), fn)
}

// TextOut is where lines for people go.
func (a *App) TextOut() io.Writer {
	if term.NotUTF8(os.Getenv) {
		return &textWriter{to: a.Answers(), change: themes.Plain}
	}
	return a.Answers()
}

// Errorf writes one sentence to stderr.
func (a *App) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	notUTF8 := term.NotUTF8(os.Getenv)
	if notUTF8 {
		text = themes.Plain(text)
	}
	fmt.Fprintf(a.Stderr, "ephemera: %s\n", Escape(text, notUTF8))
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

// Safe makes one line of what may come from anywhere.
func Safe(err error) string { return widget.Safe(err.Error()) }

// PrintAnswer writes one answer and ends its line: compact for programs, indented on a
// terminal.
func (a *App) PrintAnswer(answer []byte) error {
	if IsTerminal(a.Stdout) && !a.Global.JSON {
		answer = a.prettyPrint(answer)
	}
	return a.Write(func(w *bufio.Writer) error {
		_, _ = w.Write(answer) // Flush gives its error
		return w.WriteByte('\n')
	})
}

// Answer prints a value as JSON, unless there is an error instead.
func (a *App) Answer(value any, err error) error {
	if err != nil {
		return err
	}
	return a.PrintAnswer(wire.Compact(value))
}

// AnswerOr prints a value where answers are to be JSON, and else lets words say it.
func (a *App) AnswerOr(value any, words func(*bufio.Writer)) error {
	if a.Global.JSON {
		return a.Answer(value, nil)
	}
	return a.WriteText(func(w *bufio.Writer) error {
		words(w)
		return nil
	})
}

// member is the name of a member at the beginning of an indented line.
var member = regexp.MustCompile(`(?m)^( *)("(?:[^"\\]|\\.)*"):`)

// prettyPrint indents an answer and colours the names in it.
func (a *App) prettyPrint(answer []byte) []byte {
	v := jsontext.Value(bytes.Clone(answer))
	if v.Indent(jsontext.WithIndent("  ")) != nil {
		return answer
	}
	lines := widget.SafeLines(string(v), strings.Count(string(v), "\n")+1)
	text := strings.Join(lines, "\n")
	return []byte(member.ReplaceAllString(text, "$1"+a.Colour(a.Stdout, "36", "$2")+":"))
}

// Write lets fn write to stdout.
func (a *App) Write(fn func(*bufio.Writer) error) error { return writeTo(a.Answers(), fn) }

func writeTo(out io.Writer, fn func(*bufio.Writer) error) error {
	w := bufio.NewWriter(out)
	if err := fn(w); err != nil {
		return err
	}
	return w.Flush()
}

// answers is stdout, where answers go, and the help as well. The run fails with
// what first went wrong there, whether whoever wrote looks at it or not.
type answers struct{ *App }

// Answers gives where answers go.
func (a *App) Answers() io.Writer { return answers{a} }

func (w answers) Write(p []byte) (int, error) {
	if w.out == nil {
		notUTF8 := term.NotUTF8(os.Getenv)
		w.App.out = &textWriter{to: w.Stdout, change: func(s string) string { return Escape(s, notUTF8) }}
	}
	n, err := w.out.Write(p)
	if err != nil && w.OutputErr == nil {
		w.App.OutputErr = fmt.Errorf("stdout: the answer could not be written: %w", err)
	}
	return n, w.OutputErr
}
