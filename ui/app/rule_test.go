package app

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"ephemera/themes"
)

func TestTheRuleBesideThePaneWithTheFocusIsBrighter(t *testing.T) {
	p, err := themes.Lookup("dark", themes.DarkBackground)
	if err != nil {
		t.Fatal(err)
	}
	st := &State{Options: Options{Theme: themes.New(p, themes.Options{Profile: termenv.TrueColor, Terminal: themes.DarkBackground})}}
	for focus, role := range map[bool]themes.Role{true: themes.Focus, false: themes.Border} {
		if across := RuleAcross(st, 2, focus); across != st.Theme.Render(role, "──") {
			t.Errorf("with focus %t the rule across is %q", focus, across)
		}
		if down := RuleDown(st, 1, focus); !strings.Contains(down, st.Theme.Render(role, themes.GlyphSide)) {
			t.Errorf("with focus %t the rule down is %q", focus, down)
		}
	}
}
