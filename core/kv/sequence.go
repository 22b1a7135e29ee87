package kv

import "iter"

// Ahead goes through a sequence step by step and holds the current element, so that two
// sequences can be merged by comparing what each has next.
type Ahead[T any] struct {
	Current    T
	Err        error // that the sequence yielded with Current
	HasCurrent bool  // false behind the end of the sequence

	next func() (T, error, bool)
	Stop func() // ends the sequence; call it in any case
}

// ReadAhead returns a sequence with its first element as the current one.
func ReadAhead[T any](sequence iter.Seq2[T, error]) *Ahead[T] {
	next, stop := iter.Pull2(sequence)
	a := &Ahead[T]{next: next, Stop: stop}
	a.Advance()
	return a
}

// Advance makes the next element the current one.
func (a *Ahead[T]) Advance() {
	a.Current, a.Err, a.HasCurrent = a.next()
}

// Sequence returns the sequence of all that walk passes to yield. walk returns when yield
// returns false. If walk fails, the error is the last that the sequence yields.
func Sequence[T any](walk func(yield func(T) bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		wantsMore := true
		err := walk(func(element T) bool {
			wantsMore = yield(element, nil)
			return wantsMore
		})
		if err != nil && wantsMore {
			var none T
			yield(none, err)
		}
	}
}
