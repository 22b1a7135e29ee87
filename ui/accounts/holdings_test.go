package accounts

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ephemera/core/chain/chaintest"
	"ephemera/themes"
	"ephemera/ui/widget"
)

func TestTheHoldingsAreWholeHoweverManyTheyAre(t *testing.T) {
	a := New()
	a.Resize(widget.Box{W: 80, H: 20})
	req, _ := a.Panes.Table.NextRequest()
	columns := accountFacts{tokenCount: 1234567}.columns("", false)
	a.Panes.Table.Set(widget.WholePage(req, []widget.Row{{Cells: widget.Cells(columns)}}))
	palette := chaintest.Must(themes.Lookup("dark", themes.DarkBackground))(t)
	view := ansi.Strip(a.Panes.Table.View(themes.New(palette, themes.Options{})))
	for _, want := range []string{"1,234,567", "OWNS  APPROVED"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is cut:\n%s", want, view)
		}
	}
}
