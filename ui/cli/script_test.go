package cli_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/core/kv"
	"ephemera/persist"
)

// update is the flag that rewrites the texts that scripts and releases compare.
var update = flag.Bool("update", false, "rewrite the texts that the scripts compare")

// The scripts of a command are in testdata/script of its package, or of this one. One test
// plays all of them, because linking a test of each package would take longer than its scripts.
func TestCommandsAnswerAsTheirScriptsSay(t *testing.T) {
	contract := chaintest.Must(filepath.Abs("../../core/wasm/testdata/contract.wasm"))(t)
	crowded := chaintest.Must(filepath.Abs("../uitest/crowded.yaml"))(t)
	testscript.Run(t, testscript.Params{
		Files:               scriptFiles(t),
		WorkdirRoot:         memoryDir(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_DATA_HOME", env.Getenv("WORK")+"/data")
			env.Setenv("XDG_STATE_HOME", env.Getenv("WORK")+"/state")
			env.Setenv("XDG_CONFIG_HOME", env.Getenv("WORK")+"/config")
			env.Setenv("XDG_CACHE_HOME", env.Getenv("WORK")+"/cache")
			env.Setenv("CONTRACT", contract)
			env.Setenv("CROWDED", crowded)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"ephemera": runScript,
			"exits":    runForStatus,
			"refuses":  runForRefusal,
			"misuse":   runForUsageError,
			"tells":    runForTranscript,
			"sets":     setRecord,
			"batch":    sendBatch,
		},
	})
}

// scriptFiles returns the paths of all scripts of commands.
func scriptFiles(t *testing.T) []string {
	t.Helper()
	ofThisPackage := chaintest.Must(filepath.Glob("testdata/script/*.txtar"))(t)
	ofOthers := chaintest.Must(filepath.Glob("*/testdata/script/*.txtar"))(t)
	files := slices.Concat(ofThisPackage, ofOthers)
	if len(files) < 30 {
		t.Fatalf("only %d scripts were found", len(files))
	}
	for i, file := range files {
		files[i] = chaintest.Must(filepath.Abs(file))(t)
	}
	return files
}

// memoryDir makes a directory in memory if the system has one, because a sync of the disk takes
// longer than most commands.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ephemera")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// processState is held while a script has set the directory and the environment of this
// process.
var processState sync.Mutex

// run runs the program in this process, with the directory and environment of a script,
// and shows the script its output. A last argument <FILE is the program's stdin.
func run(ts *testscript.TestScript, args []string) (status int, stdout, stderr string) {
	processState.Lock()
	defer processState.Unlock()
	oldDir, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(oldDir)
	for _, name := range []string{
		"EPHEMERA_DB", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "TERM",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
	} {
		defer os.Setenv(name, os.Getenv(name))
		ts.Check(os.Setenv(name, ts.Getenv(name)))
	}
	xdg.Reload()
	stdin := ""
	if file, ok := strings.CutPrefix(args[len(args)-1], "<"); ok {
		stdin = ts.ReadFile(file)
		args = args[:len(args)-1]
	}
	var out, errOut strings.Builder
	status = play(stdin, io.MultiWriter(&out, ts.Stdout()), io.MultiWriter(&errOut, ts.Stderr()), args...)
	return status, out.String(), errOut.String()
}

// runScript is the command "ephemera ARG…" of scripts, which runs the program. With an
// exclamation mark before it the program must fail, otherwise it must succeed.
func runScript(ts *testscript.TestScript, mustFail bool, args []string) {
	if status, _, _ := run(ts, args); mustFail != (status != 0) {
		ts.Fatalf("exit status %d", status)
	}
}

// runForStatus is the command "exits STATUS ARG…" of scripts. The program must end with
// this status.
func runForStatus(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	requireStatus(ts, want, args[1:])
}

func requireStatus(ts *testscript.TestScript, want int, args []string) (stdout, stderr string) {
	got, stdout, stderr := run(ts, args)
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	return stdout, stderr
}

// runForRefusal is the command "refuses KIND FIELD TEXT ARG…" of scripts. The contract
// must refuse with this kind, this field (- for none) and a text that matches TEXT, and
// stderr may hold only the rules that the contract tried.
func runForRefusal(ts *testscript.TestScript, _ bool, args []string) {
	kind := args[0]
	field := strings.TrimPrefix(args[1], "-")
	text := args[2]
	stdout, stderr := requireStatus(ts, 1, args[3:])
	var answer struct {
		Error struct{ Kind, Text, Field string }
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil || strings.Count(stdout, "\n") != 1 {
		ts.Fatalf("want one line of JSON, got %q: %v", stdout, err)
	}
	if got := answer.Error; got.Kind != kind || got.Field != field || !matches(ts, text, got.Text) {
		ts.Fatalf("got kind %q, field %q, text %q", got.Kind, got.Field, got.Text)
	}
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "ephemera: rule ") {
			ts.Fatalf("a refusal is an answer, but stderr is %q", stderr)
		}
	}
}

// runForUsageError is the command "misuse SENTENCE ARG…" of scripts. The program must end
// with status 2, print one line that matches SENTENCE to stderr, and nothing to stdout.
func runForUsageError(ts *testscript.TestScript, _ bool, args []string) {
	stdout, stderr := requireStatus(ts, 2, args[1:])
	if strings.Count(stderr, "\n") != 1 || !matches(ts, args[0], stderr) {
		ts.Fatalf("want one sentence that matches %q, got %q", args[0], stderr)
	}
	if stdout != "" {
		ts.Fatalf("want nothing on stdout, got %q", stdout)
	}
}

// setRecord is the command "sets DIR KEY VALUE" of scripts. It writes a record to a
// database, past the chain.
func setRecord(ts *testscript.TestScript, _ bool, args []string) {
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

// sendBatch sends messages to the collection of a database as one batch, as the explorer
// does: "batch DIR creator MSG MSG".
func sendBatch(ts *testscript.TestScript, _ bool, args []string) {
	db, err := persist.Open(ts.MkAbs(args[0]), persist.Options{})
	ts.Check(err)
	defer db.Close()
	c, err := chain.Open(db)
	ts.Check(err)

	first := history.ID(0)
	for _, msg := range args[2:] {
		receipt, err := c.ExecuteInBatch(first, chaintest.Address(args[1]), []byte(msg))
		ts.Check(err)
		first = cmp.Or(first, receipt.Node)
	}
}
