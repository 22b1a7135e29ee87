package ui

import (
	"flag"
	"os"
	"path/filepath"
)

var update = flag.Bool("update", false, "write the golden views anew")

// golden compares what a person sees with what was kept.
func (d *drive) golden(name string) {
	d.t.Helper()
	d.fits()
	path := filepath.Join("testdata", "golden", name+".txt")
	got := d.screen() + "\n"
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			d.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatalf("%v (go test ./ui -update writes it)", err)
	}
	if got != string(want) {
		d.t.Errorf("%s is not as kept (go test ./ui -update writes it anew)\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}
