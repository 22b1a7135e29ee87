package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/persist"
	"ephemera/ui/term/ptytest"
)

// ofManyBlocks gives a database of many blocks.
func ofManyBlocks(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	runs(t, "--db", dir, "generate", "--tokens", "3000", "--grants", "300")
	return dir
}

// rotten gives a copy of which one block is broken in a way that is not seen before
// it is read.
func rotten(t *testing.T, whole string) (dir, says string) {
	t.Helper()
	dir = copyOf(t, whole)
	table := largest(t, dir, "*.sst")
	info := chaintest.Must(os.Stat(table))(t)
	rots("*.sst", info.Size()/2)(t, dir)
	return dir, fmt.Sprintf("ephemera: the database in %s is damaged: the table %s is broken (a block of it cannot be read); nothing was changed or deleted; "+
		"restore a backup into another directory, or let 'ephemera doctor --rescue' open what is left\n", dir, filepath.Base(table))
}

func TestEveryCommandRefusesADatabaseWithABrokenBlock(t *testing.T) {
	whole := ofManyBlocks(t)
	for _, args := range [][]string{{"export"}, {"doctor"}, {"doctor", "--rebuild"}, {"backup", "FILE"}, {"export", "FILE"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			dir, says := rotten(t, whole)
			file := filepath.Join(t.TempDir(), "file")
			all := append([]string{"--db", dir}, args...)
			for i := range all {
				if all[i] == "FILE" {
					all[i] = file
				}
			}
			tables := tableBytes(t, dir)
			exit, out, said := ephemera(t, all...)
			if exit != 3 || said != says {
				t.Errorf("exit status %d, %q, want 3, %q", exit, said, says)
			}
			if out != "" {
				t.Errorf("it says %q", out)
			}
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("a file was left: %v", err)
			}
			if after := tableBytes(t, dir); after != tables {
				t.Errorf("the tables were changed from\n%sto\n%s", tables, after)
			}
		})
	}
}

// Once it was told, the next program knows, whatever it would have read.
func TestABrokenBlockThatWasFoundIsReportedByEveryLaterCommand(t *testing.T) {
	dir, says := rotten(t, ofManyBlocks(t))
	if exit, _, said := ephemera(t, "--db", dir, "export"); exit != 3 || said != says {
		t.Fatalf("exit status %d, %q", exit, said)
	}
	for _, args := range [][]string{{"info"}, {"clock"}, {"clock", "advance", "1block"}} {
		if exit, _, said := ephemera(t, append([]string{"--db", dir}, args...)...); exit != 3 || said != says {
			t.Errorf("%v: exit status %d, %q, want 3, %q", args, exit, said, says)
		}
	}
	screen := ptytest.Start(t, ptytest.Options{W: 100, H: 30}, explorer(t, "--db", dir))
	screen.WaitFor("EPHEMERA", "could not be opened", "q quits")
	screen.Wait("the screen says why", func(s string) bool {
		return holdsAll(joined(s), []string{"is damaged", "a block of it cannot be read", "doctor --rescue"})
	})
	screen.Type("q")
	if status := screen.WaitExit(); status != 3 {
		t.Errorf("q ended with status %d, want 3", status)
	}

	// The way out that it names leads out.
	exit, out, said := ephemera(t, "--db", dir, "doctor", "--rescue")
	if exit != 0 || !strings.Contains(out, `"broken":["0`) || !strings.HasPrefix(out, `{"clean":true,`) || !strings.Contains(said, "rescued without") {
		t.Errorf("the rescue: exit status %d, %s, %s", exit, out, said)
	}
	if _, err := os.Stat(filepath.Join(dir, "rescue", "MANIFEST")); err != nil {
		t.Errorf("the rescue kept nothing: %v", err)
	}
	if out := runs(t, "--db", dir, "doctor"); !strings.HasPrefix(out, `{"clean":true,`) {
		t.Errorf("the doctor says %s", out)
	}
	t.Log(said)
}

// A rescue that finds nothing to make a collection of leaves the directory alone.
func TestARescueWithoutACollectionChangesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	paths := chaintest.Must(filepath.Glob(filepath.Join(dir, "*.sst")))(t)
	for _, path := range paths {
		info := chaintest.Must(os.Stat(path))(t)
		flip(t, path, info.Size()-2)
	}
	before := bytesIn(t, dir)
	exit, out, said := ephemera(t, "--db", dir, "doctor", "--rescue")
	if exit != 3 || out != "" || !strings.Contains(said, "cannot be rescued") || !strings.Contains(said, "it was left as it was") {
		t.Errorf("exit status %d, %q, %q", exit, out, said)
	}
	if after := bytesIn(t, dir); after != before {
		t.Errorf("it was changed from\n%sto\n%s", before, after)
	}
	if exit, _, _ := ephemera(t, "--db", dir, "init", `{"name":"Apes","symbol":"APE"}`); exit != 3 {
		t.Errorf("init ended with %d", exit)
	}
}

func tableBytes(t *testing.T, dir string) string {
	t.Helper()
	return string(regexp.MustCompile(`(?m)^.*/(SEAL|MANIFEST|DISCARD|KEYREGISTRY|.*\.(mem|vlog)) .*\n`).ReplaceAll([]byte(bytesIn(t, dir)), nil))
}

// A record that does not fit the others is not a broken file: the database
// opens, and the doctor finds it.
func TestTheDoctorOfTheProgramNamesADamagedRecord(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "db")
	newCollection(t, whole)
	runs(t, "--db", whole, "exec", "--as", "creator", `{"approve":{"spender":"$creator","token_id":"ape-1","expires":{"at_height":2000}}}`)
	for _, c := range []struct {
		name   string
		prefix string // of the record that is damaged
		damage func(key, value []byte, tx kv.Txn) error
		says   string
		mends  bool
	}{
		{"the count", "cnum_tokens", becomes("7"), "token count: num_tokens says 7, and there are 1 tokens; ", false},
		{"the owner index", "c\x00\x0dtokens__owner", gone, "owner index: .*is missing in the owner index; ", false},
		{"the agenda", "ae", gone, "agenda: .*is missing in the index by expiry; ", true},
		{"the history", "hn", gone, "history: .*which is not there; ", false},
		{"a record that is cut short", "c\x00\x06tokens", halved, "records: .*cannot be read.*; ", false},
		{"a record of no kind", "c\x00\x06tokens", besides, "records: .*cannot be read.*; ", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copyOf(t, whole)
			alters(t, dir, c.prefix, c.damage)
			before := tableBytes(t, dir)
			exit, out, said := inside(t, "--db", dir, "doctor")
			if exit != 3 || !strings.HasPrefix(out, `{"clean":false,"rebuilt":0,"report":{`) || strings.Count(out, "\n") != 1 {
				t.Errorf("exit status %d, %s", exit, out)
			}
			if !regexp.MustCompile(`(?m)^ephemera: (` + c.says + `).+$`).MatchString(said) {
				t.Errorf("it says %q, want %s", said, c.says)
			}
			if after := tableBytes(t, dir); after != before {
				t.Error("it has changed the tables")
			}
			exit, _, said = inside(t, "--db", dir, "doctor", "--rebuild")
			if mended := exit == 0; mended != c.mends {
				t.Errorf("a rebuild: exit status %d, %q", exit, said)
			}
		})
	}
}

func becomes(text string) func(key, _ []byte, tx kv.Txn) error {
	return func(key, _ []byte, tx kv.Txn) error { return tx.Set(key, []byte(text)) }
}

func gone(key, _ []byte, tx kv.Txn) error { return tx.Delete(key) }

func halved(key, value []byte, tx kv.Txn) error { return tx.Set(key, value[:len(value)/2]) }

func besides(key, _ []byte, tx kv.Txn) error { return tx.Set(append(key, 'x'), []byte("?")) }

// alters damages the first record of a kind.
func alters(t *testing.T, dir, prefix string, damage func(key, value []byte, tx kv.Txn) error) {
	t.Helper()
	db := chaintest.Must(persist.Open(dir, persist.Options{}))(t)
	chaintest.OK(t, db.Update(func(tx kv.Txn) error {
		for p, err := range tx.Scan(kv.PrefixRange([]byte(prefix))) {
			if err != nil {
				return err
			}
			return damage(bytes.Clone(p.Key), bytes.Clone(p.Value), tx)
		}
		return fmt.Errorf("there is no record under %q", prefix)
	}))
	chaintest.OK(t, db.Close())
}
