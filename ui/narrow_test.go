package ui

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/ui/uitest"
)

func TestAnApprovalThatHasJustEndedIsToldFromALiveOneInEveryWidth(t *testing.T) {
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

func TestANarrowListCountsLiveAndEndedGrantsOfAToken(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Do("alice", `{"approve":{"token_id":"ape-04","spender":"$carol"}}`)
	d.Do("alice", `{"approve":{"token_id":"ape-04","spender":"$dave"}}`)
	d.Sees("●3 bob in 8 blocks")
	d.Press("e")
	d.Sees("●2○ ")
}

func TestTheListsOfGrantsTellHowManyThereAreInEverySize(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, New, size[0], size[1])
		for i := range 30 {
			if _, err := d.Chain.AddAccount(fmt.Sprintf("alice%d", i), "", chain.ReceiverDefault); err != nil {
				t.Fatal(err)
			}
			d.Do("alice", fmt.Sprintf(`{"approve":{"token_id":"ape-01","spender":"$alice%d"}}`, i))
			d.Do("alice", fmt.Sprintf(`{"approve_all":{"operator":"$alice%d"}}`, i))
		}
		d.Press("2")
		d.Sees("of 32 ")
		d.Press("G")
		d.Sees("–32 of 32 ")
		d.Press("3")
		d.Sees("of 32 ")
		d.Fits()
	}
}

func TestInALowTerminalTheListHasTheBoxUntilTheDetailIsAskedFor(t *testing.T) {
	d := uitest.New(t, New, 40, 12)
	d.Sees("ape-04")
	d.Press("enter")
	d.Sees("owned by alice", "Approvals", "esc")
	d.Fits()
	d.Press("esc")
	d.DoesNotSee("owned by alice")
	d.Press("8", "tab")
	d.Sees("owns 8 tokens")
	d.Press("tab")
	d.Sees("NAME", "bob")
	d.Fits()
}
