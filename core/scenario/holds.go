package scenario

// Holds tells whether a JSON text has all that another has: members of objects,
// and items of arrays in their order, as "has" in a file.
func Holds(whole, part []byte) bool {
	m := matcher{address: func(string) string { return "" }}
	m.part(part, whole)
	return len(m.found) == 0
}
