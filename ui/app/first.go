package app

import "iter"

// TakeFirst gives the first n of a listing; more tells that it goes on.
func TakeFirst[T any](listing iter.Seq2[T, error], n int) (all []T, more bool, err error) {
	for x, err := range listing {
		if err != nil || len(all) == n {
			return all, err == nil, err
		}
		all = append(all, x)
	}
	return all, false, nil
}
