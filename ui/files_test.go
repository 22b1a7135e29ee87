package ui_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// palette runs what the palette finds first for a text.
func palette(d *uitest.Driver, text string) {
	d.T.Helper()
	d.Press(":")
	d.Types(text)
	d.Press("enter")
}

func TestExportAndBackupReplaceAFileOnlyAfterConfirmation(t *testing.T) {
	disk := map[string]string{"state.json": "old", "old.backup": "old"}
	save := func(path string, replace bool, write func(io.Writer) error) error {
		if _, there := disk[path]; there && !replace {
			return fmt.Errorf("%s: %w", path, fs.ErrExist)
		}
		if strings.HasPrefix(path, "nowhere/") {
			return errors.New(path + ": cannot be written: there is no such directory")
		}
		var b strings.Builder
		err := write(&b)
		disk[path] = b.String()
		return err
	}
	d := uitest.New(t, func(o app.Options) *ui.Model {
		o.MemoryOnly, o.Save = false, save
		o.Export = func(v *chain.View, w io.Writer, withClock bool) error {
			_, err := fmt.Fprint(w, v.Clock.Height, withClock)
			return err
		}
		o.Backup = func(path string, replace bool) error {
			return save(path, replace, func(w io.Writer) error { _, err := io.WriteString(w, "all"); return err })
		}
		return ui.New(o)
	}, 120, 36)
	palette(d, "export")
	d.Keys("nowhere/state.json", "enter")
	d.Sees("there is no such directory")

	d.Keys("ctrl+u", "state.json", "enter")
	d.Sees("state.json exists already")
	if disk["state.json"] != "old" {
		t.Error("a file was replaced unasked")
	}

	d.Press("tab", "space", "tab", "space", "enter")
	d.Sees("exported to state.json")
	if disk["state.json"] != "1102 true" {
		t.Errorf("exported %q", disk["state.json"])
	}

	palette(d, "backup")
	d.Keys("new.backup", "enter")
	d.Sees("the database is copied to new.backup")
	if disk["new.backup"] != "all" {
		t.Errorf("backed up %q", disk["new.backup"])
	}
	d.Fits()

	inMemory := uitest.New(t, ui.New, 120, 36)
	palette(inMemory, "backup")
	inMemory.Sees("this collection is only in memory")
}
