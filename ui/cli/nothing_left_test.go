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
	"ephemera/core/kv/kvtest"
	"ephemera/ui/cli/command"
)

// harmlessCalls has, for each command, the arguments with which it creates no database:
// those with which it only reads, and those with which it fails.
var harmlessCalls = map[string][]string{
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

// fillingCommands can create a database. They may remove the lock that a killed process left.
var fillingCommands = []string{"generate", "import", "init", "run"}

// workFiles are the files in the directory in which a command runs.
var workFiles = map[string]string{
	"broken.json":  `{"models":[{"key":"6E756D","value":"`,
	"foreign.json": `{"models":[{"key":"6E756D","value":"MQ=="}]}`,
	"refused.yaml": "name: refused\naccounts: {alice: }\nsteps:\n  - {as: alice, instantiate: {name: 7}}\n",
	"looks.yaml":   "name: looks\naccounts: {alice: }\nsteps:\n  - {query: {num_tokens: {}}}\n",
}

// noDatabases make directories without a database.
var noDatabases = map[string]func(t *testing.T, dir string){
	"missing": func(*testing.T, string) {},
	"empty":   func(t *testing.T, dir string) { chaintest.OK(t, os.MkdirAll(dir, 0o700)) },
	"locked":  func(t *testing.T, dir string) { writeText(t, filepath.Join(dir, "LOCK"), "") },
	interruptedRestore: func(t *testing.T, dir string) {
		writeText(t, filepath.Join(dir, "ephemera-incoming.part", "SEAL"), "")
		writeText(t, filepath.Join(dir, "ephemera-incoming.part", "000001.sst"), "half")
	},
}

const interruptedRestore = "interrupted restore"

func TestACommandThatOnlyReadsOrFailsCreatesNoDatabase(t *testing.T) {
	root := rootCommand(&command.App{})
	root.InitDefaultHelpCmd()
	untried := maps.Clone(harmlessCalls)
	otherKinds := []string{"empty", "locked", interruptedRestore}
	tried := 0
	for cmd := range allCommands(root) {
		path := strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "ephemera"))
		calls, ok := untried[path]
		delete(untried, path)
		if !ok && cmd.Runnable() {
			t.Errorf("%s: harmlessCalls has no way to call it", cmd.CommandPath())
		}
		for _, call := range calls {
			// Without EPHEMERA_LONG, a call is tried with a missing database, and in turn with one
			// of the other kinds.
			otherKind := otherKinds[tried%len(otherKinds)]
			tried++
			t.Run(strings.TrimSpace(path+" "+call), func(t *testing.T) {
				t.Parallel()
				args := strings.Fields(path + " " + call)
				for name, prepare := range noDatabases {
					isTried := name == "missing" || name == otherKind || kvtest.Times() > 1
					if isTried {
						checkCreatesNothing(t, name, prepare, args)
					}
				}
			})
		}
	}
	for path := range untried {
		t.Errorf("ephemera %s is no command", path)
	}
}

// checkCreatesNothing runs a command on a directory without a database. It fails the test if
// a file differs afterwards.
func checkCreatesNothing(t *testing.T, name string, prepare func(*testing.T, string), args []string) {
	t.Helper()
	top := t.TempDir()
	home := filepath.Join(top, "home")
	work := filepath.Join(top, "work")
	db := filepath.Join(work, "parent", "db")
	for file, text := range workFiles {
		writeText(t, filepath.Join(work, file), text)
	}
	writeText(t, filepath.Join(work, "cw721_base.wasm"), readText(t, "../../core/wasm/testdata/contract.wasm"))
	prepare(t, db)
	before := contents(t, work)

	args = append(args, "--db", db)
	cmd := exec.Command("ephemera", args...)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	output, err := cmd.CombinedOutput()
	after := contents(t, work)
	if slices.Contains(fillingCommands, args[0]) {
		delete(before, filepath.Join(db, "LOCK"))
		delete(after, filepath.Join(db, "LOCK"))
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("%s: %v\n%s(-before +after):\n%.2000s", name, err, output, diff)
	}
	if name == interruptedRestore && strings.Contains(string(output), "there is no collection yet") {
		t.Errorf("%s: it does not mention the restore:\n%s", name, output)
	}
}

// contents returns the contents of all files below a directory by their paths. A directory
// has an empty one.
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
