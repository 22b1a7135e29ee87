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
	hints := h.lay(w)
	return hints.view(th, w) + spaces(w-hints.end())
}

// At gives the key whose hint stands at column x of a line of w cells.
func (h Hints) At(x, w int) (key.Binding, bool) {
	i := h.lay(w).find(x)
	if i < 0 {
		return key.Binding{}, false
	}
	return h[i].Binding, true
}

// lay finds the hints that fit: by rank, each that there still is room for. The
// line starts with a space, as the others of a frame do.
func (h Hints) lay(w int) (out strip) {
	for i, x := range h {
		if help := x.Binding.Help(); x.Binding.Enabled() && help.Key != "" {
			out = append(out, piece{of: i, line: In(themes.Key, footKey(help.Key)).And(themes.Faint, " "+help.Desc)})
		}
	}
	slices.SortStableFunc(out, func(a, b piece) int { return h[a.of].Rank - h[b.of].Rank })
	kept, room := out[:0], w-1
	for _, p := range out {
		if n := p.end(); n <= room {
			kept, room = append(kept, p), room-n-hintGap
		}
	}
	slices.SortFunc(kept, func(a, b piece) int { return a.of - b.of })
	at := 1
	for i := range kept {
		kept[i].at = at
		at = kept[i].end() + hintGap
	}
	return kept
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
