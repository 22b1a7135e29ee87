package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/dump"
	"ephemera/core/wire"
)

func TestAnImportBeginsAsTheFileNotesAndWithWhatIsSaid(t *testing.T) {
	w := chaintest.New(t)
	w.Mint("rose", "alice")
	w.Do("alice", `{"approve":{"token_id":"rose","spender":"$bob","expires":{"at_height":990011}}}`)
	noted := Note{Clock: chain.Clock{Height: 77, Time: 5e9, SecondsPerBlock: 9}, Accounts: []chain.Account{{Name: "ann", Address: chaintest.Address("alice")}}}
	write := func(name string, note []byte) string {
		path := filepath.Join(t.TempDir(), name)
		f, err := os.Create(path)
		chaintest.OK(t, err)
		w.View(func(v *chain.View) { chaintest.OK(t, dump.Write(f, note, v.Records())) })
		chaintest.OK(t, f.Close())
		return path
	}
	for name, c := range map[string]struct {
		note []byte
		said chain.Clock
		want chain.Clock
		who  int
		warn string
	}{
		"what the file notes":       {wire.Encode(noted), chain.Clock{}, noted.Clock, 1, ""},
		"another height is said":    {wire.Encode(noted), chain.Clock{Height: 80}, chain.Clock{Height: 80, Time: 5e9, SecondsPerBlock: 9}, 1, ""},
		"nothing is noted, but all": {nil, chain.Clock{Height: 3, Time: 4}, chain.Clock{Height: 3, Time: 4, SecondsPerBlock: 5}, 0, ""},
		"no height is known":        {nil, chain.Clock{Time: 4}, chain.Clock{Height: 1, Time: 4, SecondsPerBlock: 5}, 0, "in force again; the latest expires at height 990,011: T moves the clock"},
	} {
		imported, err := chaintest.InMemory()
		chaintest.OK(t, err)
		db := Database{Chain: imported}
		notes := chaintest.Must(db.ImportFile(write("state.json", c.note), chain.Genesis{Clock: c.said}, nil))(t)
		if warning := strings.Join(notes, "; "); !strings.HasSuffix(warning, c.warn) || (warning == "") != (c.warn == "") {
			t.Errorf("%s: the notes are %q, want %q", name, warning, c.warn)
		}
		chaintest.OK(t, imported.View(func(v *chain.View) error {
			chaintest.Same(t, name, c.want, v.Clock)
			accounts, err := v.Accounts()
			chaintest.Same(t, name+": accounts", c.who, len(accounts))
			return err
		}))
	}
}

func TestTheErrorOfADumpNamesItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.json")
	chaintest.OK(t, os.WriteFile(path, []byte("{}"), 0o600))
	db := Database{Chain: chaintest.Must(chaintest.InMemory())(t)}
	_, err := db.ImportFile(path, chain.Genesis{}, nil)
	if err == nil || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("the error is %v", err)
	}
}
