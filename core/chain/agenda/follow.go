package agenda

import (
	"crypto/sha256"
	"strconv"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// longest is how much of a token's id stands in a key: ids have no length rule
// and keys do.
const longest = 256 // bytes

// shorten cuts a long id and makes it its own again with a hash. Short ids
// stay as they are, so that keys sort as ids do.
func shorten(id string) string {
	if len(id) <= longest {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return id[:longest-len(sum)] + string(sum[:])
}

// Follow brings the agenda in step with changes to the contract's records,
// made in block now. It fails as the store does.
func Follow(t kv.Txn, now cw721.Block, changes []kv.Change) error {
	for _, c := range changes {
		if err := followGrants(t, now, c); err != nil {
			return err
		}
		if owner, _, ok := cw721.HoldingIn(c.Key); ok {
			if err := followHolding(t, owner, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func followGrants(t kv.Txn, now cw721.Block, c kv.Change) error {
	before, err := cw721.GrantsIn(c.Key, c.Old)
	if err != nil {
		return err
	}
	after, err := cw721.GrantsIn(c.Key, c.New)
	if err != nil {
		return err
	}
	for _, g := range before {
		if !contains(after, g) {
			if err := remove(t, g); err != nil {
				return err
			}
		}
	}
	for _, g := range after {
		if !contains(before, g) {
			if err := add(t, Entry{g, now}); err != nil {
				return err
			}
		}
	}
	return nil
}

func contains(grants []cw721.Grant, g cw721.Grant) bool {
	for _, h := range grants {
		if g == h {
			return true
		}
	}
	return false
}

func remove(t kv.Writer, g cw721.Grant) error {
	for _, k := range keys(g) {
		if err := t.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

func add(t kv.Writer, e Entry) error {
	v := value(e)
	for _, k := range keys(e.Grant) {
		if err := t.Set(k, v); err != nil {
			return err
		}
	}
	return nil
}

func followHolding(t kv.Txn, owner cw721.Address, c kv.Change) error {
	by := 0
	switch {
	case c.Old == nil && c.New != nil:
		by = +1
	case c.Old != nil && c.New == nil:
		by = -1
	default:
		return nil
	}
	n, err := Holdings(t, owner)
	if err != nil {
		return err
	}
	key := append([]byte{holdings}, owner...)
	if n += by; n <= 0 {
		return t.Delete(key)
	}
	return t.Set(key, strconv.AppendInt(nil, int64(n), 10))
}

// Holdings tells how many tokens an owner has, without counting them.
func Holdings(r kv.Reader, owner cw721.Address) (int, error) {
	raw, ok, err := r.Get(append([]byte{holdings}, owner...))
	if err != nil || !ok {
		return 0, err
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		return 0, &kv.CorruptError{Key: []byte("holdings of " + owner), Err: err}
	}
	return n, nil
}

// Load adds the grants of one record of a collection that is read in whole:
// what [Follow] does for a record that was not there before, but without
// reading. The holdings come at the end, with [LoadHoldings].
func Load(w kv.Writer, now cw721.Block, key, value []byte) error {
	grants, err := cw721.GrantsIn(key, value)
	if err != nil {
		return err
	}
	for _, g := range grants {
		if err := add(w, Entry{g, now}); err != nil {
			return err
		}
	}
	return nil
}

// LoadHoldings writes how many tokens each owner has.
func LoadHoldings(w kv.Writer, owners map[cw721.Address]int) error {
	for owner, n := range owners {
		if err := w.Set(append([]byte{holdings}, owner...), strconv.AppendInt(nil, int64(n), 10)); err != nil {
			return err
		}
	}
	return nil
}
