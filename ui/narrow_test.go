package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/ui/uitest"
)

func TestAnExpiredApprovalHasAnotherSignThanALiveOneInEverySize(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, New, size[0], size[1])
		d.Press("j", "j", "j", "j")
		row := func() string {
			for line := range strings.SplitSeq(d.Screen(), "\n") {
				if strings.Contains(line, "ape-04 ") {
					return line[:min(len(line), 80)]
				}
			}
			return ""
		}
		if line := row(); !strings.Contains(line, "●") || strings.Contains(line, "○") {
			t.Errorf("at %d columns the approval is not shown as live: %q", size[0], line)
		}

		d.Press("e")
		if line := row(); !strings.Contains(line, "○") || strings.Contains(line, "●") {
			t.Errorf("at %d columns the approval is not shown as ended: %q", size[0], line)
		}
		d.Fits()
	}
}

func TestTheListsOfGrantsShowTheirTotalInEverySize(t *testing.T) {
	c := uitest.Fixture(t)
	for i := range 30 {
		chaintest.Must(c.AddAccount(fmt.Sprintf("alice%d", i), "", chain.ReceiverDefault))(t)
		uitest.Execute1(t, c, "alice", fmt.Sprintf(`{"approve":{"token_id":"ape-01","spender":"$alice%d"}}`, i))
		uitest.Execute1(t, c, "alice", fmt.Sprintf(`{"approve_all":{"operator":"$alice%d"}}`, i))
	}
	for _, size := range uitest.AllSizes {
		d := uitest.On(t, New, c, size[0], size[1])
		d.Press("2")
		d.Sees("of 32 ")

		d.Press("G")
		d.Sees("–32 of 32 ")

		d.Press("3")
		d.Sees("of 32 ")
		d.Fits()
	}
}

func TestTabsKeepTheirPlacesAtEightyColumns(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	was := strings.TrimSpace(strings.Join(strings.Fields(d.Line(1)), " "))
	at := strings.Index(d.Line(1), "8 ")
	for _, key := range []string{"2", "3", "4", "5", "6", "7", "8"} {
		d.Press(key)
		if now := d.Line(1); strings.Index(now, "8 ") != at || strings.TrimSpace(strings.Join(strings.Fields(now), " ")) != was {
			t.Fatalf("the tabs were %q and are %q", was, now)
		}
	}
}

func TestTheSignOfAGrantThatOutlivesItsExpiryIsNeverCut(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, New, size[0], size[1])
		d.Press("3")
		d.Sees("in 39m 55s →")
		d.Fits()
	}
}

func TestActAsStaysInTheFooterLongerThanTheThirdKeyOfAScreen(t *testing.T) {
	d := uitest.New(t, New, minWidth, 24)
	for w := minWidth; w < 120; w++ {
		d.Send(tea.WindowSizeMsg{Width: w, Height: 24})
		if keys := d.Line(23); strings.Contains(keys, "r revoke") && !strings.Contains(keys, "a act as") {
			t.Errorf("at %d columns: %s", w, keys)
		}
	}
}

func TestAWideFooterShowsWhyAndWhoCan(t *testing.T) {
	d := uitest.New(t, New, 144, 36)
	for _, screen := range []string{"Tokens", "Approvals", "Operators"} {
		d.To(screen)
		if keys := d.Line(35); !strings.Contains(keys, "w why  W who can  ") {
			t.Errorf("%s: %s", screen, keys)
		}
	}
}
