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

// Least is how many cells the two hints take that stay longest.
func (h Hints) Least() (n int) {
	byRank := slices.Clone(h)
	slices.SortStableFunc(byRank, func(a, b Hint) int { return a.Rank - b.Rank })
	for _, x := range byRank[:min(2, len(byRank))] {
		n += hintGap + Width(footKey(x.Binding.Help().Key)) + 1 + Width(x.Binding.Help().Desc)
	}
	return n
}

// View draws the line in w cells, with a text at its right end, which the hints
// leave its room.
func (h Hints) View(th *themes.Theme, w int, right Line) string {
	var b strings.Builder
	used := 0
	for _, p := range h.lay(w, right) {
		b.WriteString(spaces(p.at-used) + p.line.Render(th))
		used = p.at + p.w
	}
	if right.width(w) == 0 {
		return b.String() + spaces(w-used)
	}
	if used > 0 {
		b.WriteString(spaces(min(hintGap, w-used)))
		used = min(used+hintGap, w)
	}
	return b.String() + right.FitRight(th, w-used)
}

// At gives the key whose hint stands at column x of a line of w cells.
func (h Hints) At(x, w int, right Line) (key.Binding, bool) {
	for _, p := range h.lay(w, right) {
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
func (h Hints) lay(w int, right Line) []laidHint {
	room := w - 1
	if tail := right.width(w); tail > 0 {
		room -= tail + hintGap
	}
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
	case words[0] == "j" && words[1] == "k":
		return "j k"
	}
	return words[0]
}
