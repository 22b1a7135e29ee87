package cli_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ephemera/core/chain/chaintest"
)

// pkg is a package of the program without its tests.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports, Deps   []string
}

// packages returns the packages of the program.
func packages(t *testing.T) []pkg {
	t.Helper()
	return chaintest.Must(listPackages())(t)
}

var listPackages = sync.OnceValues(func() ([]pkg, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", "ephemera/...").Output()
	if err != nil {
		return nil, err
	}
	var all []pkg
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p pkg
		if err := decoder.Decode(&p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
})

// isWithin reports whether a package is the root of a tree or below it.
func isWithin(path, tree string) bool { return path == tree || strings.HasPrefix(path, tree+"/") }

// isWithinAny reports whether a package is within one of some trees of the program.
func isWithinAny(path string, trees []string) bool {
	return slices.ContainsFunc(trees, func(tree string) bool { return isWithin(path, "ephemera/"+tree) })
}

func TestEveryPackageIsInOneOfTheFourTrees(t *testing.T) {
	trees := []string{"core", "persist", "themes", "ui"}
	for _, p := range packages(t) {
		if p.ImportPath != "ephemera" && !isWithinAny(p.ImportPath, trees) {
			t.Errorf("%s is not in one of %v", p.ImportPath, trees)
		}
	}
}

// forTests are packages that only tests import.
var forTests = []string{"core/kv/kvtest", "ui/uitest"}

func TestNoImportGoesAgainstTheArrows(t *testing.T) {
	const badger = "github.com/dgraph-io/badger"
	for tree, forbidden := range map[string][]string{
		"ui":                {"ephemera/persist", "ephemera/core/kv", badger},
		"ui/widget":         {"ephemera/core", "ephemera/ui/cli"},
		"ui/term":           {"ephemera/core"},
		"ui/picture":        {"ephemera"},
		"themes":            {"ephemera/core", "ephemera/ui", "ephemera/persist"},
		"persist":           {"ephemera/ui", "ephemera/themes"},
		"core":              {"ephemera/ui", "ephemera/themes", "ephemera/persist", badger, "os"},
		"core/kv":           {"ephemera/core/cw721", "ephemera/core/chain"},
		"core/wire":         {"ephemera/core/kv", "ephemera/core/cw721"},
		"core/cw721":        {"ephemera/core/chain", "ephemera/core/wasm"},
		"core/cw721/weburl": {"ephemera/core"},
		"core/wasm":         {"ephemera/core/cw721", "ephemera/core/chain"},
		"core/bech32":       {"ephemera/core"},
		"core/chain":        {"ephemera/core/scenario", "ephemera/core/explain", "ephemera/core/whocan", "ephemera/core/doctor"},
		"core/whocan":       {"ephemera/core/explain"},
		"core/dump":         {"ephemera/core/chain"},
	} {
		hasPackage := false
		for _, p := range packages(t) {
			if !isWithin(p.ImportPath, "ephemera/"+tree) || isWithinAny(p.ImportPath, forTests) {
				continue
			}
			hasPackage = true
			for _, imported := range p.Imports {
				if slices.ContainsFunc(forbidden, func(tree string) bool { return isWithin(imported, tree) }) {
					t.Errorf("%s imports %s", p.ImportPath, imported)
				}
			}
		}
		if !hasPackage {
			t.Errorf("there is no package in %s", tree)
		}
	}
}

// Libraries below may import such a package: Badger has net/http for pages that only a
// server serves, and nothing here calls it.
func TestNoPackageImportsTheNetwork(t *testing.T) {
	network := []string{"net/http", "net/rpc", "net/smtp", "crypto/tls", "golang.org/x/net", "google.golang.org/grpc", "plugin"}
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			isNetwork := imported == "net" || slices.ContainsFunc(network, func(tree string) bool { return isWithin(imported, tree) })
			if isNetwork && imported != "golang.org/x/net/idna" { // which spells names
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// rooms are the packages of the explorer that hold a screen or a family of dialogs.
var rooms = []string{"tokens", "grants", "collection", "history", "console", "accounts", "lessons", "inspect", "start"}

// commandFamilies are the packages of the command line that hold commands.
var commandFamilies = []string{"act", "ask", "storage", "scenarios", "learn"}

func TestRoomsAndCommandsImportOnlyWhatTheyShare(t *testing.T) {
	other := []string{"core", "themes", "ui/app", "ui/crash", "ui/term", "ui/widget"}
	allowed := map[string][]string{
		"widget":      {"themes"},
		"app":         {"themes", "core", "ui/widget", "ui/term"},
		"form":        {"themes", "core", "ui/widget", "ui/app"},
		"cli/command": append(other, "ui/cli/answer"),
		"cli/answer":  {"core", "ui/widget"},
	}
	for _, room := range rooms {
		allowed[room] = []string{"themes", "core", "ui/widget", "ui/term", "ui/app", "ui/form", "ui/picture"}
	}
	for _, family := range commandFamilies {
		allowed["cli/"+family] = append(other, "ui/cli/answer", "ui/cli/command")
	}

	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, "ephemera/ui/")
		trees, isLimited := allowed[path]
		if !isLimited {
			continue
		}
		delete(allowed, path)
		for _, imported := range p.Imports {
			if isWithin(imported, "ephemera") && !isWithinAny(imported, trees) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
	for path := range allowed {
		t.Errorf("there is no package ui/%s", path)
	}
}

func TestPersistDependsOnNothingOfTheProgramButTheStoragePort(t *testing.T) {
	for _, p := range packages(t) {
		if !isWithin(p.ImportPath, "ephemera/persist") {
			continue
		}
		for _, dependency := range p.Deps {
			if isWithin(dependency, "ephemera") && !isWithinAny(dependency, []string{"core/kv", "persist"}) {
				t.Errorf("%s depends on %s", p.ImportPath, dependency)
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
		if !isWithin(p.ImportPath, "ephemera/core") {
			continue
		}
		for _, dependency := range p.Deps {
			if slices.ContainsFunc(terminal, func(tree string) bool { return isWithin(dependency, tree) }) {
				t.Errorf("%s depends on %s", p.ImportPath, dependency)
			}
		}
	}
}

// Package early must be initialised before bubbletea, which asks the terminal for its
// background. Go does so only as long as early imports nothing but lipgloss.
func TestThePackageThatSetsTheBackgroundImportsLipglossAlone(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath == "ephemera" && !slices.Contains(p.Imports, "ephemera/themes/early") {
			t.Error("main does not import ephemera/themes/early")
		}
		if p.ImportPath == "ephemera/themes/early" && !slices.Equal(p.Imports, []string{"github.com/charmbracelet/lipgloss"}) {
			t.Errorf("%s imports %v", p.ImportPath, p.Imports)
		}
	}
}

func TestTheCoreNeverAsksTheWallClock(t *testing.T) {
	clocks := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}
	files := token.NewFileSet()
	for _, p := range packages(t) {
		if !isWithin(p.ImportPath, "ephemera/core") {
			continue
		}
		for _, name := range p.GoFiles {
			file := chaintest.Must(parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution))(t)
			ast.Inspect(file, func(n ast.Node) bool {
				selector, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				qualifier, ok := selector.X.(*ast.Ident)
				if ok && qualifier.Name == "time" && slices.Contains(clocks, selector.Sel.Name) {
					t.Errorf("%s: time.%s", files.Position(n.Pos()), selector.Sel.Name)
				}
				return true
			})
		}
	}
}
