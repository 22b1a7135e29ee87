package expiry

import (
	"bytes"
	"slices"
	"strconv"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Update gives the changes that bring the expiry index in step with changes to the
// contract's records, made in block now. It writes nothing; what it reads it
// reads from the expiry index. It fails as the store does.
func Update(r kv.Reader, now cw721.Block, changes []kv.Change) ([]kv.Change, error) {
	f := updater{r: r, now: now}
	for _, c := range changes {
		if err := f.grants(c); err != nil {
			return nil, err
		}
		f.holding(c)
	}
	for _, m := range f.moved {
		if err := f.count(m.owner, m.by); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(f.out, func(a, b kv.Change) int { return bytes.Compare(a.Key, b.Key) })
	return f.out, nil
}

type updater struct {
	r     kv.Reader
	now   cw721.Block
	out   []kv.Change
	moved []moved // of a handful of owners
}

// moved is by how much an owner's holdings change.
type moved struct {
	owner cw721.Address
	by    int
}

func (f *updater) grants(c kv.Change) error {
	before, err := cw721.DecodeGrants(c.Key, c.Old)
	if err != nil {
		return err
	}
	after, err := cw721.DecodeGrants(c.Key, c.New)
	if err != nil {
		return err
	}
	for _, g := range before {
		if !slices.Contains(after, g) {
			if err := f.remove(g); err != nil {
				return err
			}
		}
	}
	for _, g := range after {
		if !slices.Contains(before, g) {
			v := value(Entry{g, f.now})
			for _, k := range keys(g) {
				f.out = append(f.out, kv.Change{Key: k, New: v})
			}
		}
	}
	return nil
}

// remove takes an entry out. All its keys have the same value, so it is read
// once.
func (f *updater) remove(g cw721.Grant) error {
	all := keys(g)
	v, ok, err := f.r.Get(all[0])
	if err != nil || !ok {
		return err
	}
	for _, k := range all {
		f.out = append(f.out, kv.Change{Key: k, Old: v})
	}
	return nil
}

func (f *updater) holding(c kv.Change) {
	by := 0
	switch {
	case c.Old == nil && c.New != nil:
		by = +1
	case c.Old != nil && c.New == nil:
		by = -1
	default:
		return
	}
	owner, _, ok := cw721.DecodeOwnerIndexKey(c.Key)
	if !ok {
		return
	}
	for i := range f.moved {
		if f.moved[i].owner == owner {
			f.moved[i].by += by
			return
		}
	}
	f.moved = append(f.moved, moved{owner, by})
}

func (f *updater) count(owner cw721.Address, by int) error {
	n, err := Holdings(f.r, owner)
	if err != nil || by == 0 {
		return err
	}
	c := kv.Change{Key: append([]byte{holdings}, owner...)}
	if n > 0 {
		c.Old = strconv.AppendInt(nil, int64(n), 10)
	}
	if n += by; n > 0 {
		c.New = strconv.AppendInt(nil, int64(n), 10)
	}
	if c.Old != nil || c.New != nil {
		f.out = append(f.out, c)
	}
	return nil
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
