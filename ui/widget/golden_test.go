package widget

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"ephemera/themes"
	"ephemera/ui/term"
)

var update = flag.Bool("update", false, "write the golden views anew")

// golden compares what a widget shows, without its colours, with a file that was
// looked at.
func golden(t *testing.T, name, view string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	got := ansi.Strip(view) + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestWidgetsLookLikeTheirGoldenViews(t *testing.T) {
	tab := tableWith(Box{60, 8}, []Row{
		tokenRow("ape-0042"), tokenRow("日本の猿"), tokenRow("evil\u202e\x1b[31m"), {Key: "gone", Role: themes.Expired, Cells: []Line{Plain("ape-0045"), Plain("carol"), Plain("○"), Plain("ended 3 blocks ago")}}, tokenRow("👩\u200d🚀"),
	}, tokenColumns()...)
	tab.SortTitle = "TOKEN"
	tab.Update(term.Key("j"))
	tab.Update(term.Key(" "))
	golden(t, "table", tab.View(dark))

	f := approveForm()
	press(f, "b", "down")
	golden(t, "form-offers", Frame(dark, "Approve ape-0042", f.View(dark), Box{64, 16}, HiddenCounts{}))
	press(f, "esc", "enter")
	f.SetError("spender", "spender: no account is named b; give a name or an address that starts with cosmos1")
	f.SetShown("height", true)
	f.SetNotes("height", Styled(themes.Muted, "height 1,110 · in 8 blocks · about 12:00:45 UTC"))
	golden(t, "form-refused", Frame(dark, "Approve ape-0042", f.View(dark), Box{64, 16}, HiddenCounts{}))

	c := NewChooser(Item{"a", "Approve a spender", "on this token", "p", false, ""}, Item{"r", "Revoke an approval", "", "r", false, ""}, Item{"m", "Mint a token", "", "m", false, ""})
	c.Resize(Box{50, 6})
	c.Update(term.Key("a"))
	golden(t, "chooser", c.View(dark))

	s := NewScroll()
	s.Resize(Box{40, 14})
	s.Set(JSONLines(`{"approve":{"spender":"cosmos1spender0000000000000000000000000000000000","token_id":"ape\u202e","expires":{"at_height":1110}},"list":[1,null]}`))
	golden(t, "json", s.View(dark))
}
