package cli

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
	"ephemera/ui/cli/command"
)

// exampleCollection creates the collection of the examples.
const exampleCollection = `
ephemera init --height 1000 --time 2026-11-21T12:00:00Z --as creator '{"name":"Interchain Apes","symbol":"APE"}'
ephemera accounts add alice
ephemera accounts add bob
for i in 39 40 41 42 43 44 45 46 47 48; do
  echo '{"mint":{"token_id":"ape-00'$i'","owner":"$alice"}}'
done | ephemera exec --as creator -
ephemera exec --as alice - <<'END'
{"approve":{"spender":"$bob","token_id":"ape-0042","expires":{"at_height":1110}}}
{"approve_all":{"operator":"$bob","expires":{"at_height":2000}}}
END
`

var (
	// needsNoCollection has the commands whose examples begin with no database.
	needsNoCollection = map[string]bool{"ephemera": true, "ephemera init": true, "ephemera import": true, "ephemera generate": true}

	// preparations are the command lines to run before the examples of a command.
	preparations = map[string]string{
		"ephemera query":           `ephemera exec --as creator '{"mint":{"token_id":"1","owner":"$alice"}}'`,
		"ephemera redo":            "ephemera undo",
		"ephemera goto":            "ephemera snapshot before-the-sale",
		"ephemera snapshot rename": "ephemera snapshot before-the-sale",
		"ephemera export":          "rm state.json",
		"ephemera diff":            "ephemera snapshot before-the-sale; ephemera export page-1.json",
		"ephemera record":          "ephemera snapshot before-the-sale",
		"ephemera snapshot delete": "ephemera snapshot before-the-sale",
	}
)

// needsTerminal is the example that a shell without a terminal cannot run.
const needsTerminal = "ephemera --demo"

func TestEveryExampleOfTheHelpDoesWhatItSays(t *testing.T) {
	full, empty := t.TempDir(), t.TempDir()
	for _, dir := range []string{full, empty} {
		lesson := readText(t, "../../core/lesson/lessons/01-owner-spender-operator.yaml")
		writeText(t, filepath.Join(dir, "my-lesson.yaml"), lesson)
		writeText(t, filepath.Join(dir, "lessons", "first.yaml"), lesson)
		writeText(t, filepath.Join(dir, "cw721_base.wasm"), readText(t, "../../core/wasm/testdata/contract.wasm"))
	}
	shell(t, full, exampleCollection+"ephemera export state.json\necho 3 | ephemera learn 1 --learner ana --result ana.json")
	splitDump(t, filepath.Join(full, "state.json"), filepath.Join(empty, "page-1.json"), filepath.Join(empty, "page-2.json"))

	root := rootCommand(&command.App{})
	played := 0
	for cmd := range allCommands(root) {
		path := cmd.CommandPath()
		played += strings.Count(cmd.Example, "\n") + 1
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			dir, from := t.TempDir(), full
			if needsNoCollection[path] {
				from = empty
			}
			chaintest.OK(t, os.CopyFS(dir, os.DirFS(from)))
			shell(t, dir, preparations[path])
			for line := range strings.Lines(cmd.Example) {
				if line = strings.TrimSpace(line); line != needsTerminal {
					shell(t, dir, line)
				}
			}
		})
	}
	if played < 50 {
		t.Errorf("only %d examples were found", played)
	}
}

// blocks matches the code blocks of a page. A block in "sh" has command lines; a block in
// "yaml" has a file, whose name is in the first line.
var blocks = regexp.MustCompile("(?ms)^```(sh|yaml)\n(?:# (\\S+)\n)?(.*?)^```$")

func TestEveryCommandInTheReadmeAndThePagesRunsInAnEmptyHome(t *testing.T) {
	pages, err := filepath.Glob("help/*.md")
	if err != nil || len(pages) < 8 {
		t.Fatal(pages, err)
	}
	played := 0
	for _, page := range append(pages, "../../README.md") {
		all := blocks.FindAllStringSubmatch(readText(t, page), -1)
		for _, block := range all {
			if block[1] == "sh" {
				played += strings.Count(block[3], "\n")
			}
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, block := range all {
				if block[1] == "yaml" {
					writeText(t, filepath.Join(dir, block[2]), block[3])
					continue
				}
				for line := range strings.Lines(block[3]) {
					shell(t, dir, strings.TrimSpace(line))
				}
			}
		})
	}
	if played < 20 {
		t.Errorf("only %d commands were found", played)
	}
}

// inlineCommands matches a command line inside a sentence, such as `ephemera run -v`.
var inlineCommands = regexp.MustCompile("`(?:[^`\n]* )?ephemera ([^`\n]+)`")

func TestEveryCommandInASentenceOfTheHelpHasItsFlags(t *testing.T) {
	pages, err := filepath.Glob("help/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, "../../README.md") {
		for _, match := range inlineCommands.FindAllStringSubmatch(readText(t, page), -1) {
			found++
			root := rootCommand(&command.App{}) // parsing sets flags
			cmd, arguments, err := root.Find(strings.Fields(match[1]))
			if err == nil {
				err = cmd.ParseFlags(arguments)
			}
			isUnknown := cmd == root && cmd.Flags().NArg() > 0
			if err != nil || isUnknown {
				t.Errorf("%s: %s: no such command or flag: %v", page, match[0], err)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d commands were found", found)
	}
}

func TestTheReadmeTakesTwoScreensAndNamesEveryTopicOfHelp(t *testing.T) {
	readme := readText(t, "../../README.md")
	lines := strings.Split(strings.TrimSuffix(readme, "\n"), "\n")
	if len(lines) > 90 {
		t.Errorf("the README has %d lines, want at most 90", len(lines))
	}
	for n, line := range lines {
		if width := utf8.RuneCountInString(line); width > 100 {
			t.Errorf("README.md:%d: %d characters, want at most 100", n+1, width)
		}
	}
	version := regexp.MustCompile(`(?m)^go (1\.\d+)`).FindStringSubmatch(readText(t, "../../go.mod"))
	if !strings.Contains(readme, "Go "+version[1]+" or later") {
		t.Errorf("the README does not ask for Go %s or later, as go.mod does", version[1])
	}
	_, topics, hasTopics := strings.Cut(readme, "[here](ui/cli/help)")
	for _, topic := range topicNames() {
		if !hasTopics || !strings.Contains(topics, topic) {
			t.Errorf("the README does not name the topic %s behind the link to all of them", topic)
		}
	}
}

func TestThePagesOfHelpAreShortAndNoLineIsTooLong(t *testing.T) {
	for _, topic := range topicNames() {
		lines := strings.Split(readText(t, "help/"+topic+".md"), "\n")
		const mostLines = 150
		if topic == "scenarios" && len(lines) > mostLines {
			t.Errorf("%s has %d lines, expected less than %d", topic, len(lines)-1, mostLines)
		}
		for n, line := range lines {
			if !strings.HasPrefix(line, "|") && utf8.RuneCountInString(line) > 120 {
				t.Errorf("%s:%d: %d characters", topic, n+1, utf8.RuneCountInString(line))
			}
		}
	}
}

func TestTheHelpOfScenariosAndLessonsNamesEveryMember(t *testing.T) {
	pages := readText(t, "help/scenarios.md") + readText(t, "help/lessons.md")
	var schema struct {
		Properties map[string]any
		Defs       map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	chaintest.OK(t, json.Unmarshal(scenario.Schema, &schema))
	header := slices.Collect(maps.Keys(schema.Properties))
	step := slices.Collect(maps.Keys(schema.Defs["step"].Properties))
	if len(header) < 15 || len(step) < 15 {
		t.Fatalf("the schema has %d members of the header and %d of a step", len(header), len(step))
	}
	for _, member := range append(header, step...) {
		isNamed := regexp.MustCompile("(`|\\b)" + member + "(`|:)").MatchString(pages)
		if !isNamed {
			t.Errorf("no page names the member %s", member)
		}
	}
}

var notes = regexp.MustCompile(`(?m)^ephemera: note: .*\n`)

// shell runs a command line in a directory, where the databases are, too. It fails the
// test if the line fails, or prints more than notes to stderr.
func shell(t *testing.T, dir, line string) {
	t.Helper()
	cmd := exec.Command("sh", "-e", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(dir, "data"), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if err != nil || notes.ReplaceAllString(stderr.String(), "") != "" {
		t.Errorf("%s: %v\n%s%s", line, err, stdout, &stderr)
	}
}

// splitDump splits a dump into two pages after its first record.
func splitDump(t *testing.T, dump, first, second string) {
	t.Helper()
	head, tail, ok := strings.Cut(readText(t, dump), "},{")
	if !ok {
		t.Fatal("the dump has one record only")
	}
	writeText(t, first, head+"}]}")
	writeText(t, second, `{"models":[{`+tail)
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text := chaintest.Must(os.ReadFile(name))(t)
	return string(text)
}

func writeText(t *testing.T, name, text string) {
	t.Helper()
	chaintest.OK(t, os.MkdirAll(filepath.Dir(name), 0o700))
	chaintest.OK(t, os.WriteFile(name, []byte(text), 0o600))
}
