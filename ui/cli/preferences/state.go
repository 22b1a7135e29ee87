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

// state is the content of state.json.
type state struct {
	// Accounts are the accounts that acted last, by the absolute directories of the
	// databases. An account is a name, or an address that has no name.
	Accounts map[string]string `json:"accounts"`
	// Hidden are the titles of hidden columns, by the names of the screens.
	Hidden map[string][]string `json:"hidden_columns,omitempty"`
}

func statePath() string { return filepath.Join(xdg.StateHome, "ephemera", "state.json") }

// loadState reads state.json. A file that cannot be read counts as empty.
func loadState() (s state) {
	raw, err := os.ReadFile(statePath())
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil || s.Accounts == nil {
		s.Accounts = map[string]string{}
	}
	return s
}

// LastAccount returns the account that acted last in the database in a directory, or ""
// if none is known.
func LastAccount(dir string) string { return loadState().Accounts[absolute(dir)] }

// KeepAccount stores which account acted last in the database in a directory. It removes
// the accounts of databases that no longer exist.
func KeepAccount(dir, account string) error {
	s := loadState()
	if s.Accounts[absolute(dir)] == account {
		return nil
	}
	s.Accounts[absolute(dir)] = account
	for known := range s.Accounts {
		if _, err := os.Stat(known); err != nil {
			delete(s.Accounts, known)
		}
	}
	return s.save()
}

// HiddenColumns returns the titles of the columns that were hidden last, by the names of
// the screens.
func HiddenColumns() map[string][]string { return loadState().Hidden }

// KeepColumns stores which columns are hidden, by the names of the screens.
func KeepColumns(hidden map[string][]string) error {
	s := loadState()
	if maps.EqualFunc(s.Hidden, hidden, slices.Equal) {
		return nil
	}
	s.Hidden = hidden
	return s.save()
}

// save writes state.json, and creates its directory if necessary.
func (s state) save() error {
	if err := os.MkdirAll(filepath.Dir(statePath()), 0o700); err != nil {
		return err
	}
	return command.WriteFile(statePath(), func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
}

// absolute returns the absolute path of a directory, or "" if the working directory was
// deleted.
func absolute(dir string) string {
	abs, _ := filepath.Abs(dir)
	return abs
}
