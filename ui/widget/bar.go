package widget

import (
	"strings"

	"ephemera/themes"
)

// Bar is a bar of w cells of which a part between 0 and 1 is full: no cell for 0
// alone, and all of them for 1 alone.
func Bar(w int, part float64, role themes.Role) Line {
	if w <= 0 {
		return nil
	}
	full := 0
	switch {
	case part >= 1:
		full = w
	case part > 0:
		full = clamp(int(part*float64(w)), 1, max(1, w-1))
	}
	return In(role, strings.Repeat(themes.GlyphFull, full)).
		And(themes.BarEmpty, strings.Repeat(themes.GlyphEmpty, w-full))
}
