package kv

import (
	"bytes"

	"github.com/tidwall/btree"
)

// cursor steps through a range of a tree by hand, which a merge of two stores
// needs; [walk] is the faster way for a tree alone.
type cursor struct {
	entry      // the present one, while ok
	ok    bool // false past the end of the range
	it    btree.IterG[entry]
	r     Range
}

// newCursor stands on the first entry of r.
func newCursor(t *tree, r Range) *cursor {
	c := &cursor{r: r, it: t.Iter()}
	switch {
	case !r.Reverse:
		c.stand(c.it.Seek(entry{key: r.Start}))
	case r.End == nil:
		c.stand(c.it.Last())
	case c.it.Seek(entry{key: r.End}):
		c.stand(c.it.Prev()) // the end is exclusive
	default:
		c.stand(c.it.Last())
	}
	return c
}

// next goes one entry on in the direction of the range.
func (c *cursor) next() {
	if c.r.Reverse {
		c.stand(c.it.Prev())
	} else {
		c.stand(c.it.Next())
	}
}

func (c *cursor) stand(moved bool) {
	c.entry = c.it.Item()
	c.ok = moved && before(c.key, c.r.End) && bytes.Compare(c.key, c.r.Start) >= 0
}

// ahead says whether the cursor's entry comes before key in the walk.
func (c *cursor) ahead(key []byte) bool {
	if c.r.Reverse {
		return bytes.Compare(c.key, key) > 0
	}
	return bytes.Compare(c.key, key) < 0
}
