package command

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"ephemera/core/wire"
	"ephemera/ui/widget"

	"github.com/go-json-experiment/json/jsontext"
)

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

// PrintAnswer prints one JSON answer and a newline, or plain lines if a person reads it; see
// [App.AnswersInText]. JSON is indented on a terminal without --json, and compact otherwise.
// What is no JSON is printed as it is.
func (a *App) PrintAnswer(answer []byte) error {
	value := jsontext.Value(bytes.Clone(answer))
	switch {
	case a.AnswersInText() && value.Compact() == nil:
		return a.WriteText(func(w *bufio.Writer) error {
			if hasParts(value) {
				return writeLines(w, value, "", "")
			}
			_, err := fmt.Fprintln(w, scalarText(value))
			return err
		})
	case IsTerminal(a.Stdout) && !a.Global.JSON && value.Indent(jsontext.WithIndent("  ")) == nil:
		// Without colours, because [App.Answers] would escape them.
		lineCount := bytes.Count(value, []byte("\n")) + 1
		answer = []byte(strings.Join(widget.SafeLines(string(value), lineCount), "\n"))
	}
	_, err := fmt.Fprintf(a.Answers(), "%s\n", answer)
	return err
}

// AnswersInText reports whether answers are lines for people and not JSON. That is so with
// --text, and on a terminal without --json.
func (a *App) AnswersInText() bool {
	return a.Global.Text || IsTerminal(a.Stdout) && !a.Global.JSON && !a.KeepsJSON
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
