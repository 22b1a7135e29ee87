package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
)

// Blanks between the records make the dumps larger than what diff imports into memory.
func TestADumpOfAnySizeIsComparedAlikeAndNothingIsLeftOnTheDisk(t *testing.T) {
	dir := t.TempDir()
	temporary := filepath.Join(dir, "tmp")
	chaintest.OK(t, os.Mkdir(temporary, 0o700))
	t.Setenv("TMPDIR", temporary)
	db := filepath.Join(dir, "db")
	runs(t, "--db", db, "init", "--as", "creator", `{"name":"Apes","symbol":"APE"}`)
	export := func(name string) (small, large string) {
		small = filepath.Join(dir, name+".json")
		large = filepath.Join(dir, name+"-large.json")
		runs(t, "--db", db, "export", "--with-clock", small)
		text := strings.ReplaceAll(read(t, small), "},", "},"+strings.Repeat(" ", 4<<20))
		if len(text) <= 16<<20 {
			t.Fatalf("the dump has %d bytes", len(text))
		}
		chaintest.OK(t, os.WriteFile(large, []byte(text), 0o600))
		return small, large
	}
	oldSmall, oldLarge := export("old")
	runs(t, "--db", db, "exec", "--as", "creator", `{"mint":{"token_id":"1","owner":"$creator"}}`)
	runs(t, "--db", db, "exec", "--as", "creator", `{"approve_all":{"operator":"`+string(chaintest.Address("bob"))+`"}}`)
	newSmall, newLarge := export("new")

	want := runs(t, "diff", "--json", oldSmall, newSmall)
	for _, sides := range [][]string{{oldLarge, newLarge}, {oldLarge, newSmall}, {oldSmall, newLarge}} {
		if got := runs(t, "diff", "--json", sides[0], sides[1]); got != want {
			t.Errorf("%v: got %s, want %s", sides, got, want)
		}
	}

	chaintest.OK(t, os.Truncate(newLarge, 17<<20))
	if status, _, _ := inside(t, "diff", oldLarge, newLarge); status != 2 {
		t.Errorf("a dump that ends early: status %d", status)
	}
	if left := chaintest.Must(os.ReadDir(temporary))(t); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
