package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/core/chain/chaintest"
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

// memberTag matches the tag of a struct field, with the name of its JSON member.
var memberTag = regexp.MustCompile("`wire:\"(\\w+)")

// A renamed member breaks the programs that read answers, and so it must break a test.
func TestEveryMemberThatACommandPrintsStandsInAScript(t *testing.T) {
	scripts := ""
	names := chaintest.Must(filepath.Glob("testdata/script/*.txtar"))(t)
	for _, name := range names {
		scripts += read(t, name)
	}
	eachMember(t, func(source, name string) {
		if !strings.Contains(scripts, `"`+name+`":`) {
			t.Errorf("%s: the member %q stands in no script", source, name)
		}
	})
}

// memberNames has the right names of members, by the wrong ones.
var memberNames = map[string]string{
	"actor": "sender", "by": "sender",
	"token": "token_id",
	"until": "expires", "end": "expires", "expiry": "expires", "expiration": "expires",
	"because": "text", "reason": "text",
	"nanoseconds": "time", "block_time": "time", "block_height": "height", "db": "dir",
}

func TestANotionHasOneNameInAllAnswers(t *testing.T) {
	eachMember(t, func(source, name string) {
		if right, isWrong := memberNames[name]; isWrong {
			t.Errorf("%s: the member %q is called %q elsewhere", source, name, right)
		}
	})
}

// eachMember calls check with each JSON member that the commands print, and the source
// file in which it is declared.
func eachMember(t *testing.T, check func(source, name string)) {
	t.Helper()
	sources := chaintest.Must(filepath.Glob("*/*.go"))(t)
	sources = append(sources, "../../core/doctor/doctor.go")
	found := 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		for _, tag := range memberTag.FindAllStringSubmatch(read(t, source), -1) {
			found++
			check(source, tag[1])
		}
	}
	if found < 90 {
		t.Errorf("only %d members were found", found)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text := chaintest.Must(os.ReadFile(name))(t)
	return string(text)
}
