package ptytest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Style is how a cell of a screen looks. The colours are the parameters that set them,
// such as 38;2;250;250;250, and empty for those of the terminal.
type Style struct {
	Foreground, Background string
	attributes             [10]bool // bold, italic and so on, by the parameter that sets them
}

// after is the style after a sequence that ends in m, given its parameters.
func (s Style) after(params string) Style {
	rest := strings.Split(params, ";")
	for len(rest) > 0 {
		used := 1
		code, _ := strconv.Atoi(rest[0]) // an empty parameter means 0
		switch {
		case code == 0:
			s = Style{}
		case code < 10:
			s.attributes[code] = true
		case code == 22: // neither bold nor faint
			s.attributes[1], s.attributes[2] = false, false
		case code > 22 && code < 30:
			s.attributes[code-20] = false
		case code == 38 || code == 48:
			used = min(colourLength(rest), len(rest))
			colour := strings.Join(rest[:used], ";")
			if code == 38 {
				s.Foreground = colour
			} else {
				s.Background = colour
			}
		case code == 39:
			s.Foreground = ""
		case code == 49:
			s.Background = ""
		case code >= 30 && code < 38, code >= 90 && code < 98:
			s.Foreground = rest[0]
		case code >= 40 && code < 48, code >= 100 && code < 108:
			s.Background = rest[0]
		}
		rest = rest[used:]
	}
	return s
}

// colourLength is how many parameters a colour takes that begins with 38 or 48: three as a
// number of the palette, five as red, green and blue.
func colourLength(params []string) int {
	if slices.Contains(params[1:min(2, len(params))], "5") {
		return 3
	}
	return 5
}

// String is empty in brackets for the style of an empty screen.
func (s Style) String() string {
	var set []string
	for code, isSet := range s.attributes {
		if isSet {
			set = append(set, strconv.Itoa(code))
		}
	}
	for _, colour := range []string{s.Foreground, s.Background} {
		if colour != "" {
			set = append(set, colour)
		}
	}
	return fmt.Sprintf("[%s]", strings.Join(set, " "))
}
