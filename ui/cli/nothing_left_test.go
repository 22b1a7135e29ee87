package cli

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/cli/command"
)

// withoutDatabase holds, for every command, the ways to call it that make no
// database: those that only look, and those that are refused or fail.
var withoutDatabase = map[string][]string{
	"":                  {"", "--readonly"},
	"accounts":          {""},
	"accounts add":      {"erin"},
	"accounts contract": {"vault accepts"},
	"accounts remove":   {"erin"},
	"backup":            {"new.backup", "--restore broken.json", "--restore missing.backup"},
	"branch":            {""},
	"class report":      {"missing.json"},
	"clock":             {""},
	"clock advance":     {"1block"},
	"clock next":        {""},
	"clock set":         {"--height 2000"},
	"dangling":          {""},
	"diff":              {"before after"},
	"doctor":            {"", "--rebuild", "--repair"},
	"exec":              {"--as creator {}"},
	"export":            {"", "new.json", "--with-clock new.json"},
	"generate":          {"--tokens -1", "--readonly"},
	"goto":              {"before"},
	"help":              {"", "init"},
	"history":           {""},
	"history prune":     {"1"},
	"import":            {"missing.json", "broken.json", "foreign.json", "--readonly foreign.json", "--wasm missing.wasm foreign.json", "--wasm broken.json foreign.json"},
	"info":              {"", "--readonly"},
	"init":              {"{}", "{", "@missing.json", "--contract missing.wasm {}", "--contract broken.json {}", `--contract cw721_base.wasm {"no":{}}`},
	"learn":             {""},
	"learn check":       {"broken.json"},
	"learn new":         {"."},
	"migrate":           {"--contract cw721_base.wasm {}"},
	"probe":             {`--as creator {"burn":{"token_id":"1"}}`},
	"query":             {`{"num_tokens":{}}`, `--readonly {"num_tokens":{}}`, `--wait=1s {"num_tokens":{}}`},
	"record":            {"new.yaml"},
	"redo":              {""},
	"run":               {"missing.yaml", "broken.json", "refused.yaml", "looks.yaml"},
	"schema":            {"messages"},
	"snapshot":          {"before"},
	"snapshot delete":   {"before"},
	"snapshot list":     {""},
	"snapshot rename":   {"before after"},
	"undo":              {""},
	"who-can":           {"transfer 1"},
	"why":               {"1", "--as creator transfer 1"},
}

// fills are the commands that may make a database.
var fills = []string{"generate", "import", "init", "run"}

// filesAround lie in the directory in which a command runs.
var filesAround = map[string]string{
	"broken.json":  `{"models":[{"key":"6E756D","value":"`,
	"foreign.json": `{"models":[{"key":"6E756D","value":"MQ=="}]}`,
	"refused.yaml": "name: refused\naccounts: {alice: }\nsteps:\n  - {as: alice, instantiate: {name: 7}}\n",
	"looks.yaml":   "name: looks\naccounts: {alice: }\nsteps:\n  - {query: {num_tokens: {}}}\n",
}

// beginnings are directories that hold no database.
var beginnings = map[string]func(t *testing.T, dir string){
	"missing": func(*testing.T, string) {},
	"empty":   func(t *testing.T, dir string) { chaintest.OK(t, os.MkdirAll(dir, 0o700)) },
	"locked":  func(t *testing.T, dir string) { writeText(t, filepath.Join(dir, "LOCK"), "") },
	interruptedRestore: func(t *testing.T, dir string) {
		writeText(t, filepath.Join(dir, "ephemera-incoming.part", "SEAL"), "")
		writeText(t, filepath.Join(dir, "ephemera-incoming.part", "000001.sst"), "half")
	},
}

const interruptedRestore = "interrupted restore"

func TestWhatOnlyLooksOrFailsLeavesNoDatabase(t *testing.T) {
	root := rootCommand(&command.App{})
	root.InitDefaultHelpCmd()
	untried := maps.Clone(withoutDatabase)
	for cmd := range every(root) {
		path := strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "ephemera"))
		calls, ok := untried[path]
		delete(untried, path)
		if !ok && cmd.Runnable() {
			t.Errorf("%s: withoutDatabase has no way to call it", cmd.CommandPath())
		}
		for _, call := range calls {
			t.Run(strings.TrimSpace(path+" "+call), func(t *testing.T) {
				t.Parallel()
				args := strings.Fields(path + " " + call)
				for name, begin := range beginnings {
					leavesNothing(t, name, begin, args)
				}
			})
		}
	}
	for path := range untried {
		t.Errorf("ephemera %s: it is no command", path)
	}
}

// leavesNothing runs a command over a directory without a database, and compares
// all that is there before and after.
func leavesNothing(t *testing.T, name string, begin func(*testing.T, string), args []string) {
	t.Helper()
	top := t.TempDir()
	home := filepath.Join(top, "home")
	work := filepath.Join(top, "work")
	db := filepath.Join(work, "parent", "db")
	for file, text := range filesAround {
		writeText(t, filepath.Join(work, file), text)
	}
	writeText(t, filepath.Join(work, "cw721_base.wasm"), readText(t, "../../core/wasm/testdata/contract.wasm"))
	begin(t, db)
	before := contents(t, work)

	args = append(args, "--db", db)
	cmd := exec.Command("ephemera", args...)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	said, err := cmd.CombinedOutput()
	after := contents(t, work)
	if slices.Contains(fills, args[0]) { // which may remove the lock that a killed process left
		delete(before, filepath.Join(db, "LOCK"))
		delete(after, filepath.Join(db, "LOCK"))
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("%s: %v\n%s(-before +after):\n%.2000s", name, err, said, diff)
	}
	if name == interruptedRestore && strings.Contains(string(said), "there is no collection yet") {
		t.Errorf("%s: it does not mention the restore:\n%s", name, said)
	}
}

// contents gives the texts of all files below a directory by their names; a
// directory has none.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	chaintest.OK(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			all[path] = readText(t, path)
		} else {
			all[path] = ""
		}
		return err
	}))
	return all
}
