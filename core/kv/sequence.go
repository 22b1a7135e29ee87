package kv

import "iter"

// Convert yields the result of convert for each value of a sequence. If reading the
// sequence or convert fails, Convert yields the error last and ends.
func Convert[From, To any](values iter.Seq2[From, error], convert func(From) (To, error)) iter.Seq2[To, error] {
	return func(yield func(To, error) bool) {
		for value, err := range values {
			var result To
			if err == nil {
				result, err = convert(value)
			}
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}
