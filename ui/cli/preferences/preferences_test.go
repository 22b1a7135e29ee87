package preferences

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"ephemera/ui/app"
)

func config(t *testing.T, text string) (Config, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "art"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(path)
	c.Media = strings.TrimPrefix(c.Media, dir)
	return c, err
}

func TestTheConfigurationSaysWhatAPersonPrefersAndLeavesOutTheRest(t *testing.T) {
	none := Config{Theme: "auto", Mouse: true, Motion: true}
	for text, want := range map[string]Config{
		"":                     none,
		"# all as it is\n":     none,
		"theme: light # day\n": {Theme: "light", Mouse: true, Motion: true},
		"times: utc\nmouse: false\nmotion: false\nmedia: art\n": {Theme: "auto", Times: app.Calendar, Media: "/art"},
	} {
		if got, err := config(t, text); err != nil || got != want {
			t.Errorf("%q: %+v, %v, expected %+v", text, got, err, want)
		}
	}
	if got, err := readConfig(filepath.Join(t.TempDir(), "config.yaml")); err != nil || got != none {
		t.Errorf("without a file: %+v, %v", got, err)
	}
}

func TestAMistakeInTheConfigurationIsASentenceWithItsLine(t *testing.T) {
	for text, says := range map[string]string{
		"theme: dark\nthemes: dark":  "line 2: themes: there is no such key, expected theme, times, mouse, motion or media",
		"\n\ntheme: neon":            "line 3: theme: neon is not known, expected one of auto, dark",
		"mouse: 3":                   "line 1: mouse: 3 is not known, expected one of true, false",
		"motion: [true]":             "line 1: motion: [true] is not known",
		"times: UTC+1":               "line 1: times: UTC+1 is not known, expected one of relative, utc, nanoseconds",
		"media: none":                "is no directory, expected one with pictures",
		"media: [art]":               "line 1: media: expected the path of a directory with pictures",
		"mouse: true\nmouse: false":  "line 2: ",
		"theme: dark\n\tmouse: true": "line 2: ",
		"- dark":                     "line 1: expected lines like `theme: dark`",
	} {
		if _, err := config(t, text); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, expected %q", text, err, says)
		}
	}
}

func TestWhoActedLastIsRememberedForEachDatabaseThatIsThere(t *testing.T) {
	was := xdg.StateHome
	xdg.StateHome = t.TempDir()
	defer func() { xdg.StateHome = was }()
	one, two := t.TempDir(), t.TempDir()
	for db, who := range map[string]string{one: "alice", two: "bob"} {
		if err := SaveAccount(db, who); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(two)
	if err := SaveAccount(one, "carol"); err != nil {
		t.Fatal(err)
	}
	if a, b := LastAccount(one), LastAccount(two); a != "carol" || b != "" {
		t.Errorf("%q and %q acted last, expected carol, and nobody in a database that is gone", a, b)
	}
	os.WriteFile(statePath(), []byte("{"), 0o600)
	if LastAccount(one) != "" || SaveAccount(one, "dave") != nil || LastAccount(one) != "dave" {
		t.Error("a state that cannot be read is not written anew")
	}
}
