package command

import (
	"os"
	"path/filepath"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/dump"
	"ephemera/core/wire"
)

func TestAnImportBeginsAsTheFileNotesAndWithWhatIsSaid(t *testing.T) {
	w := chaintest.New(t)
	w.Mint("rose", "alice")
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
	}{
		"what the file notes":       {wire.Encode(noted), chain.Clock{}, noted.Clock, 1},
		"another height is said":    {wire.Encode(noted), chain.Clock{Height: 80}, chain.Clock{Height: 80, Time: 5e9, SecondsPerBlock: 9}, 1},
		"nothing is noted, but all": {nil, chain.Clock{Height: 3, Time: 4}, chain.Clock{Height: 3, Time: 4, SecondsPerBlock: 5}, 0},
	} {
		imported, err := chaintest.InMemory()
		chaintest.OK(t, err)
		db := Database{Chain: imported}
		chaintest.OK(t, db.ImportFile(write("state.json", c.note), chain.Genesis{Clock: c.said}, nil))
		chaintest.OK(t, imported.View(func(v *chain.View) error {
			chaintest.Same(t, name, c.want, v.Clock)
			accounts, err := v.Accounts()
			chaintest.Same(t, name+": accounts", c.who, len(accounts))
			return err
		}))
	}
}
