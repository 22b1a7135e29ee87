package kv

import "iter"

// LookaheadReader holds the current element of a sequence, so that two sequences can be merged
// by comparing their current elements.
type LookaheadReader[T any] struct {
	Current    T     // the zero value after the end of the sequence
	Err        error // the error that the sequence yielded with Current
	HasCurrent bool  // false after the end of the sequence

	next func() (T, error, bool)
	Stop func() // frees what the sequence uses; the caller must call it once
}

// NewLookaheadReader returns a reader at the first element.
func NewLookaheadReader[T any](sequence iter.Seq2[T, error]) *LookaheadReader[T] {
	next, stop := iter.Pull2(sequence)
	reader := &LookaheadReader[T]{next: next, Stop: stop}
	reader.Advance()
	return reader
}

// Advance makes the next element the current one.
func (l *LookaheadReader[T]) Advance() { l.Current, l.Err, l.HasCurrent = l.next() }

// Sequence makes a sequence from a function that passes each value to yield, and returns nil as
// soon as yield returns false. If yieldAll fails, its error is the last that the sequence yields.
func Sequence[T any](yieldAll func(yield func(T) bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := yieldAll(func(element T) bool { return yield(element, nil) })
		if err != nil {
			var zeroValue T
			yield(zeroValue, err)
		}
	}
}
