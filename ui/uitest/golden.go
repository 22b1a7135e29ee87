package uitest

import (
	"flag"
	"os"
	"path/filepath"
)

var update = flag.Bool("update", false, "write the golden views anew")

// Golden compares what a person sees with what was kept.
func (d *Driver) Golden(name string) {
	d.T.Helper()
	d.Fits()
	path := filepath.Join("testdata", "golden", name+".txt")
	got := d.Screen() + "\n"
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			d.T.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			d.T.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.T.Fatalf("%v (go test . -update writes it)", err)
	}
	if got != string(want) {
		d.T.Errorf("%s is not as kept (go test . -update writes it anew)\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}
