package cli_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/core/kv"
	"ephemera/persist"
)

var update = flag.Bool("update", false, "write what the scripts compare anew")

func TestEveryCommandAnswersAsItsScriptSays(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_DATA_HOME", env.Getenv("WORK")+"/data")
			env.Setenv("XDG_STATE_HOME", env.Getenv("WORK")+"/state")
			env.Setenv("XDG_CONFIG_HOME", env.Getenv("WORK")+"/config")
			env.Setenv("XDG_CACHE_HOME", env.Getenv("WORK")+"/cache")
			contract, err := filepath.Abs("../../core/wasm/testdata/contract.wasm")
			env.Setenv("CONTRACT", contract)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"refuses": refuses,
			"misuse":  misuse,
			"tells":   tells,
			"sets":    sets,
		},
	})
}

// run runs the program and gives its exit status; stdout and stderr are there
// for the script to look at.
func run(ts *testscript.TestScript, args []string) int {
	err := ts.Exec("ephemera", args...)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode()
	}
	ts.Fatalf("ephemera %s: %v", strings.Join(args, " "), err)
	return -1
}

// exits STATUS ARG…: the program ends with this status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := run(ts, args[1:]); got != want {
		ts.Fatalf("exit status %d, want %d\nstdout: %sstderr: %s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// refuses KIND FIELD TEXT ARG…: the contract refuses with this kind, names this
// field (- for none), its text matches, nothing else is said, and the contract's
// storage is what it was.
func refuses(ts *testscript.TestScript, _ bool, args []string) {
	kind, field, text, args := args[0], args[1], args[2], args[3:]
	if field == "-" {
		field = ""
	}
	exits(ts, false, append([]string{"1"}, args...))
	var answer struct {
		Error struct{ Kind, Text, Field string }
	}
	out := ts.ReadFile("stdout")
	if err := json.Unmarshal([]byte(out), &answer); err != nil || strings.Count(out, "\n") != 1 {
		ts.Fatalf("want one line of JSON, got %q: %v", out, err)
	}
	if got := answer.Error; got.Kind != kind || got.Field != field || !matches(ts, text, got.Text) {
		ts.Fatalf("got kind %q, field %q, text %q", got.Kind, got.Field, got.Text)
	}
	if said := ts.ReadFile("stderr"); said != "" {
		ts.Fatalf("a refusal is an answer, but stderr says %q", said)
	}
}

// misuse SENTENCE ARG…: the program ends with status 2, says one sentence on
// stderr that matches, and nothing on stdout.
func misuse(ts *testscript.TestScript, _ bool, args []string) {
	sentence, args := args[0], args[1:]
	exits(ts, false, append([]string{"2"}, args...))
	said := ts.ReadFile("stderr")
	if strings.Count(said, "\n") != 1 || !matches(ts, sentence, said) {
		ts.Fatalf("want one sentence that matches %q, got %q", sentence, said)
	}
	if out := ts.ReadFile("stdout"); out != "" {
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
