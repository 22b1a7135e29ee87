package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/testscript"
)

// runForTranscript is the command "tells ARG…" of scripts. It runs the program and appends
// to the file "told" the command line, stdout with its JSON indented, the lines of stderr
// behind exclamation marks, and an exit status other than 0. The script compares the file
// at its end.
func runForTranscript(ts *testscript.TestScript, _ bool, args []string) {
	status, stdout, stderr := run(ts, args)
	var b strings.Builder
	b.WriteString("$ ephemera")
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \"{}[]$*;&|<>#") {
			arg = "'" + arg + "'"
		}
		b.WriteString(" " + arg)
	}
	b.WriteString("\n" + indentAnswer(maskVariables(ts, stdout)))
	for line := range strings.Lines(maskVariables(ts, stderr)) {
		b.WriteString("! " + line)
	}
	if status != 0 {
		fmt.Fprintf(&b, "exit %d\n", status)
	}
	file, err := os.OpenFile(ts.MkAbs("told"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	ts.Check(err)
	_, err = file.WriteString(b.String() + "\n")
	ts.Check(err)
	ts.Check(file.Close())
}

// variables are the parts of answers that differ between runs, machines and builds, with
// their replacements, which keep the JSON type.
var variables = []struct {
	pattern     *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`("(?:\w+_)?bytes"|"relisted_tables"):\d+`), `$1:9999`},
	{regexp.MustCompile(`"version":"[^"]+ \(go[^"]+"`), `"version":"VERSION"`},
	{regexp.MustCompile(`"badger":"[^"]*"`), `"badger":"VERSION"`},
	{regexp.MustCompile(`its \d+ tables`), `its 9999 tables`},
	{regexp.MustCompile(`"system":"\w+/\w+"`), `"system":"SYSTEM"`},
}

// maskVariables replaces the script's directory and the [variables].
func maskVariables(ts *testscript.TestScript, text string) string {
	text = strings.ReplaceAll(text, ts.Getenv("WORK"), "WORK")
	for _, v := range variables {
		text = v.pattern.ReplaceAllString(text, v.replacement)
	}
	return text
}

// indentAnswer indents an answer of one JSON value. It returns any other text unchanged.
func indentAnswer(text string) string {
	v := jsontext.Value(strings.TrimSpace(text))
	if strings.Count(text, "\n") != 1 || !v.IsValid() {
		return text
	}
	return indentValue(v, "") + "\n"
}

// maxLineBytes bounds the objects and arrays that stay on one line.
const maxLineBytes = 110

// indentValue writes an object or array that is too long for a line with a line for each
// of its elements, which begin with the indent and two blanks.
func indentValue(v jsontext.Value, indent string) string {
	isContainer := v.Kind() == '{' || v.Kind() == '['
	if !isContainer || len(indent)+len(v) <= maxLineBytes {
		return string(v)
	}
	var parts []string
	d := jsontext.NewDecoder(bytes.NewReader(v))
	open, err := d.ReadToken()
	for err == nil && d.PeekKind() != '}' && d.PeekKind() != ']' {
		name := ""
		var value jsontext.Value
		if open.Kind() == '{' {
			value, err = d.ReadValue()
			name = string(value) + ": "
		}
		if err == nil {
			value, err = d.ReadValue()
		}
		parts = append(parts, indent+"  "+name+indentValue(bytes.Clone(value), indent+"  "))
	}
	if err != nil {
		panic(err) // v was valid
	}
	return string(v[0]) + "\n" + strings.Join(parts, ",\n") + "\n" + indent + string(v[len(v)-1])
}
