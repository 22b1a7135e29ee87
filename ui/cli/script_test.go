package cli_test

import (
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/persist"
)

var update = flag.Bool("update", false, "write what the scripts compare anew")

func TestEveryCommandAnswersAsItsScriptSays(t *testing.T) {
	contract := chaintest.Must(filepath.Abs("../../core/wasm/testdata/contract.wasm"))(t)
	testscript.Run(t, testscript.Params{
		Dir:                 chaintest.Must(filepath.Abs("testdata/script"))(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_DATA_HOME", env.Getenv("WORK")+"/data")
			env.Setenv("XDG_STATE_HOME", env.Getenv("WORK")+"/state")
			env.Setenv("XDG_CONFIG_HOME", env.Getenv("WORK")+"/config")
			env.Setenv("XDG_CACHE_HOME", env.Getenv("WORK")+"/cache")
			env.Setenv("CONTRACT", contract)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"ephemera": succeeds,
			"exits":    exits,
			"refuses":  refuses,
			"misuse":   misuse,
			"tells":    tells,
			"sets":     sets,
		},
	})
}

// A process has one directory and one environment, so the scripts take turns.
var turn sync.Mutex

// run runs the program in this process and gives its exit status and what it said,
// which is there for the script to look at too. A last argument <FILE is its stdin.
// exec ephemera is for what needs a pipe or a process.
func run(ts *testscript.TestScript, args []string) (status int, stdout, stderr string) {
	turn.Lock()
	defer turn.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(before)
	for _, name := range []string{
		"EPHEMERA_DB", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "TERM",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
	} {
		defer os.Setenv(name, os.Getenv(name))
		ts.Check(os.Setenv(name, ts.Getenv(name)))
	}
	xdg.Reload()
	stdin := ""
	if file, given := strings.CutPrefix(args[len(args)-1], "<"); given {
		stdin, args = ts.ReadFile(file), args[:len(args)-1]
	}
	var out, said strings.Builder
	status = play(stdin, io.MultiWriter(&out, ts.Stdout()), io.MultiWriter(&said, ts.Stderr()), args...)
	return status, out.String(), said.String()
}

// succeeds ARG…: the program runs and does what it is told, or with an exclamation
// mark, it fails.
func succeeds(ts *testscript.TestScript, fails bool, args []string) {
	if status, _, _ := run(ts, args); fails != (status != 0) {
		ts.Fatalf("exit status %d", status)
	}
}

// exits STATUS ARG…: the program ends with this status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	exit(ts, want, args[1:])
}

func exit(ts *testscript.TestScript, want int, args []string) (stdout, stderr string) {
	got, stdout, stderr := run(ts, args)
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	return stdout, stderr
}

// refuses KIND FIELD TEXT ARG…: the contract refuses with this kind, names this
// field (- for none), its text matches, nothing else is said, and the contract's
// storage is what it was.
func refuses(ts *testscript.TestScript, _ bool, args []string) {
	kind, field, text, args := args[0], args[1], args[2], args[3:]
	if field == "-" {
		field = ""
	}
	out, said := exit(ts, 1, args)
	var answer struct {
		Error struct{ Kind, Text, Field string }
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || strings.Count(out, "\n") != 1 {
		ts.Fatalf("want one line of JSON, got %q: %v", out, err)
	}
	if got := answer.Error; got.Kind != kind || got.Field != field || !matches(ts, text, got.Text) {
		ts.Fatalf("got kind %q, field %q, text %q", got.Kind, got.Field, got.Text)
	}
	if said != "" {
		ts.Fatalf("a refusal is an answer, but stderr says %q", said)
	}
}

// misuse SENTENCE ARG…: the program ends with status 2, says one sentence on
// stderr that matches, and nothing on stdout.
func misuse(ts *testscript.TestScript, _ bool, args []string) {
	out, said := exit(ts, 2, args[1:])
	if strings.Count(said, "\n") != 1 || !matches(ts, args[0], said) {
		ts.Fatalf("want one sentence that matches %q, got %q", args[0], said)
	}
	if out != "" {
		ts.Fatalf("want nothing on stdout, got %q", out)
	}
}

// sets DIR KEY VALUE: the database holds this record, whatever else it says.
func sets(ts *testscript.TestScript, _ bool, args []string) {
	db, err := persist.Open(ts.MkAbs(args[0]), persist.Options{})
	ts.Check(err)
	ts.Check(db.Update(func(tx kv.Txn) error { return tx.Set([]byte(args[1]), []byte(args[2])) }))
	ts.Check(db.Close())
}

func matches(ts *testscript.TestScript, pattern, text string) bool {
	ok, err := regexp.MatchString(pattern, text)
	ts.Check(err)
	return ok
}
