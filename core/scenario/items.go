package scenario

import "strconv"

// sameItems compares two lists: items that both have are paired first, so that
// one that is missing does not make all behind it differ.
func (m *matcher) sameItems(at string, e, g []value) {
	place := func(i int) string { return at + "[" + strconv.Itoa(i) + "]" }
	i, j := 0, 0
	for _, both := range append(m.common(e, g), pair{len(e), len(g)}) {
		for i < both.e || j < both.g {
			switch {
			case i == both.e:
				m.differ(place(j), absent, m.show(g[j]))
				j++
			case j == both.g:
				m.differ(place(i), m.show(e[i]), absent)
				i++
			default:
				m.same(place(j), e[i], g[j])
				i, j = i+1, j+1
			}
		}
		i, j = both.e+1, both.g+1
	}
}

// pair are the places of one item in two lists.
type pair struct{ e, g int }

// mostCompared bounds how many pairs of items are compared; of longer lists none
// is paired.
const mostCompared = 1 << 16

// common gives the items that stand in both lists in the same order, as many as
// there are (the longest common subsequence).
func (m *matcher) common(e, g []value) (pairs []pair) {
	if len(e)*len(g) > mostCompared {
		return nil
	}
	longest := make([][]int, len(e)+1) // from i in e and j in g on
	longest[len(e)] = make([]int, len(g)+1)
	for i := len(e) - 1; i >= 0; i-- {
		longest[i] = make([]int, len(g)+1)
		for j := len(g) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if m.fits((*matcher).same, e[i], g[j]) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(e) && j < len(g); {
		switch longest[i][j] {
		case longest[i+1][j]:
			i++
		case longest[i][j+1]:
			j++
		default:
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		}
	}
	return pairs
}
