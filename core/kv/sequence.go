package kv

import "iter"

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

// Convert yields the result of convert for each value. An error of values or of convert is the
// last that it yields.
func Convert[From, To any](
	values iter.Seq2[From, error],
	convert func(From) (To, error),
) iter.Seq2[To, error] {
	return func(yield func(To, error) bool) {
		for value, err := range values {
			if err != nil {
				var noResult To
				yield(noResult, err)
				return
			}

			result, err := convert(value)
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}

// Filter yields the values for which keep is true, and an error of values last.
func Filter[T any](values iter.Seq2[T, error], keep func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for value, err := range values {
			if err == nil && !keep(value) {
				continue
			}
			if !yield(value, err) || err != nil {
				return
			}
		}
	}
}
