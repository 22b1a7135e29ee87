// Package preferences reads and stores the settings of the explorer. config.yaml, in the
// configuration directory of XDG, belongs to the user: it holds what they prefer, and the
// program never writes it. state.json, in the state directory, belongs to the program: it
// holds who acted last and which columns are hidden, and can be deleted without harm.
package preferences

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/cli/command"
)

// Config holds the preferences of config.yaml.
type Config struct {
	Theme  string       // one of [themes.Names], or [themes.Auto]
	Times  app.TimeForm // how block times are shown
	Mouse  bool         // the explorer uses the mouse
	Motion bool         // things may move by themselves
	Media  string       // a directory of pictures; empty for none
}

// Read reads config.yaml. A missing file or key means the default. It fails with a
// [*command.UsageError] that names the line of a mistake.
func Read() (Config, error) { return readConfig(command.ConfigPath()) }

func readConfig(path string) (Config, error) {
	config := Config{Theme: themes.Auto, Mouse: true, Motion: true}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return config, nil
	}
	if err != nil {
		return config, command.UsageErrorf("%v", err)
	}
	line, err := config.parse(raw, filepath.Dir(path))
	if err != nil {
		return config, command.UsageErrorf("%s, line %d: %v", path, line, err)
	}
	return config, nil
}

// parse sets the preferences that a YAML text holds, such as "theme: dark". A relative path
// in the text starts from dir. If parse fails, line is the number of the line with the
// mistake.
func (c *Config) parse(raw []byte, dir string) (line int, err error) {
	file, err := parser.ParseBytes(raw, 0)
	if syntaxError, isMap := errors.AsType[yaml.Error](err); isMap {
		return syntaxError.GetToken().Position.Line, errors.New(syntaxError.GetMessage())
	}
	if err != nil {
		return 1, err
	}

	// Each document in the file is a map of keys and values, or empty.
	for _, document := range file.Docs {
		if document.Body == nil || document.Body.Type() == ast.CommentType {
			continue
		}
		pairs, isMap := document.Body.(ast.MapNode)
		if !isMap {
			return document.Body.GetToken().Position.Line, errors.New("expected lines like `theme: dark`")
		}
		for pair := pairs.MapRange(); pair.Next(); {
			key := pair.Key().String()
			if err := c.setKey(key, pair.Value(), dir); err != nil {
				return pair.Key().GetToken().Position.Line, fmt.Errorf("%s: %v", key, err)
			}
		}
	}
	return 0, nil
}

// timeForms are the values of the key times, in the order of [app.TimeForm].
var timeForms = []string{"relative", "utc", "nanoseconds"}

// setKey sets the preference of a key. It fails for an unknown key or value. A relative path
// starts from dir.
func (c *Config) setKey(key string, node ast.Node, dir string) error {
	var value string // the text of the value, such as "dark"; "" for a list or a map
	if scalar, ok := node.(ast.ScalarNode); ok {
		value = fmt.Sprint(scalar.GetValue())
	}

	checkOneOf := func(values []string) error {
		if !slices.Contains(values, value) {
			return fmt.Errorf("%s is not known, expected one of %s", node, command.JoinNames(values))
		}
		return nil
	}

	switch key {
	case "theme":
		c.Theme = value
		return checkOneOf(append([]string{themes.Auto}, themes.Names()...))
	case "times":
		c.Times = app.TimeForm(slices.Index(timeForms, value)) // the place in the list
		return checkOneOf(timeForms)
	case "mouse":
		c.Mouse = value == "true"
		return checkOneOf([]string{"true", "false"})
	case "motion":
		c.Motion = value == "true"
		return checkOneOf([]string{"true", "false"})
	case "media":
		if value == "" {
			return errors.New("expected the path of a directory with pictures")
		}
		c.Media = value
		if pathInHome, ok := strings.CutPrefix(value, "~/"); ok {
			c.Media = filepath.Join(xdg.Home, pathInHome)
		} else if !filepath.IsAbs(value) {
			c.Media = filepath.Join(dir, value)
		}
		return CheckMediaDir(c.Media)
	}
	return errors.New("there is no such key, expected theme, times, mouse, motion or media")
}

// CheckMediaDir fails if a path is not that of a directory.
func CheckMediaDir(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no directory, expected one with pictures", path)
	}
	return nil
}

// state is the content of state.json.
type state struct {
	// Accounts has the account that acted last in each database, by the absolute path of
	// the database's directory. An account is a name, or an address if it has no name.
	Accounts map[string]string `json:"accounts"`
	// Hidden has the titles of the hidden columns of each screen, by the screen's name.
	Hidden map[string][]string `json:"hidden_columns,omitempty"`
}

func statePath() string { return filepath.Join(xdg.StateHome, "ephemera", "state.json") }

// loadState reads state.json. A file that cannot be read counts as empty.
func loadState() (loaded state) {
	raw, _ := os.ReadFile(statePath()) // Unmarshal fails without a text
	err := json.Unmarshal(raw, &loaded)
	if err != nil || loaded.Accounts == nil {
		loaded.Accounts = map[string]string{}
	}
	return loaded
}

// LastAccount returns the account that acted last in the database in a directory, or "".
func LastAccount(dir string) string { return loadState().Accounts[absolutePath(dir)] }

// SaveAccount stores which account acted last in the database in a directory. It removes
// the accounts of databases that no longer exist.
func SaveAccount(dir, account string) error {
	stored := loadState()
	database := absolutePath(dir)
	if stored.Accounts[database] == account {
		return nil
	}
	stored.Accounts[database] = account
	for knownDir := range stored.Accounts {
		if _, err := os.Stat(knownDir); err != nil {
			delete(stored.Accounts, knownDir)
		}
	}
	return stored.save()
}

// HiddenColumns returns the titles of the columns that were hidden last, by screen.
func HiddenColumns() map[string][]string { return loadState().Hidden }

// SaveColumns stores which columns are hidden, by screen.
func SaveColumns(hidden map[string][]string) error {
	stored := loadState()
	if maps.EqualFunc(stored.Hidden, hidden, slices.Equal) {
		return nil
	}
	stored.Hidden = hidden
	return stored.save()
}

// save writes state.json, and creates its directory if necessary.
func (s state) save() error {
	if err := os.MkdirAll(filepath.Dir(statePath()), 0o700); err != nil {
		return err
	}
	return command.WriteFile(statePath(), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(s)
	})
}

func absolutePath(dir string) string {
	path, _ := filepath.Abs(dir) // "" if the working directory was deleted
	return path
}
