package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/persist"
	"ephemera/ui/cli/command"
	"ephemera/ui/term/ptytest"
)

// These tests compare this program with another one, such as that of an earlier commit, which
// should answer, store and show the same. testdata/same has the lists of what they compare.
const (
	otherProgram = "EPHEMERA_OTHER" // the variable that names the other program
	howToCompare = "compares this program with another one: " + otherProgram + "=/path/of/ephemera go test -run Same ./ui/cli"
)

// listGroup is a part of a list: the lines below a heading such as "== clock". Each group
// begins with a new copy of what the first group made.
type listGroup struct {
	name  string
	lines []string
}

// readList reads a list of testdata/same. It leaves out empty lines and comments.
func readList(t *testing.T, name string) (groups []listGroup) {
	t.Helper()
	for line := range strings.Lines(readText(t, "testdata/same/"+name)) {
		line = strings.TrimSpace(line)
		if heading, isHeading := strings.CutPrefix(line, "== "); isHeading {
			groups = append(groups, listGroup{name: heading})
			continue
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			last := &groups[len(groups)-1]
			last.lines = append(last.lines, line)
		}
	}
	return groups
}

func TestTheListOfTheSameCommandsHasEachCommandTopicAndRuleSet(t *testing.T) {
	var lines []string
	for _, group := range readList(t, "commands.txt") {
		lines = append(lines, group.lines...)
	}
	if len(lines) < 180 {
		t.Errorf("the list has %d lines, want 180", len(lines))
	}

	var wanted []string
	root := rootCommand(&command.App{})
	root.InitDefaultHelpCmd()
	for cmd := range allCommands(root) {
		wanted = append(wanted, cmd.CommandPath()+" --help --all")
		if cmd.Runnable() && cmd.HasParent() { // the root starts the explorer
			wanted = append(wanted, cmd.CommandPath())
		}
	}
	for _, topic := range topicNames() {
		wanted = append(wanted, "ephemera help "+topic)
	}
	for _, rules := range cw721.AllRules() {
		wanted = append(wanted, "ephemera schema messages --rules "+string(rules))
	}
	all := strings.Join(lines, "\n") + "\n"
	for _, start := range wanted {
		if !regexp.MustCompile(regexp.QuoteMeta(start) + `\s`).MatchString(all) {
			t.Errorf("no line of testdata/same/commands.txt has %q", start)
		}
	}
}

func TestAnotherProgramAnswersAndStoresTheSame(t *testing.T) {
	other, this := programsToCompare(t)
	groups := readList(t, "commands.txt")
	made := makeStart(t, other, groups[0])
	for _, group := range groups[1:] {
		t.Run(group.name, func(t *testing.T) {
			t.Parallel()
			otherDir, thisDir := t.TempDir(), t.TempDir()
			chaintest.OK(t, os.CopyFS(otherDir, os.DirFS(made)))
			chaintest.OK(t, os.CopyFS(thisDir, os.DirFS(made)))
			reported := map[string]bool{} // a file that differs is reported once, not after each line
			for _, line := range group.lines {
				want := playLine(t, other, otherDir, line)
				got := playLine(t, this, thisDir, line)
				for what := range got {
					want[what] += "" // what only this program has made
				}
				for _, what := range slices.Sorted(maps.Keys(want)) {
					difference := what + " " + firstDifference(want[what], got[what])
					if got[what] != want[what] && !reported[difference] {
						t.Errorf("%s\n%s", line, difference)
						reported[difference] = true
					}
				}
			}
		})
	}
}

// programsToCompare returns the directories of the other program and of this one. In both
// the program is called ephemera.
func programsToCompare(t *testing.T) (other, this string) {
	t.Helper()
	path := os.Getenv(otherProgram)
	if path == "" {
		t.Skip(howToCompare)
	}
	other = t.TempDir()
	path = chaintest.Must(filepath.Abs(path))(t)
	chaintest.OK(t, os.Symlink(path, filepath.Join(other, "ephemera")))
	return other, filepath.Dir(chaintest.Must(exec.LookPath("ephemera"))(t))
}

// makeStart returns a directory in which the other program played the first group of a list.
func makeStart(t *testing.T, other string, group listGroup) (dir string) {
	t.Helper()
	dir = t.TempDir()
	writeText(t, filepath.Join(dir, "lesson.yaml"), readText(t, "../../core/lesson/lessons/01-owner-spender-operator.yaml"))
	writeText(t, filepath.Join(dir, "contract.wasm"), readText(t, "../../core/wasm/testdata/contract.wasm"))
	for _, line := range group.lines {
		if made := playLine(t, other, dir, line); made["exit status"] != "exit status 0" {
			t.Fatalf("%s: %s, %s%s", line, made["exit status"], made["stdout"], made["stderr"])
		}
	}
	return dir
}

// environmentIn is the environment of a program whose files are all below a directory.
func environmentIn(program, dir string) []string {
	home := filepath.Join(dir, "home")
	return append(os.Environ(),
		"PATH="+program+string(os.PathListSeparator)+os.Getenv("PATH"),
		"EPHEMERA_DB=db", "HOME="+home, "LANG=C.UTF-8",
		"XDG_DATA_HOME="+home+"/data", "XDG_STATE_HOME="+home+"/state",
		"XDG_CONFIG_HOME="+home+"/config", "XDG_CACHE_HOME="+home+"/cache",
	)
}

// playLine plays a line of a shell with a program. It returns the exit status, stdout and
// stderr by these names, and the content of each file in the directory by its path. For a
// database these are its records.
func playLine(t *testing.T, program, dir, line string) map[string]string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = environmentIn(program, dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	results := map[string]string{
		"exit status": cmd.ProcessState.String(),
		"stdout":      withoutPlace(stdout.String(), dir),
		"stderr":      withoutPlace(stderr.String(), dir),
	}
	chaintest.OK(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := chaintest.Must(filepath.Rel(dir, path))(t)
		if _, err := os.Stat(filepath.Join(path, "MANIFEST")); err == nil {
			results[name] = storedRecords(t, path)
			return fs.SkipDir
		}
		if entry.Type().IsRegular() && filepath.Ext(path) != ".backup" { // Badger's, with times in it
			results[name] = withoutPlace(readText(t, path), dir)
		}
		return nil
	}))
	return results
}

// placeTexts match what differs between two runs of one program: sizes of a database's files,
// how long something took, and the moment at which a lesson's result was written.
var placeTexts = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`(bytes"?: ?)\d+`), "${1}SIZE"},
	{regexp.MustCompile(`(time="|"seconds": ?)[\d.e-]+`), "${1}DURATION"},
	{regexp.MustCompile(`"written": ?"[^"]*"`), `"written": MOMENT`},
}

// withoutPlace replaces in a text the directory, and what [placeTexts] match.
func withoutPlace(text, dir string) string {
	text = strings.ReplaceAll(text, dir, "DIR")
	for _, place := range placeTexts {
		text = place.pattern.ReplaceAllString(text, place.name)
	}
	return text
}

// storedRecords returns the records of a database, one in a line.
func storedRecords(t *testing.T, dir string) string {
	t.Helper()
	db := chaintest.Must(persist.Open(dir, persist.Options{ReadOnly: true, MustExist: true}))(t)
	defer db.Close()
	var records strings.Builder
	chaintest.OK(t, db.View(func(r kv.Reader) error {
		for record, err := range r.Scan(kv.Range{}) {
			if err != nil {
				return err
			}
			fmt.Fprintf(&records, "%q = %q\n", record.Key, record.Value)
		}
		return nil
	}))
	return records.String()
}

// firstDifference shows the first lines in which two texts differ.
func firstDifference(want, got string) string {
	wantLines, gotLines := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(wantLines)-1 && i < len(gotLines)-1 && wantLines[i] == gotLines[i] {
		i++
	}
	return "in line " + strings.TrimSpace(strings.Join([]string{
		"the other program has", wantLines[i], "this one has", gotLines[i]}, "\n"))
}

// screenKeys are the keys that a list calls by name.
var screenKeys = map[string]string{
	"enter": ptytest.Enter, "esc": ptytest.Esc, "tab": "\t", "space": " ", "up": ptytest.Up,
	"ctrl+l": "\x0c", "ctrl+s": "\x13", "ctrl+t": "\x14",
}

var (
	screenSizes  = [][2]int{{60, 20}, {80, 24}, {120, 36}}
	screenThemes = []string{"dark", "light"}
)

// screenWords matches the parts of a line of screens.txt: a text to wait for, in brackets, and
// what is typed.
var screenWords = regexp.MustCompile(`\[[^]]+\]|\S+`)

func TestTheListOfTheSameScreensIsLongEnough(t *testing.T) {
	count := 0
	for _, group := range readList(t, "screens.txt") {
		for _, line := range group.lines {
			if _, keys, ok := strings.Cut(line, ": "); !ok || !strings.HasSuffix(keys, "]") {
				t.Errorf("%q does not end with a text to wait for", line)
			}
			count += len(screenSizes) * len(screenThemes)
		}
	}
	if count < 108 {
		t.Errorf("the list makes %d screens, want 108", count)
	}
}

func TestAnotherProgramShowsTheSameScreens(t *testing.T) {
	other, this := programsToCompare(t)
	made := makeStart(t, other, readList(t, "commands.txt")[0])
	for i, group := range readList(t, "screens.txt") {
		for _, line := range group.lines {
			name, keys, _ := strings.Cut(line, ": ")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				start := made
				if i > 0 {
					start = t.TempDir()
				}
				for _, size := range screenSizes {
					for _, theme := range screenThemes {
						where := fmt.Sprintf("%s, %d×%d, %s", line, size[0], size[1], theme)
						otherTerm := showScreen(t, other, start, keys, size, theme)
						thisTerm := showScreen(t, this, start, keys, size, theme)
						if difference := screenDifference(otherTerm, thisTerm); difference != "" {
							t.Errorf("%s\n%s", where, difference)
						}
						otherTerm.Kill()
						thisTerm.Kill()
					}
				}
			})
		}
	}
}

// showScreen starts the explorer of a program on a copy of a directory, and types the keys of
// a line of screens.txt.
func showScreen(t *testing.T, program, start, keys string, size [2]int, theme string) *ptytest.Term {
	t.Helper()
	dir := t.TempDir()
	chaintest.OK(t, os.CopyFS(dir, os.DirFS(start)))
	cmd := exec.Command(filepath.Join(program, "ephemera"), "--theme", theme, "--no-motion")
	cmd.Dir = dir
	cmd.Env = environmentIn(program, dir)
	term := ptytest.Start(t, ptytest.Options{W: size[0], H: size[1]}, cmd)
	term.Wait("the program knows its size", func(screen string) bool {
		return strings.HasPrefix(screen, " EPHEMERA") && !strings.HasSuffix(screen, "\n")
	})
	for _, word := range screenWords.FindAllString(keys, -1) {
		if strings.HasPrefix(word, "[") {
			term.WaitFor(strings.Trim(word, "[]"))
		} else if key, isNamed := screenKeys[word]; isNamed {
			term.Type(key)
		} else {
			term.Type(word)
		}
	}
	return term
}

// screenDifference compares what two terminals show, and says in which line they differ. A
// program may still be reading when its screen has been calm for a while, so screens that
// differ are compared a few times.
//
// It leaves out the last cell of the last line. Until a program knows its size, it may draw 24
// lines. If it then draws fewer, it erases those below, and that cell with them.
func screenDifference(other, this *ptytest.Term) (difference string) {
	for range 10 {
		want, got := other.Settled(), this.Settled()
		want.ClearLastCell()
		got.ClearLastCell()
		switch {
		case got.Styled() == want.Styled():
			return ""
		case got.String() != want.String():
			difference = firstDifference(want.String(), got.String())
		default:
			difference = "in the colours " + firstDifference(want.Styled(), got.Styled())
		}
	}
	return difference
}
