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

func nodes(t *rapid.T) Node {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	n := Node{
		ID:      ID(rapid.Uint64().Draw(t, "id")),
		Parent:  ID(rapid.Uint64().Draw(t, "parent")),
		Kind:    rapid.SampledFrom(kinds).Draw(t, "kind"),
		Height:  cw721.Height(rapid.Uint64().Draw(t, "height")),
		Time:    cw721.Time(rapid.Uint64().Draw(t, "time")),
		Sender:  cw721.Address(text.Draw(t, "sender")),
		Message: text.Draw(t, "message"),
		Changes: rapid.Uint64().Draw(t, "changes"),
	}
	if rapid.Bool().Draw(t, "refused") {
		n.Refusal = &Refusal{Kind: cw721.Kind(text.Draw(t, "kind")), Text: text.Draw(t, "text"), Field: text.Draw(t, "field")}
	} else {
		n.Answer = []byte(text.Draw(t, "answer") + "{}")
	}
	if rapid.Bool().Draw(t, "differs") {
		n.Difference = []byte(text.Draw(t, "difference") + "{}")
		n.Debug = text.Draw(t, "debug")
	}
	return n
}

func TestANodeIsReadAsItWasWrittenAndACutOneIsNotedAsBroken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := nodes(t)
		raw := n.encode()
		got, err := decodeNode(n.ID, raw)
		if diff := cmp.Diff(n, got, equalBytes); diff != "" || err != nil {
			t.Fatalf("read %v (-want +got):\n%s", err, diff)
		}
		cut := rapid.IntRange(0, len(raw)-1).Draw(t, "cut")
		got, err = decodeNode(n.ID, raw[:cut])
		var corrupt *kv.CorruptError
		// What is left may be a whole node that was not refused.
		if !errors.As(err, &corrupt) && (err != nil || n.Refusal == nil || got.Refusal != nil) {
			t.Fatalf("a node cut at %d of %d gave %+v, %v", cut, len(raw), got, err)
		}
	})
}

var equalBytes = cmp.Comparer(func(a, b []byte) bool { return string(a) == string(b) })

func TestNoBytesMakeAReaderPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 1, 60).Draw(t, "bytes")
		_, _ = decodeNode(1, raw)
		_, _ = decodeState(raw)
		db := kv.NewMemory()
		err := db.Update(func(tx kv.Txn) error {
			for _, k := range [][]byte{{stateKey}, key(nodeKey, 1), key(changeKey, 1), key(redoKey, 0), append([]byte{nameKey}, 'x'), append([]byte{nodeKey}, raw...), append(key(branchKey, 0), raw...)} {
				if err := tx.Set(k, raw); err != nil {
					return err
				}
			}
			_, _ = Changes(tx, 1)
			_, _ = Names(tx)
			_, _ = Find(tx, "x")
			for _, err := range Children(tx, 0) {
				_ = err
			}
			for _, err := range Walk(tx, 0) {
				_ = err
			}
			_, _ = State{}.Redo(tx)
			_, _ = State{Head: 1}.Undo(tx)
			_, _ = (&State{Head: 1, Last: 1, Floor: 1}).Prunable(tx)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestARecordOfAnySizeComesBackWholeAndLeavesNothingWhenDropped(t *testing.T) {
	for _, size := range []int{0, 1, partSize - 1, partSize, partSize + 1, 2 * partSize, 3*partSize + 7} {
		db := kv.NewMemory()
		want := kvtest.Noise(size)
		err := db.Update(func(tx kv.Txn) error {
			if err := saveParts(tx, nodeKey, 5, want); err != nil {
				return err
			}
			got, ok, err := loadParts(tx, nodeKey, 5)
			if err != nil || !ok || string(got) != string(want) {
				t.Errorf("%d bytes came back as %d, %v, %v", size, len(got), ok, err)
			}
			met := 0
			for id, err := range Walk(tx, 0) {
				if met++; id != 5 || err != nil {
					t.Errorf("the walk met %d, %v", id, err)
				}
			}
			if met != 1 {
				t.Errorf("the walk met a record of %d bytes %d times", size, met)
			}
			if err := dropParts(tx, nodeKey, 5); err != nil {
				return err
			}
			for p := range tx.Scan(kv.Range{}) {
				t.Errorf("dropped, but %q is left", p.Key)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatARecordRepeatsIsKeptOnce(t *testing.T) {
	id := string(kvtest.Noise(kv.MaxKey / 2))
	want := []kv.Change{
		{Key: []byte("tokens" + id), Old: kvtest.Noise(100), New: kvtest.Noise(100)},
		{Key: []byte("tokens__owner" + id), New: []byte{}},
	}
	size := 0
	err := kv.NewMemory().Update(func(tx kv.Txn) error {
		if err := saveChanges(tx, 5, want); err != nil {
			return err
		}
		for p := range tx.Scan(kv.Range{}) {
			size += len(p.Value)
		}
		got, err := Changes(tx, 5)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		return err
	})
	if err != nil || size > len(id)+1000 {
		t.Errorf("%d bytes for an id of %d, %v", size, len(id), err)
	}
}

func TestAPackedRecordThatIsBrokenIsNotedAsBroken(t *testing.T) {
	for _, packed := range []string{"", "\xff\xff\xff\xff\x0f", "\x05abc"} {
		err := kv.NewMemory().Update(func(tx kv.Txn) error {
			if err := tx.Set(key(changeKey, 5), append(packedMark[:len(packedMark):len(packedMark)], packed...)); err != nil {
				return err
			}
			_, err := Changes(tx, 5)
			return err
		})
		var corrupt *kv.CorruptError
		if !errors.As(err, &corrupt) || !errors.Is(err, errPacked) {
			t.Errorf("%q: got %v", packed, err)
		}
	}
}

// Who knows of no packed records must not undo what one seems to say.
func TestAPackedRecordIsNothingToAnEarlierProgram(t *testing.T) {
	packed := pack(make([]byte, 2*packFrom))
	if r := (reader{rest: packed}); r.uint() != 0 || r.err == nil {
		t.Errorf("as changes it begins with a length, %v", r.err)
	}
	if n, err := decodeNode(1, packed); err == nil {
		t.Errorf("as a node it is %+v", n)
	}
}

func TestAMissingPartIsNotedAsBroken(t *testing.T) {
	err := kv.NewMemory().Update(func(tx kv.Txn) error {
		if err := saveParts(tx, changeKey, 5, kvtest.Noise(2*partSize)); err != nil {
			return err
		}
		if err := tx.Delete(partKey(changeKey, 5, 1)); err != nil {
			return err
		}
		_, err := Changes(tx, 5)
		return err
	})
	var corrupt *kv.CorruptError
	if !errors.As(err, &corrupt) {
		t.Errorf("got %v", err)
	}
}
