package crash

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// caught panics with what fn panics with, and catches it.
func caught(fn func()) (p *Panic) {
	defer func() { p = Caught("testing", recover()) }()
	fn()
	return nil
}

func TestAReportHasTheCauseAndThePlaceAndNoContentsOfTheCollection(t *testing.T) {
	const secret = "ape-0042 of alice"
	outOfRange := func() { _ = []int{}[len(secret)] }
	for _, c := range []struct {
		name   string
		panics func()
		want   string
	}{
		{"the runtime's own", outOfRange, "index out of range [17] with length 0"},
		{"a text", func() { panic("token " + secret) }, "a panic with a string"},
		{"an error", func() { panic(errors.New(secret)) }, "a panic with a *errors.errorString"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state", "ephemera")
			at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			path, err := Write(dir, at, caught(c.panics), "version: 1.0")
			if err != nil {
				t.Fatal(err)
			}
			report, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{c.want, "while testing", "version: 1.0", "crash_test.go"} {
				if !strings.Contains(string(report), want) {
					t.Errorf("the report does not say %q:\n%s", want, report)
				}
			}
			if strings.Contains(string(report), secret) {
				t.Errorf("the report holds %q:\n%s", secret, report)
			}
			if name := filepath.Base(path); !strings.HasPrefix(name, "crash-20261121-120000-") || !strings.HasSuffix(name, ".txt") {
				t.Errorf("the report is called %s", name)
			}
			for path, want := range map[string]fs.FileMode{path: 0o600, dir: 0o700} {
				if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
					t.Errorf("%s has the mode %v, %v; want %v", path, info.Mode().Perm(), err, want)
				}
			}
		})
	}
}

func TestTwoReportsInOneSecondAreTwoFiles(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		if _, err := Write(dir, time.Time{}, &Panic{}); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

func TestAReportThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if path, err := Write(filepath.Join(file, "dir"), time.Time{}, &Panic{}); err == nil {
		t.Errorf("written to %s, in a directory that cannot be", path)
	}
}
