package command

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFileIsSavedWholeAndReplacedOnlyWhenThatIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "story.yaml")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	holds := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("the file holds %q, expected %q (%v)", got, want, err)
		}
	}
	// An empty file, as mktemp makes one, is nothing that could be lost.
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := SaveFile(path, false, text("one")); err != nil {
		t.Fatal(err)
	}
	holds("one")
	if err := SaveFile(path, false, text("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there: %v", err)
	}
	holds("one")
	broken := func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return errors.New("the middle is gone") }
	if err := SaveFile(path, true, broken); err == nil || !strings.Contains(err.Error(), "the middle is gone") {
		t.Errorf("what fails half-way: %v", err)
	}
	holds("one")
	if err := SaveFile(path, true, text("two")); err != nil {
		t.Fatal(err)
	}
	holds("two")
	for at, want := range map[string]string{dir: "is a directory, expected a file", filepath.Join(dir, "no", "x.yaml"): "cannot be written"} {
		if err := SaveFile(at, false, text("x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", at, err, want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("something was left behind: %v %v", left, err)
	}
}
