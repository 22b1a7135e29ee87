package inspect_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestRawStorageShowsWhatIsUnderTheCursorOrAllOfIt(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 36}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press("S")
		d.Sees("Raw storage", "1–2 of 2", "token ape-01  s all records", "tokens / ape-01", "tokens__owner / alice / ape-01")
		d.Fits()
		d.Press("s")
		d.Sees("all records")
		d.Press("G")
		d.Sees("num_tokens")
		d.Fits()
		d.Press("esc", "8", "S") // alice, who owns tokens and named an operator
		d.Press("G", "k", "k", "k", "k", "k", "k", "k", "k")
		d.Sees("operators / alice / dave")
	}
}

func TestRawStorageFindsTheRecordsOfATokenAmongMany(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	for i := range 1500 {
		uitest.Execute1(t, d.Chain, "minter", fmt.Sprintf(`{"mint":{"token_id":"%04d","owner":"$bob"}}`, i))
	}
	d.ReadAgain()
	d.Press("G", "S")
	d.Sees("Raw storage · 1–2 of 2", "tokens / ape-24", "tokens__owner / carol / ape-24")
}

func TestRawStorageShowsARecordAsItIsAndCopiesIt(t *testing.T) {
	copied := ""
	d := uitest.New(t, ui.New, 120, 36)
	d.Given(func(st *app.State) { st.Copy = func(s string) error { copied = s; return nil } })
	d.Press("S")
	d.Sees("0006746F6B656E736170652D3031", `"owner": "`)
	d.Press("y")
	if !strings.HasPrefix(copied, "0006746F6B656E736170652D3031\n{\"owner\"") {
		t.Errorf("copied %q", copied)
	}
	d.Press("tab", "esc", "esc")
	d.DoesNotSee("Raw storage")
}
