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

// tells ARG…: the program runs, and what it said is added to the file told as a
// person would have seen it: the command, stdout with its JSON in lines, stderr
// behind an exclamation mark, and the exit status where it is not 0. A script
// compares the whole of it at its end.
func tells(ts *testscript.TestScript, _ bool, args []string) {
	status, out, said := run(ts, args)
	var b strings.Builder
	b.WriteString("$ ephemera")
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \"{}[]$*;&|<>#") {
			arg = "'" + arg + "'"
		}
		b.WriteString(" " + arg)
	}
	b.WriteString("\n" + inLines(steady(ts, out)))
	for line := range strings.Lines(steady(ts, said)) {
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

// varies is what is another in each run, on each machine and in each build, and
// what is shown instead. A number stays a number, and a text a text.
var varies = []struct {
	pattern *regexp.Regexp
	shown   string
}{
	{regexp.MustCompile(`("(?:\w+_)?bytes"|"relisted_tables"):\d+`), `$1:9999`},
	{regexp.MustCompile(`"version":"[^"]+ \(go[^"]+"`), `"version":"VERSION"`},
	{regexp.MustCompile(`"badger":"[^"]*"`), `"badger":"VERSION"`},
	{regexp.MustCompile(`its \d+ tables`), `its 9999 tables`},
	{regexp.MustCompile(`"system":"\w+/\w+"`), `"system":"SYSTEM"`},
}

func steady(ts *testscript.TestScript, text string) string {
	text = strings.ReplaceAll(text, ts.Getenv("WORK"), "WORK")
	for _, v := range varies {
		text = v.pattern.ReplaceAllString(text, v.shown)
	}
	return text
}

// inLines writes an answer of one JSON value in lines that people can compare.
// Every other text stays as it is.
func inLines(text string) string {
	v := jsontext.Value(strings.TrimSpace(text))
	if strings.Count(text, "\n") != 1 || !v.IsValid() {
		return text
	}
	return lines(v, "") + "\n"
}

// longestLine is how wide a value may be to stay in one line.
const longestLine = 110

func lines(v jsontext.Value, indent string) string {
	if k := v.Kind(); len(indent)+len(v) <= longestLine || k != '{' && k != '[' {
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
		parts = append(parts, indent+"  "+name+lines(bytes.Clone(value), indent+"  "))
	}
	if err != nil {
		panic(err) // it was found valid
	}
	return string(v[0]) + "\n" + strings.Join(parts, ",\n") + "\n" + indent + string(v[len(v)-1])
}

// memberTag is the name of a member in the tag of a field that is printed.
var memberTag = regexp.MustCompile("`wire:\"(\\w+)")

// A script that reads an answer breaks when a member of it gets another name, so
// every name must stand in a script here, which breaks first.
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

// called has other names of what has one in every answer: the contract's own
// where it has one.
var called = map[string]string{
	"actor": "sender", "by": "sender",
	"token": "token_id",
	"until": "expires", "end": "expires", "expiry": "expires", "expiration": "expires",
	"because": "text", "reason": "text",
	"nanoseconds": "time", "block_time": "time", "block_height": "height", "db": "dir",
}

func TestANotionHasOneNameInAllAnswers(t *testing.T) {
	eachMember(t, func(source, name string) {
		if right, ok := called[name]; ok {
			t.Errorf("%s: the member %q is called %q elsewhere", source, name, right)
		}
	})
}

// eachMember walks the members that the commands print.
func eachMember(t *testing.T, fn func(source, name string)) {
	t.Helper()
	sources := chaintest.Must(filepath.Glob("*/*.go"))(t)
	sources = append(sources, "../../core/check/check.go")
	found := 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		for _, tag := range memberTag.FindAllStringSubmatch(read(t, source), -1) {
			found++
			fn(source, tag[1])
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
