package themes

import (
	"fmt"
	"strings"
)

// Palette is a set of colours, each as "#rrggbb", for the roles that a text can have.
// [New] makes the styles of a theme from it.
//
// The contrast of each text role with Background must be 4.5:1 (WCAG), and so must that of
// SelectText with SelectBack and of Text with IdleBack. A test checks every built-in
// palette.
type Palette struct {
	Name             string // as --theme takes it
	Description      string // one line for the theme picker
	Dark             bool   // light text on a dark ground
	PaintsBackground bool   // the palette's background is painted whatever the terminal's is

	Background string
	Text       string // what is read
	Muted      string // what is read second: labels, units
	Faint      string // what is looked up: hints, placeholders
	Accent     string // titles, keys, the focused thing
	Accent2    string // a second voice: numbers, matches
	Good       string
	Warn       string
	Bad        string
	Live       string // a grant in force
	Expired    string // a grant that has expired
	SelectText string // the text of the row under the cursor
	SelectBack string // the background of the row under the cursor
	IdleBack   string // the background of that row in a pane without the focus; its text is Text
	Border     string
	Bar        string // what is left of a countdown
	BarEmpty   string // what is used up

	// Sixteen has the colours for terminals with sixteen colours, by their numbers. A
	// missing role has the terminal's text colour.
	Sixteen map[Role]int
}

// Auto is the name for dark or light, by the terminal's background.
const Auto = "auto"

// Names returns the names of the built-in palettes in the order of the theme picker,
// without [Auto].
func Names() []string {
	names := make([]string, len(builtin))
	for i, p := range builtin {
		names[i] = p.Name
	}
	return names
}

// Lookup returns a built-in palette by its name. [Auto] and "" are light on a terminal that
// is known to be light, and dark on any other. For an unknown name the error lists the
// known ones.
func Lookup(name string, terminal Background) (Palette, error) {
	if name == "" || name == Auto {
		name = "dark"
		if terminal == LightBackground {
			name = "light"
		}
	}
	for _, p := range builtin {
		if p.Name == name {
			return p, nil
		}
	}
	return Palette{}, fmt.Errorf("there is no theme %q: choose %s or %s", name, Auto, strings.Join(Names(), ", "))
}

// The colours of terminals with sixteen colours, by role. Yellow cannot be read on a light
// background, so a warning has the text colour there, and its glyph distinguishes it.
var (
	sixteenDark = map[Role]int{
		Title: 14, Accent: 14, Accent2: 13, Key: 14, Match: 13, Focus: 14,
		Good: 10, Warn: 11, Bad: 9, Live: 10, Bar: 10,
	}
	sixteenLight = map[Role]int{
		Title: 4, Accent: 4, Accent2: 5, Key: 4, Match: 5, Focus: 4,
		Good: 2, Bad: 1, Live: 2, Bar: 2,
	}
	// Blue and yellow differ for people who cannot distinguish red and green.
	sixteenSafe = map[Role]int{
		Title: 14, Accent: 14, Accent2: 13, Key: 14, Match: 13, Focus: 14,
		Good: 12, Warn: 11, Bad: 11, Live: 12, Bar: 12,
	}
	sixteenSafeLight = map[Role]int{
		Title: 4, Accent: 4, Accent2: 5, Key: 4, Match: 5, Focus: 4,
		Good: 4, Bad: 1, Live: 4, Bar: 4,
	}
)

var builtin = []Palette{
	{
		Name: "dark", Description: "calm colours, dark", Dark: true, Sixteen: sixteenDark,
		Background: "#1a1b26", Text: "#d5d9e6", Muted: "#a3a9c0", Faint: "#8d94ad",
		Accent: "#7dc4f5", Accent2: "#c3a6f5", Good: "#8fd07f", Warn: "#e8b866", Bad: "#f58a97",
		Live: "#7fd6a8", Expired: "#9197ab", SelectText: "#ffffff", SelectBack: "#34508a", IdleBack: "#2e303a",
		Border: "#4a4f69", Bar: "#5fb892", BarEmpty: "#5c6280",
	},
	{
		Name: "light", Description: "calm colours, light", Sixteen: sixteenLight,
		Background: "#fafafa", Text: "#1f2430", Muted: "#4b5163", Faint: "#5f6577",
		Accent: "#05589c", Accent2: "#6f3fb5", Good: "#27691f", Warn: "#80500a", Bad: "#a8202f",
		Live: "#0c6844", Expired: "#5c6170", SelectText: "#ffffff", SelectBack: "#2a5fae", IdleBack: "#e0e3e8",
		Border: "#b4b9c6", Bar: "#1f8a5c", BarEmpty: "#8b92a3",
	},
	{
		Name: "high-contrast", Description: "black, strongest contrast", Dark: true, PaintsBackground: true, Sixteen: sixteenDark,
		Background: "#000000", Text: "#ffffff", Muted: "#e6e6e6", Faint: "#c8c8c8",
		Accent: "#62e5ff", Accent2: "#ffb3ff", Good: "#7dff7d", Warn: "#ffe14d", Bad: "#ff9c9c",
		Live: "#7dff7d", Expired: "#d0d0d0", SelectText: "#000000", SelectBack: "#ffe14d", IdleBack: "#333333",
		Border: "#ffffff", Bar: "#7dff7d", BarEmpty: "#a0a0a0",
	},
	{
		Name: "high-contrast-light", Description: "white, strongest contrast", PaintsBackground: true, Sixteen: sixteenLight,
		Background: "#ffffff", Text: "#000000", Muted: "#1c1c1c", Faint: "#333333",
		Accent: "#003a8c", Accent2: "#5b0a7a", Good: "#004d12", Warn: "#5c3300", Bad: "#8a0010",
		Live: "#004d12", Expired: "#303030", SelectText: "#ffffff", SelectBack: "#000000", IdleBack: "#d9d9d9",
		Border: "#000000", Bar: "#00591a", BarEmpty: "#707070",
	},
	{
		Name: "colour-blind", Description: "blue and orange, no red-green", Dark: true, PaintsBackground: true, Sixteen: sixteenSafe,
		Background: "#15181f", Text: "#e4e7ec", Muted: "#b3bac6", Faint: "#939baa",
		Accent: "#8fd3ff", Accent2: "#f0c4e0", Good: "#6db8ff", Warn: "#f2e05c", Bad: "#ff9d4d",
		Live: "#6db8ff", Expired: "#a8a294", SelectText: "#ffffff", SelectBack: "#2c5282", IdleBack: "#2b2d33",
		Border: "#4c5566", Bar: "#4f9fe8", BarEmpty: "#5d6675",
	},
	{
		Name: "colour-blind-light", Description: "the same, light", PaintsBackground: true, Sixteen: sixteenSafeLight,
		Background: "#fcfcfa", Text: "#1d2128", Muted: "#474e5a", Faint: "#5b6270",
		Accent: "#00558f", Accent2: "#7a2b63", Good: "#0058b3", Warn: "#6b5900", Bad: "#a14100",
		Live: "#0058b3", Expired: "#635d50", SelectText: "#ffffff", SelectBack: "#1f5c99", IdleBack: "#dfe4ea",
		Border: "#b5bac2", Bar: "#1a75cc", BarEmpty: "#8d939d",
	},
	{
		Name: "nord", Description: "cold blues of the north", Dark: true, PaintsBackground: true, Sixteen: sixteenDark,
		Background: "#31343c", Text: "#e5e9f0", Muted: "#c0c8d6", Faint: "#a7b1c4",
		Accent: "#8fd0dd", Accent2: "#d0b3cf", Good: "#b0cf97", Warn: "#ebcb8b", Bad: "#efa0a8",
		Live: "#a8d49a", Expired: "#adb5c4", SelectText: "#ffffff", SelectBack: "#47669c", IdleBack: "#414a5c",
		Border: "#5b677e", Bar: "#8fbcbb", BarEmpty: "#727d93",
	},
	{
		Name: "solarised", Description: "the warm classic, dark", Dark: true, PaintsBackground: true, Sixteen: sixteenDark,
		Background: "#002b36", Text: "#dbe3da", Muted: "#a9b8b8", Faint: "#8fa3a5",
		Accent: "#5db5ee", Accent2: "#a3a7ec", Good: "#a5b82a", Warn: "#dba92c", Bad: "#f5897f",
		Live: "#4fbfb2", Expired: "#93a5a6", SelectText: "#ffffff", SelectBack: "#1b5f80", IdleBack: "#0d3e4b",
		Border: "#3f646e", Bar: "#2aa198", BarEmpty: "#56777f",
	},
	{
		Name: "solarised-light", Description: "the warm classic, light", PaintsBackground: true, Sixteen: sixteenLight,
		Background: "#fdf6e3", Text: "#24393f", Muted: "#47595f", Faint: "#566a71",
		Accent: "#1a609c", Accent2: "#5257a8", Good: "#526000", Warn: "#7d5800", Bad: "#ad2320",
		Live: "#0d6860", Expired: "#5d6a6c", SelectText: "#ffffff", SelectBack: "#2a6599", IdleBack: "#e8e2cd",
		Border: "#bcb9a5", Bar: "#1b8a81", BarEmpty: "#8f9a94",
	},
	{
		Name: "amber", Description: "one warm colour, as of old", Dark: true, PaintsBackground: true,
		Background: "#120b00", Text: "#ffc04d", Muted: "#d99b33", Faint: "#b8832b",
		Accent: "#ffd98a", Accent2: "#ffe7b8", Good: "#ffd27a", Warn: "#ffe3a3", Bad: "#ffb08a",
		Live: "#ffcf66", Expired: "#b0854a", SelectText: "#120b00", SelectBack: "#ffb42e", IdleBack: "#3a2600",
		Border: "#6b4a12", Bar: "#f0a52a", BarEmpty: "#7a5a22",
	},
	{
		Name: "mono", Description: "greys only", Dark: true, PaintsBackground: true,
		Background: "#161616", Text: "#e2e2e2", Muted: "#b4b4b4", Faint: "#979797",
		Accent: "#ffffff", Accent2: "#d6d6d6", Good: "#f0f0f0", Warn: "#e8e8e8", Bad: "#ffffff",
		Live: "#f0f0f0", Expired: "#9c9c9c", SelectText: "#111111", SelectBack: "#d8d8d8", IdleBack: "#303030",
		Border: "#565656", Bar: "#c8c8c8", BarEmpty: "#686868",
	},
}
