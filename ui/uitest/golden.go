package uitest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ephemera/ui/app"
)

var update = flag.Bool("update", false, "write the golden views anew")

// Scene is a golden view, and the keys and texts that lead to it.
type Scene struct {
	Name string
	Keys []string
}

// LookAsKept compares scenes with the golden views in testdata/golden of the tested
// package, in both [Sizes].
func LookAsKept[M Explorer](t *testing.T, create func(app.Options) M, scenes ...Scene) {
	for _, size := range Sizes {
		for _, s := range scenes {
			name := fmt.Sprintf("%s-%dx%d", s.Name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				d := New(t, create, size[0], size[1])
				d.Keys(s.Keys...)
				d.Golden(name)
			})
		}
	}
}

// Golden compares the screen with a golden view, or writes the view with -update.
func (d *Driver) Golden(name string) {
	d.T.Helper()
	d.Fits()
	Kept(d.T, name, d.Screen()+"\n")
}

// Kept compares a text with the golden view of a name, or writes it with -update.
func Kept(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("%s is not as kept (-update writes it anew)\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}
