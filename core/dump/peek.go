package dump

import (
	"bytes"
	"iter"

	"ephemera/core/kv"
)

// Peek reads records until enough is content with one's value, and gives the
// walk over all of them from its beginning. Nothing is read twice, as stdin
// cannot be. stop ends the walk; it must be called unless Peek fails.
func (p *Pages) Peek(enough func(value []byte) bool) (records iter.Seq2[kv.Pair, error], stop func(), err error) {
	next, stop := iter.Pull2(p.Records())
	var held []kv.Pair
	for {
		record, err, ok := next()
		if err != nil {
			stop()
			return nil, nil, err
		}
		if !ok {
			break
		}
		held = append(held, kv.Pair{Key: bytes.Clone(record.Key), Value: bytes.Clone(record.Value)})
		if enough(record.Value) {
			break
		}
	}
	return func(yield func(kv.Pair, error) bool) {
		for _, record := range held {
			if !yield(record, nil) {
				return
			}
		}
		for {
			if record, err, ok := next(); !ok || !yield(record, err) {
				return
			}
		}
	}, stop, nil
}
