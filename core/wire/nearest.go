package wire

import "strings"

// Nearest gives the name that a misspelt word was likely meant to be: the one
// with the fewest letters to change, or one that begins so; "" where none is
// near enough.
func Nearest(word string, names []string) string {
	nearest, least := "", 2+len(word)/4
	for _, name := range names {
		if len(word) < 2 || len(word)-len(name) >= least {
			continue
		}
		far := distance(word, name)
		if strings.HasPrefix(name, word) {
			far = 1
		}
		if far < least {
			nearest, least = name, far
		}
	}
	return nearest
}

// distance counts the letters to change, add, leave out, or swap with their
// neighbours to make one word of another.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = 1 + min(rows[i-1][j-1], rows[i-1][j], rows[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], 1+rows[i-2][j-2])
			}
		}
	}
	return rows[len(a)][len(b)]
}
