package kv

import (
	"bytes"
	"slices"
)

// pending holds the writes of an [Overlay]. A message writes a handful of keys,
// which are looked through faster than they are put in order; a tree is made
// when they are many, or when somebody walks.
type pending struct {
	few  []entry // in the order of their first write
	many *tree   // nil while there are few
}

const mostFew = 24

func (p *pending) get(key []byte) (entry, bool) {
	if p.many != nil {
		return p.many.Get(entry{key: key})
	}
	for i := range p.few {
		if bytes.Equal(p.few[i].key, key) {
			return p.few[i], true
		}
	}
	return entry{}, false
}

func (p *pending) set(e entry) {
	if p.many != nil {
		p.many.Set(e)
		return
	}
	for i := range p.few {
		if bytes.Equal(p.few[i].key, e.key) {
			p.few[i] = e
			return
		}
	}
	if len(p.few) == mostFew {
		p.tree().Set(e)
		return
	}
	p.few = append(p.few, e)
}

func (p *pending) none() bool { return p.many == nil && len(p.few) == 0 }

// tree gives all writes as a tree, which takes those to come too.
func (p *pending) tree() *tree {
	if p.many == nil {
		p.many = newTree()
		for _, e := range p.few {
			p.many.Set(e)
		}
		p.few = nil
	}
	return p.many
}

// all calls fn with the writes in the order of their keys until it says false.
func (p *pending) all(fn func(entry) bool) {
	if p.many != nil {
		p.many.Scan(fn)
		return
	}
	slices.SortFunc(p.few, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	for _, e := range p.few {
		if !fn(e) {
			return
		}
	}
}
