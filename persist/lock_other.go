//go:build !unix || aix || solaris || illumos

package persist

// holdOff and holdAlone do nothing where directories cannot be locked: Badger
// finds out who has the database, a moment later.
func holdOff(string) (release func(), err error) { return func() {}, nil }

func holdAlone(string) (release func(), err error) { return func() {}, nil }
