package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"ephemera/themes"
)

// Hint is a key with what it does, for a line of them.
type Hint struct {
	Binding key.Binding
	Rank    int // where not all fit, those with the lowest numbers stay
}

// Hints is a line of key hints, in the order in which they show. One shows as a
// whole or not at all.
type Hints []Hint

// hintGap parts one hint from the next.
const hintGap = 2

// View draws the line in w cells.
func (h Hints) View(th *themes.Theme, w int) string {
	var b strings.Builder
	used := 0
	for _, p := range h.lay(w) {
		b.WriteString(spaces(p.at-used) + p.line.Render(th))
		used = p.at + p.w
	}
	return b.String() + spaces(w-used)
}

// At gives the key whose hint stands at column x of a line of w cells.
func (h Hints) At(x, w int) (key.Binding, bool) {
	for _, p := range h.lay(w) {
		if x >= p.at && x < p.at+p.w {
			return p.binding, true
		}
	}
	return key.Binding{}, false
}

// laidHint is a hint with its place in the line.
type laidHint struct {
	binding key.Binding
	line    Line
	at, w   int
}

// lay finds the hints that fit: by rank, each that there still is room for. The
// line starts with a space, as the others of a frame do.
func (h Hints) lay(w int) []laidHint {
	room := w - 1
	lines := make([]Line, len(h))
	byRank := make([]int, 0, len(h))
	for i, x := range h {
		if shown(x.Binding) {
			lines[i] = In(themes.Key, footKey(x.Binding.Help().Key)).And(themes.Faint, " "+x.Binding.Help().Desc)
			byRank = append(byRank, i)
		}
	}
	slices.SortStableFunc(byRank, func(a, b int) int { return h[a].Rank - h[b].Rank })
	kept := make([]int, 0, len(byRank))
	for _, i := range byRank {
		if n := lines[i].width(w); n <= room {
			kept = append(kept, i)
			room -= n + hintGap
		}
	}
	slices.Sort(kept)
	out, at := make([]laidHint, len(kept)), 1
	for n, i := range kept {
		out[n] = laidHint{h[i].Binding, lines[i], at, lines[i].width(w)}
		at += out[n].w + hintGap
	}
	return out
}

// footKey is the key to name where there is room for one of several: the first,
// or the pair that goes both ways.
func footKey(keys string) string {
	words := strings.Fields(keys)
	switch {
	case len(words) < 2:
		return keys
	case words[0] == "j" && words[1] == "k", words[0] == "h" && words[1] == "l":
		return words[0] + " " + words[1]
	}
	return words[0]
}
