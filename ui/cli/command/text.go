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

	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/term"
	"ephemera/ui/widget"

	"github.com/go-json-experiment/json/jsontext"
)

// LinesShown is how many lines of a mismatch are printed.
const LinesShown = 200

// Output may contain text that somebody else has chosen, such as the id of a token. So
// characters that a terminal could act on are escaped, always and not only on a terminal.
// They are escaped as in JSON, so that a program reads the same answer. In a locale that is
// not UTF-8 every character that is not ASCII is escaped, because its bytes can be control
// characters there.

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

// Escape replaces characters that a terminal could act on by escapes as in JSON, such as
// \u001b. If asciiOnly is set, it also replaces all characters that are not ASCII. A
// character above U+FFFF becomes two escapes, a surrogate pair.
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

// WriteText calls write with stdout for lines that people read. In a locale that is not
// UTF-8, glyphs are replaced by ASCII characters. It returns the first error of write or of
// stdout.
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

// countCompleteBytes returns how many bytes of a text are before the last character, if that
// is incomplete, and otherwise how many there are.
func countCompleteBytes(text []byte) int {
	for i := max(0, len(text)-utf8.UTFMax); i < len(text); i++ {
		if !utf8.FullRune(text[i:]) {
			return i
		}
	}
	return len(text)
}

// Safe returns the text of an error as one line without characters that a terminal could act on.
func Safe(err error) string { return widget.Safe(err.Error()) }

// AnswersInText reports whether answers are lines for people and not JSON. That is so with
// --text, and on a terminal without --json.
func (a *App) AnswersInText() bool {
	return a.Global.Text || IsTerminal(a.Stdout) && !a.Global.JSON && !a.KeepsJSON
}

// PrintAnswer prints one JSON answer and a newline, or plain lines if a person reads it; see
// [App.AnswersInText]. JSON is indented on a terminal and compact otherwise.
func (a *App) PrintAnswer(answer []byte) error {
	// Compact fails for what is no JSON, which is printed as it is.
	value := jsontext.Value(answer)
	if a.AnswersInText() && value.Compact() == nil {
		return a.WriteText(func(w *bufio.Writer) error {
			if hasParts(value) {
				return writeLines(w, value, "", "")
			}
			_, err := fmt.Fprintln(w, scalarText(value))
			return err
		})
	}
	_, err := fmt.Fprintf(a.Answers(), "%s\n", a.prettyPrint(answer))
	return err
}

// Answer prints a value as JSON, or for a person in words, if it has a method WriteWords; see
// [App.AnswersInText]. If err is not nil, it prints nothing and returns err, so that a command
// can pass on both results of a call.
func (a *App) Answer(value any, err error) error {
	if err != nil {
		return err
	}
	words, ok := value.(interface{ WriteWords(*bufio.Writer) })
	if ok && a.AnswersInText() {
		return a.AnswerOr(value, words.WriteWords)
	}
	return a.PrintAnswer(wire.Compact(value))
}

// AnswerOr prints a value as JSON with --json, and otherwise calls writeWords, which
// describes the value for people.
func (a *App) AnswerOr(value any, writeWords func(*bufio.Writer)) error {
	if a.Global.JSON {
		return a.Answer(value, nil)
	}
	return a.WriteText(func(w *bufio.Writer) error {
		writeWords(w)
		return nil
	})
}

// writeLines writes a JSON object or array in plain lines: "name: value" for a member of an
// object, and "- value" for an element of an array. If the value is itself an object or an
// array, its own lines follow, indented by two more columns. prefix begins the first line,
// and indent begins all others. For example, {"block":{"height":5}} becomes the line
// "block:" and below it "  height: 5".
func writeLines(w *bufio.Writer, value jsontext.Value, prefix, indent string) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(value))
	openingBrace, err := decoder.ReadToken()
	if err != nil {
		return err
	}
	isObject := openingBrace.Kind() == '{'
	for decoder.PeekKind() != '}' && decoder.PeekKind() != ']' {
		// An element begins with a dash, and a member with its name.
		lead := prefix + "-"
		if isObject {
			name, err := decoder.ReadToken()
			if err != nil {
				return err
			}
			lead = prefix + widget.Safe(name.String()) + ":"
		}
		part, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		part = part.Clone() // the decoder uses the bytes again

		// Write a simple value on the same line, and any other below it.
		switch {
		case !hasParts(part):
			fmt.Fprintf(w, "%s %s\n", lead, scalarText(part)) // Flush returns its error
		case isObject:
			fmt.Fprintln(w, lead)
			err = writeLines(w, part, indent+"  ", indent+"  ")
		default:
			err = writeLines(w, part, lead+" ", indent+"  ")
		}
		if err != nil {
			return err
		}
		prefix = indent
	}
	return nil
}

// hasParts reports whether a JSON value is an object or an array, and not an empty one.
func hasParts(value jsontext.Value) bool {
	return (value.Kind() == '{' || value.Kind() == '[') && len(value) > len("{}") // value has no blanks
}

// scalarText returns a JSON value that has no parts as people read it.
func scalarText(value jsontext.Value) string {
	switch value.Kind() {
	case '"':
		text, _ := jsontext.AppendUnquote(nil, value) // fails only for invalid JSON
		return widget.Safe(string(text))
	case 't':
		return "yes"
	case 'f':
		return "no"
	case '0':
		return string(value)
	}
	return "none"
}

// prettyPrint returns an answer with indentation if stdout is a terminal, unless JSON was asked
// for. It has no colours, because [App.Answers] escapes them.
func (a *App) prettyPrint(answer []byte) []byte {
	if !IsTerminal(a.Stdout) || a.Global.JSON {
		return answer
	}
	value := jsontext.Value(bytes.Clone(answer))
	if value.Indent(jsontext.WithIndent("  ")) != nil {
		return answer // which is no JSON, so it is printed as it is
	}
	indented := string(value)
	lineCount := strings.Count(indented, "\n") + 1
	return []byte(strings.Join(widget.SafeLines(indented, lineCount), "\n"))
}

// Write calls write with stdout. It returns the first error of write or of stdout.
func (a *App) Write(write func(*bufio.Writer) error) error { return writeAndFlush(a.Answers(), write) }

// writeAndFlush calls write with a buffer in front of out, and flushes the buffer.
func writeAndFlush(out io.Writer, write func(*bufio.Writer) error) error {
	w := bufio.NewWriter(out)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// answers is stdout for answers and help. It keeps its first error in OutputErr, so that the
// program fails even if the caller ignores the error.
type answers struct{ *App }

// Answers returns stdout for answers.
func (a *App) Answers() io.Writer { return answers{a} }

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
