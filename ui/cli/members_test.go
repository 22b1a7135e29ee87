package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
)

// memberTag matches the tag of a struct field, with the name of its JSON member.
var memberTag = regexp.MustCompile("`wire:\"(\\w+)")

// A renamed member breaks the programs that read answers, and so it must break a test.
func TestEveryMemberThatACommandPrintsStandsInAScript(t *testing.T) {
	scripts := ""
	for _, name := range scriptFiles(t) {
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
