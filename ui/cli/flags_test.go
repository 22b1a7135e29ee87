package cli_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain/chaintest"
	"ephemera/core/kv/kvtest"
	"ephemera/persist"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
	"ephemera/ui/cli/learn"
	"ephemera/ui/term/ptytest"
)

// commandLines has a command line for each command, which succeeds in the directory of
// [newCommandDir].
var commandLines = map[string]string{
	"accounts":          `accounts`,
	"accounts add":      `accounts add dave`,
	"accounts contract": `accounts contract market accepts`,
	"accounts remove":   `accounts remove carol`,
	"backup":            `backup copy`,
	"branch":            `branch`,
	"class report":      `class report ana.json`,
	"clock":             `clock`,
	"clock advance":     `clock advance +1`,
	"clock next":        `clock next`,
	"clock set":         `clock set h2000`,
	"dangling":          `dangling`,
	"diff":              `diff minted now`,
	"doctor":            `doctor`,
	"exec":              `exec --as alice {"approve_all":{"operator":"$bob"}}`,
	"export":            `export`,
	"generate":          `--db new generate --tokens 3 --grants 0`,
	"goto":              `goto minted`,
	"help":              `help rules`,
	"history":           `history`,
	"history prune":     `history prune 1`,
	"import":            `--db new import --wasm contract.wasm state.json`,
	"info":              `info`,
	"init":              `--db new init --contract contract.wasm {"count":{}}`,
	"learn":             `learn`,
	"learn check":       `learn check lesson.yaml`,
	"learn new":         `learn new mine.yaml`,
	"migrate":           `migrate --contract contract.wasm {"count":{}}`,
	"probe":             `probe --as bob {"transfer_nft":{"recipient":"$bob","token_id":"rose"}}`,
	"query":             `query {"owner_of":{"token_id":"rose"}}`,
	"record":            `record story.yaml`,
	"redo":              `redo`,
	"run":               `run played.yaml`,
	"schema":            `schema messages`,
	"snapshot":          `snapshot here`,
	"snapshot delete":   `snapshot delete minted`,
	"snapshot list":     `snapshot list`,
	"snapshot rename":   `snapshot rename minted first`,
	"undo":              `undo`,
	"who-can":           `who-can burn rose`,
	"why":               `why --as bob transfer rose`,
}

// newCommandDir makes a directory with a database and the files of [commandLines].
func newCommandDir(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for file, source := range map[string]string{
		"contract.wasm": "../../core/wasm/testdata/contract.wasm",
		"lesson.yaml":   "../../core/lesson/lessons/01-owner-spender-operator.yaml",
	} {
		chaintest.OK(t, os.WriteFile(filepath.Join(dir, file), []byte(read(t, source)), 0o600))
	}
	t.Chdir(dir)
	t.Setenv("EPHEMERA_DB", "db")
	for _, line := range []string{
		`init --as alice --height 5 {"name":"Apes","symbol":"APE"}`,
		`accounts add bob`,
		`accounts add carol`,
		`exec --as alice {"mint":{"token_id":"rose","owner":"$alice"}}`,
		`exec --as alice {"approve":{"spender":"$bob","token_id":"rose","expires":{"at_height":20}}}`,
		`snapshot minted`,
		`export state.json`,
		`record played.yaml`,
		`clock advance +1`,
		`undo`,
	} {
		if status, _, stderr := playWith(openDatabase, line); status != 0 {
			t.Fatalf("%s: exit status %d: %s", line, status, stderr)
		}
	}
	var out strings.Builder
	if status := play("3\nquit\n", &out, &out, "learn", "1", "--learner", "flags", "--result", "ana.json"); status != 0 {
		t.Fatal(out.String())
	}
	return dir
}

// playWith plays a command line in this process, and opens databases with a function.
func playWith(openDB func(command.OpenOptions) (*command.Database, error), line string) (status int, stdout, stderr string) {
	var out, errOut strings.Builder
	status = cli.Run(command.Program{
		Open: openDB, Restore: persist.Restore, Rescue: rescue,
		Progress: learn.ProgressStorage,
		Stdin:    strings.NewReader(""), Stdout: &out, Stderr: &errOut,
	}, strings.Fields(line))
	return status, out.String(), errOut.String()
}

// eachCommand calls check with each command but the explorer and those of the completion
// of shells, and with the line of [commandLines] for it.
func eachCommand(t *testing.T, check func(cmd *cobra.Command, line string)) {
	t.Helper()
	checked := 0
	for cmd := range cli.AllCommands() {
		if !cmd.HasParent() || !cmd.Runnable() {
			continue
		}
		name := strings.TrimPrefix(cmd.CommandPath(), "ephemera ")
		line, ok := commandLines[name]
		if !ok {
			t.Errorf("%s: there is no command line for it", name)
			continue
		}
		checked++
		check(cmd, line)
	}
	if checked != len(commandLines) {
		t.Errorf("%d commands were checked, of %d", checked, len(commandLines))
	}
}

func hasFlag(cmd *cobra.Command, flag string) bool { return cmd.Flags().Lookup(flag) != nil }

func TestEveryCommandOpensTheDatabaseAsItsFlagsSay(t *testing.T) {
	newCommandDir(t)
	var opened []command.OpenOptions
	noteOpening := func(w command.OpenOptions) (*command.Database, error) {
		opened = append(opened, w)
		if w.Memory {
			return openDatabase(w) // of a lesson
		}
		return nil, errors.New("nothing is opened")
	}
	openLine := func(line string) command.OpenOptions {
		opened = []command.OpenOptions{{}}
		playWith(noteOpening, line)
		return opened[len(opened)-1]
	}
	eachCommand(t, func(cmd *cobra.Command, line string) {
		if !hasFlag(cmd, "db") {
			if w := openLine(line); w.Dir != "" && !w.Memory {
				t.Errorf("%s: opens %s, and has no --db", line, w.Dir)
			}
			return
		}

		line = strings.TrimPrefix(line, "--db new ")
		if w := openLine(line + " --db other --readonly --wait 7s"); w.Dir != "other" || !w.ReadOnly || w.Wait != 7*time.Second {
			t.Errorf("%s: opens %+v", line, w)
		}
		if hasFlag(cmd, "memory") {
			if w := openLine(line + " --memory"); !w.Memory {
				t.Errorf("%s --memory: opens %+v", line, w)
			}
		}
		if hasFlag(cmd, "call-limit") {
			if w := openLine(line + " --db other --compare --call-limit 7s"); !w.Compare || w.CallLimit != 7*time.Second {
				t.Errorf("%s --compare: opens %+v", line, w)
			}
		}
	})
}

func TestTheCommandsThatCallACompiledContractHaveTheFlagsOfCalls(t *testing.T) {
	dir := newCommandDir(t)
	if status, _, stderr := playWith(openDatabase, commandLines["migrate"]); status != 0 {
		t.Fatal(stderr)
	}
	openWithoutTime := func(w command.OpenOptions) (*command.Database, error) {
		w.CallLimit = time.Nanosecond
		return openDatabase(w)
	}
	eachCommand(t, func(cmd *cobra.Command, line string) {
		if !hasFlag(cmd, "db") {
			return
		}
		if cmd.Name() == "run" {
			line += " --contract contract.wasm"
		}
		copyDir(t, dir)
		_, stdout, stderr := playWith(openWithoutTime, line)
		callsContract := strings.Contains(stdout+stderr, "the contract was stopped")
		if callsContract != hasFlag(cmd, "call-limit") || callsContract != hasFlag(cmd, "compare") {
			t.Errorf("%s: calls the contract: %v, has --call-limit: %v\n%s%s", line, callsContract, !callsContract, stdout, stderr)
		}
	})
}

func TestEveryAnswerHasTheFormThatTheFlagsName(t *testing.T) {
	dir := newCommandDir(t)
	isJSON := func(line string) bool {
		copyDir(t, dir)
		status, stdout, stderr := playWith(openDatabase, line)
		if status != 0 || stdout == "" {
			t.Errorf("%s: exit status %d, %q: %s", line, status, stdout, stderr)
		}
		for value := range strings.Lines(stdout) {
			if !json.Valid([]byte(value)) || strings.IndexAny(value, "{[") != 0 {
				return false
			}
		}
		return true
	}
	eachCommand(t, func(cmd *cobra.Command, line string) {
		flag := cmd.Flags().Lookup("json")
		if flag == nil {
			if status, _, stderr := playWith(openDatabase, line+" --json"); status != 2 {
				t.Errorf("%s --json: exit status %d, want a sentence: %s", line, status, stderr)
			}
			return
		}
		isDefault := strings.Contains(flag.Usage, "(the default")
		if got := isJSON(line); got != isDefault {
			t.Errorf("%s: answers in JSON: %v, its help says %q", line, got, flag.Usage)
		}
		if !isJSON(line+" --json") || isJSON(line+" --text") {
			t.Errorf("%s: --json or --text has no effect", line)
		}
	})
}

func TestOnATerminalEveryCommandAnswersInTextButTheContractInJSON(t *testing.T) {
	dir := newCommandDir(t)
	seen := 0
	eachCommand(t, func(cmd *cobra.Command, line string) {
		if !hasFlag(cmd, "text") {
			return
		}
		isContract := cmd.Name() == "exec" || cmd.Name() == "query"
		flags := []string{""}
		seen++
		if kvtest.Times() > 1 || isContract || seen%5 == 0 {
			flags = append(flags, " --json")
		}
		for _, flag := range flags {
			copyDir(t, dir)
			onTerminal := explorer(t, strings.Fields(line+flag)...)
			onTerminal.Env = append(onTerminal.Env, "EPHEMERA_DB=db")
			screen := ptytest.Start(t, ptytest.Options{W: 200, H: 50}, onTerminal)
			if status := screen.WaitExit(); status != 0 {
				t.Errorf("%s%s: exit status %d: %s", line, flag, status, screen.Raw())
			}
			if strings.Contains(screen.Raw(), `\u001b`) {
				t.Errorf("%s%s: escapes a colour of its own: %s", line, flag, screen.Raw())
			}
			wantsJSON := flag == " --json" || flag == "" && isContract
			// Progress, which is cleared, and a warning may stand before the answer.
			isJSON := regexp.MustCompile(`(?:\A|\n|\x1b\[K)[{\[][\r"{\]]`).MatchString(screen.Raw())
			if isJSON != wantsJSON {
				t.Errorf("%s%s: answers in JSON on a terminal: %v\n%s", line, flag, isJSON, screen.Raw())
			}
			if isContract && flag == "" && !strings.Contains(screen.Raw(), "\n  \"") {
				t.Errorf("%s: the answer of the contract is not indented: %s", line, screen.Raw())
			}
		}
	})
}

// copyDir goes to a new directory with the files of another.
func copyDir(t *testing.T, from string) {
	t.Helper()
	to := t.TempDir()
	chaintest.OK(t, os.CopyFS(to, os.DirFS(from)))
	t.Chdir(to)
}
