package history

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// drawNode draws a node with any texts, which need not be valid UTF-8.
func drawNode(t *rapid.T) Node {
	bytesAsText := rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })
	text := rapid.OneOf(rapid.String(), bytesAsText)
	n := Node{
		ID:          ID(rapid.Uint64().Draw(t, "id")),
		Parent:      ID(rapid.Uint64().Draw(t, "parent")),
		Kind:        rapid.SampledFrom(kinds).Draw(t, "kind"),
		Height:      cw721.Height(rapid.Uint64().Draw(t, "height")),
		Time:        cw721.Time(rapid.Uint64().Draw(t, "time")),
		Sender:      cw721.Address(text.Draw(t, "sender")),
		Message:     text.Draw(t, "message"),
		ChangeCount: rapid.Uint64().Draw(t, "changes"),
	}
	if rapid.Bool().Draw(t, "refused") {
		n.Refusal = &Refusal{
			Kind:  cw721.Kind(text.Draw(t, "kind")),
			Text:  text.Draw(t, "text"),
			Field: text.Draw(t, "field"),
		}
	} else {
		n.Answer = []byte(text.Draw(t, "answer") + "{}")
	}
	if rapid.Bool().Draw(t, "differs") {
		n.Difference = []byte(text.Draw(t, "difference") + "{}")
		n.Log = text.Draw(t, "debug")
	}
	if rapid.Bool().Draw(t, "is in a batch") {
		n.Batch = ID(rapid.Uint64Min(1).Draw(t, "batch"))
	}
	return n
}

func TestANodeIsDecodedAsItWasEncodedAndACutOneIsCorrupt(t *testing.T) {
	equalBytes := cmp.Comparer(func(a, b []byte) bool { return string(a) == string(b) })
	rapid.Check(t, func(t *rapid.T) {
		n := drawNode(t)
		record := n.encode()

		decoded, err := decodeNode(n.ID, record)
		if diff := cmp.Diff(n, decoded, equalBytes); diff != "" || err != nil {
			t.Fatalf("decoded with %v (-want +got):\n%s", err, diff)
		}

		cut := rapid.IntRange(0, len(record)-1).Draw(t, "cut")
		decoded, err = decodeNode(n.ID, record[:cut])
		onlyLostRefusal := err == nil && n.Refusal != nil && decoded.Refusal == nil
		if !kv.IsCorrupt(err) && !onlyLostRefusal {
			t.Fatalf("a node cut at %d of %d was decoded as %+v, %v", cut, len(record), decoded, err)
		}
	})
}

// inTransaction runs a test in a transaction of an empty store, and fails if the test
// returns an error.
func inTransaction(t *testing.T, test func(kv.Txn) error) {
	t.Helper()
	if err := kv.NewMemory().Update(test); err != nil {
		t.Fatal(err)
	}
}

func TestNoRecordMakesAReaderPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		record := rapid.SliceOfN(rapid.Byte(), 1, 60).Draw(t, "record")
		_, _ = decodeNode(1, record)
		_, _ = decodeState(record)
		_ = kv.NewMemory().Update(func(tx kv.Txn) error {
			keys := [][]byte{
				{stateLetter},
				key(nodeLetter, 1),
				key(changeLetter, 1),
				key(redoLetter, 0),
				nameRecordKey("x"),
				append([]byte{nodeLetter}, record...),
				append(key(branchLetter, 0), record...),
			}
			for _, k := range keys {
				noError(t, tx.Set(k, record))
			}

			_, _ = Changes(tx, 1)
			_, _ = Names(tx)
			_, _ = Find(tx, "x")
			_, _ = LoadTree(tx)
			for range Children(tx, 0) {
			}
			for range Walk(tx, 0) {
			}
			_, _ = State{}.Redo(tx)
			_, _ = State{Head: 1}.Undo(tx)
			_, _ = (&State{Head: 1, Last: 1, Oldest: 1}).PrunableNodes(tx)
			_ = Check(tx, func() {}, func(string) {})
			return nil
		})
	})
}

func TestARecordOfAnySizeIsReadAsWrittenAndDeletedWithAllItsParts(t *testing.T) {
	for _, size := range []int{0, 1, partSize - 1, partSize, partSize + 1, 2 * partSize, 3*partSize + 7} {
		inTransaction(t, func(tx kv.Txn) error {
			record := kvtest.Noise(size)
			if err := saveParts(tx, nodeLetter, 5, record); err != nil {
				return err
			}

			loaded, ok, err := loadParts(tx, nodeLetter, 5)
			if err != nil || !ok || string(loaded) != string(record) {
				t.Errorf("%d bytes were read as %d, %v, %v", size, len(loaded), ok, err)
			}

			var walked []ID
			for id, err := range Walk(tx, 0) {
				if err != nil {
					return err
				}
				walked = append(walked, id)
			}
			if diff := cmp.Diff([]ID{5}, walked); diff != "" {
				t.Errorf("nodes that a walk visits, of %d bytes (-want +got):\n%s", size, diff)
			}

			if err := deleteParts(tx, nodeLetter, 5); err != nil {
				return err
			}
			for p := range tx.Scan(kv.Range{}) {
				t.Errorf("after the deletion of %d bytes, %q is left", size, p.Key)
			}
			return nil
		})
	}
}

func TestWhatARecordRepeatsIsStoredOnce(t *testing.T) {
	tokenID := string(kvtest.Noise(kv.MaxKey / 2))
	changes := []kv.Change{
		{Key: []byte("tokens" + tokenID), OldValue: kvtest.Noise(100), NewValue: kvtest.Noise(100)},
		{Key: []byte("tokens__owner" + tokenID), NewValue: []byte{}},
	}
	inTransaction(t, func(tx kv.Txn) error {
		if err := saveChanges(tx, 5, changes); err != nil {
			return err
		}

		stored := 0
		for p := range tx.Scan(kv.Range{}) {
			stored += len(p.Value)
		}
		if stored > len(tokenID)+1000 {
			t.Errorf("%d bytes are stored, for an id of %d", stored, len(tokenID))
		}
		loaded, err := Changes(tx, 5)
		if diff := cmp.Diff(changes, loaded); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		return err
	})
}

func TestABrokenPackedRecordIsCorrupt(t *testing.T) {
	for _, packed := range []string{"", "\xff\xff\xff\xff\x0f", "\x05abc"} {
		inTransaction(t, func(tx kv.Txn) error {
			if err := tx.Set(key(changeLetter, 5), []byte(string(packedMark)+packed)); err != nil {
				return err
			}
			_, err := Changes(tx, 5)
			if !kv.IsCorrupt(err) || !errors.Is(err, errPacked) {
				t.Errorf("%q: got %v", packed, err)
			}
			return nil
		})
	}
}

// A program from before there were packed records must not undo what one seems to say.
func TestAPackedRecordIsBrokenForAnOlderProgram(t *testing.T) {
	packed := pack(make([]byte, 2*minPackedSize))
	asChanges := fieldReader{unread: packed}
	if length := asChanges.readUint(); length != 0 || asChanges.err == nil {
		t.Errorf("as changes it begins with the length %d, %v", length, asChanges.err)
	}
	if n, err := decodeNode(1, packed); err == nil {
		t.Errorf("as a node it is %+v", n)
	}
}

func TestARecordWithoutOneOfItsPartsIsCorrupt(t *testing.T) {
	inTransaction(t, func(tx kv.Txn) error {
		if err := saveParts(tx, changeLetter, 5, kvtest.Noise(2*partSize)); err != nil {
			return err
		}
		if err := tx.Delete(partKey(changeLetter, 5, 1)); err != nil {
			return err
		}
		if _, err := Changes(tx, 5); !kv.IsCorrupt(err) {
			t.Errorf("got %v", err)
		}
		return nil
	})
}
