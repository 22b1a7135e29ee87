package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ephemera/core/chain/chaintest"
)

// pkg is a package of the program, tests left out.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports, Deps   []string
}

// packages lists the program's own.
func packages(t *testing.T) []pkg {
	t.Helper()
	return chaintest.Must(listed())(t)
}

var listed = sync.OnceValues(func() (all []pkg, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", "ephemera/...").Output()
	for d := json.NewDecoder(bytes.NewReader(out)); err == nil; {
		var p pkg
		if err = d.Decode(&p); err == nil {
			all = append(all, p)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return all, err
})

// within tells whether a package is a tree's root or below it.
func within(path, tree string) bool { return path == tree || strings.HasPrefix(path, tree+"/") }

func TestEveryPackageLiesInOneOfTheFourTrees(t *testing.T) {
	trees := []string{"core", "persist", "themes", "ui"}
	for _, p := range packages(t) {
		if p.ImportPath != "ephemera" && !slices.ContainsFunc(trees, func(tree string) bool { return within(p.ImportPath, "ephemera/"+tree) }) {
			t.Errorf("%s lies beside %v", p.ImportPath, trees)
		}
	}
}

func TestNoImportGoesAgainstTheArrows(t *testing.T) {
	const badger = "github.com/dgraph-io/badger"
	all := packages(t)
	for _, rule := range []struct{ tree, not string }{
		{"ephemera/ui", "ephemera/persist"},
		{"ephemera/ui", "ephemera/core/kv"},
		{"ephemera/ui", badger},
		{"ephemera/ui/widget", "ephemera/core"},
		{"ephemera/ui/widget", "ephemera/ui/cli"},
		{"ephemera/ui/term", "ephemera/core"},
		{"ephemera/ui/picture", "ephemera"},
		{"ephemera/themes", "ephemera/core"},
		{"ephemera/themes", "ephemera/ui"},
		{"ephemera/themes", "ephemera/persist"},
		{"ephemera/persist", "ephemera/ui"},
		{"ephemera/persist", "ephemera/themes"},
		{"ephemera/core", "ephemera/ui"},
		{"ephemera/core", "ephemera/themes"},
		{"ephemera/core", "ephemera/persist"},
		{"ephemera/core", badger},
		{"ephemera/core", "os"},
		{"ephemera/core/kv", "ephemera/core/cw721"},
		{"ephemera/core/kv", "ephemera/core/chain"},
		{"ephemera/core/wire", "ephemera/core/kv"},
		{"ephemera/core/wire", "ephemera/core/cw721"},
		{"ephemera/core/cw721", "ephemera/core/chain"},
		{"ephemera/core/cw721", "ephemera/core/wasm"},
		{"ephemera/core/cw721", "ephemera/core/human"},
		{"ephemera/core/human", "ephemera/core/chain"},
		{"ephemera/core/human", "ephemera/core/kv"},
		{"ephemera/core/wasm", "ephemera/core/cw721"},
		{"ephemera/core/wasm", "ephemera/core/chain"},
		{"ephemera/core/bech32", "ephemera/core"},
		{"ephemera/core/cw721/weburl", "ephemera/core"},
		{"ephemera/core/chain", "ephemera/core/scenario"},
		{"ephemera/core/chain", "ephemera/core/explain"},
		{"ephemera/core/chain", "ephemera/core/reach"},
		{"ephemera/core/reach", "ephemera/core/explain"},
		{"ephemera/core/chain", "ephemera/core/check"},
		{"ephemera/core/dump", "ephemera/core/chain"},
	} {
		met := false
		for _, p := range all {
			if !within(p.ImportPath, rule.tree) || within(p.ImportPath, "ephemera/ui/uitest") {
				continue
			}
			met = true
			for _, imported := range p.Imports {
				if within(imported, rule.not) {
					t.Errorf("%s imports %s", p.ImportPath, imported)
				}
			}
		}
		if !met {
			t.Errorf("there is no package under %s to hold to the rule", rule.tree)
		}
	}
}

// rooms are the packages of the explorer that hold a screen or a family of
// dialogs.
var rooms = []string{"tokens", "grants", "collection", "history", "console", "accounts", "lessons", "inspect", "start"}

func TestARoomOfTheExplorerSeesOnlyWhatAllRoomsShare(t *testing.T) {
	below := map[string][]string{
		"widget": {"themes"},
		"app":    {"themes", "core", "ui/widget", "ui/term"},
		"form":   {"themes", "core", "ui/widget", "ui/app"},
	}
	for _, room := range rooms {
		below[room] = []string{"themes", "core", "ui/widget", "ui/term", "ui/app", "ui/form", "ui/picture"}
	}
	met := 0
	for _, p := range packages(t) {
		allowed, held := below[strings.TrimPrefix(p.ImportPath, "ephemera/ui/")]
		if !held {
			continue
		}
		met++
		for _, imported := range p.Imports {
			if within(imported, "ephemera") && !slices.ContainsFunc(allowed, func(tree string) bool { return within(imported, "ephemera/"+tree) }) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
	if met != len(below) {
		t.Errorf("%d packages are held to the rule, expected %d", met, len(below))
	}
}

func TestAFamilyOfCommandsSeesOnlyWhatAllCommandsShare(t *testing.T) {
	const cli = "ephemera/ui/cli"
	all := packages(t)
	for _, family := range []string{"act", "ask", "storage", "scenarios", "learn"} {
		i := slices.IndexFunc(all, func(p pkg) bool { return p.ImportPath == cli+"/"+family })
		if i < 0 {
			t.Errorf("there is no family %s", family)
			continue
		}
		for _, imported := range all[i].Imports {
			if within(imported, cli) && imported != cli+"/command" && imported != cli+"/answer" {
				t.Errorf("%s imports %s", all[i].ImportPath, imported)
			}
		}
	}
	for _, p := range all {
		for _, imported := range p.Imports {
			if p.ImportPath == cli+"/command" && within(imported, cli) && imported != cli+"/answer" ||
				p.ImportPath == cli+"/answer" && within(imported, "ephemera/ui") && imported != "ephemera/ui/widget" {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

func TestPersistKnowsNothingOfOursButThePort(t *testing.T) {
	for _, p := range packages(t) {
		if !within(p.ImportPath, "ephemera/persist") {
			continue
		}
		for _, dep := range p.Deps {
			if within(dep, "ephemera") && !within(dep, "ephemera/core/kv") && !within(dep, "ephemera/persist") {
				t.Errorf("%s depends on %s", p.ImportPath, dep)
			}
		}
	}
}

func TestTheCoreDependsOnNoTerminal(t *testing.T) {
	terminal := []string{
		"github.com/charmbracelet", "github.com/muesli", "github.com/mattn", "github.com/creack/pty",
		"github.com/aymanbagabas/go-osc52", "github.com/rivo/uniseg", "golang.org/x/term", "github.com/spf13",
	}
	for _, p := range packages(t) {
		if !within(p.ImportPath, "ephemera/core") {
			continue
		}
		for _, dep := range p.Deps {
			if slices.ContainsFunc(terminal, func(tree string) bool { return within(dep, tree) }) {
				t.Errorf("%s depends on %s", p.ImportPath, dep)
			}
		}
	}
}

// Bubbletea must find an answer about the background before it asks: package
// early runs before it only while it imports nothing but lipgloss.
func TestTheAnswerAboutTheBackgroundStaysFirst(t *testing.T) {
	for _, p := range packages(t) {
		switch p.ImportPath {
		case "ephemera":
			if !slices.Contains(p.Imports, "ephemera/themes/early") {
				t.Error("main does not import ephemera/themes/early")
			}
		case "ephemera/themes/early":
			if !slices.Equal(p.Imports, []string{"github.com/charmbracelet/lipgloss"}) {
				t.Errorf("%s imports %v", p.ImportPath, p.Imports)
			}
		}
	}
}

func TestTheCoreNeverAsksTheWallClock(t *testing.T) {
	clocks := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}
	for _, p := range packages(t) {
		if !within(p.ImportPath, "ephemera/core") {
			continue
		}
		for _, name := range p.GoFiles {
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			chaintest.OK(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if of, ok := call.X.(*ast.Ident); ok && of.Name == "time" && slices.Contains(clocks, call.Sel.Name) {
					t.Errorf("%s asks time.%s", files.Position(n.Pos()), call.Sel.Name)
				}
				return true
			})
		}
	}
}
