package chain

import (
	"hash/maphash"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// To mint, move or burn a token changes the owner index. What stood there is known
// from the token's record, where the two agree. In a collection that began here
// they do. One that is imported is looked at, and where they do not agree the
// index is read: what is undone must be again as it was.

// indexedKey marks a collection whose owner index agrees with its tokens.
var indexedKey = []byte("indexed")

// recorder gives a recorder for a message, which is told what stood in the
// index, and believes it where that is sure.
func (s *session) recorder() (*kv.Recorder, error) {
	rec := kv.NewRecorder(s.t)
	_, sure, err := s.meta.Get(indexedKey)
	if sure {
		rec.Believe()
	}
	return rec, err
}

func (s *session) markIndexed() error { return s.meta.Set(indexedKey, []byte{1}) }

// Invalidate forgets that the owner index agrees with the tokens: for who has done
// to the store what nothing in it knows of, as to put back what is left of a
// damaged one.
func (c *Chain) Invalidate() error {
	return c.update(func(s *session) error { return s.meta.Delete(indexedKey) })
}

// agreement is told of all tokens and all entries of the owner index, and says
// whether they agree. As a [set], it holds no more than two sums.
type agreement struct {
	seed           maphash.Seed
	tokens, listed uint64
	record         []byte // the last
}

func (a *agreement) token(owner cw721.Address, id string) {
	a.tokens += a.sum(cw721.IndexRecord(owner, id))
}

func (a *agreement) entry(p kv.Pair) { a.listed += a.sum(p) }

func (a *agreement) sum(p kv.Pair) uint64 {
	// A value is a number, and the keys begin with none.
	a.record = append(append(a.record[:0], p.Value...), p.Key...)
	return maphash.Bytes(a.seed, a.record)
}

func (a *agreement) holds() bool { return a.tokens == a.listed }
