package persist

import (
	"fmt"
	"path/filepath"
	"testing"

	"ephemera/core/kv"
)

// reads is what a writer finds under a key.
func reads(t *testing.T, db *DB, key string) (value []byte, ok bool) {
	t.Helper()
	must(t, db.Update(func(tx kv.Txn) (err error) {
		value, ok, err = tx.Get([]byte(key))
		return err
	}))
	return value, ok
}

// In what is remembered nil stands for absent, so an empty value must not be
// nil, whatever Badger makes of one.
func TestAWriterTellsAnEmptyValueFromNoneEachTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	set(t, db, "empty", "")
	must(t, db.Close())
	db = open(t, dir, Options{}) // which remembers nothing
	for range 3 {
		if value, ok := reads(t, db, "empty"); !ok || len(value) > 0 {
			t.Fatalf("got %q, %t", value, ok)
		}
		if value, ok := reads(t, db, "none"); ok {
			t.Fatalf("got %q", value)
		}
	}
}

// A record that has become too large to be remembered must not be remembered as
// it was, in whichever half it is.
func TestAValueThatIsTooLargeToRememberReplacesTheOneBefore(t *testing.T) {
	for _, others := range []int{1, recentRecords + 1} {
		var r recent
		key := []byte("key")
		r.put(key, []byte("small"))
		for i := range others {
			r.put(fmt.Appendf(nil, "other %d", i), nil)
		}
		if _, inOld := r.old["key"]; inOld != (others > recentRecords) {
			t.Fatalf("after %d others it is in the old half: %t", others, inOld)
		}
		r.put(key, make([]byte, recentBytes))
		if value, known := r.get(key); known {
			t.Errorf("after %d others it is still taken for %q", others, value)
		}
	}
}

func TestWhatIsAskedForAgainAndAgainIsRememberedAndTheRestIsNotForLong(t *testing.T) {
	var r recent
	r.put([]byte("clock"), []byte("12:00"))
	for i := range 10 * recentRecords {
		r.put(fmt.Appendf(nil, "token %d", i), nil)
		if value, known := r.get([]byte("clock")); !known || string(value) != "12:00" {
			t.Fatalf("after %d others it is %q, %t", i, value, known)
		}
	}
	if n := len(r.young) + len(r.old); n > 2*recentRecords {
		t.Errorf("%d records are remembered", n)
	}
	if _, known := r.get([]byte("token 0")); known {
		t.Error("the first is remembered for good")
	}
}
