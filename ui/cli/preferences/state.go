package preferences

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"

	"ephemera/ui/cli/command"
)

// state is what state.json holds.
type state struct {
	// Accounts is who acted last, by the directory of the database: a name, or an
	// address without one.
	Accounts map[string]string `json:"accounts"`
	// Hidden are the titles of hidden columns, by the names of the screens.
	Hidden map[string][]string `json:"hidden_columns,omitempty"`
}

func statePath() string { return filepath.Join(xdg.StateHome, "ephemera", "state.json") }

// load reads state.json; one that cannot be read is as none.
func load() (s state) {
	if raw, err := os.ReadFile(statePath()); err != nil || json.Unmarshal(raw, &s) != nil || s.Accounts == nil {
		s.Accounts = map[string]string{}
	}
	return s
}

// LastAccount is who acted last in a database; empty where that is not known.
func LastAccount(db string) string { return load().Accounts[whole(db)] }

// KeepAccount remembers who acted last in a database, and forgets databases that
// are gone.
func KeepAccount(db, account string) error {
	s := load()
	if s.Accounts[whole(db)] == account {
		return nil
	}
	s.Accounts[whole(db)] = account
	for dir := range s.Accounts {
		if _, err := os.Stat(dir); err != nil {
			delete(s.Accounts, dir)
		}
	}
	return s.save()
}

// HiddenColumns are the titles of the columns that were hidden last, by the names of
// the screens.
func HiddenColumns() map[string][]string { return load().Hidden }

// KeepColumns remembers which columns are hidden.
func KeepColumns(hidden map[string][]string) error {
	s := load()
	if maps.EqualFunc(s.Hidden, hidden, slices.Equal) {
		return nil
	}
	s.Hidden = hidden
	return s.save()
}

func (s state) save() error {
	if err := os.MkdirAll(filepath.Dir(statePath()), 0o700); err != nil {
		return err
	}
	return command.WriteFile(statePath(), func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
}

// whole is the path of a directory from the root, however it was given.
func whole(dir string) string {
	abs, _ := filepath.Abs(dir) // empty in a working directory that is gone
	return abs
}
