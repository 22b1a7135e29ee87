package ui

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
)

func TestAnApprovalThatHasJustEndedIsToldFromALiveOneInEveryWidth(t *testing.T) {
	for _, size := range allSizes {
		d := newDrive(t, New, size[0], size[1])
		d.press("j", "j", "j", "j")
		row := func() string {
			for line := range strings.SplitSeq(d.screen(), "\n") {
				if strings.Contains(line, "ape-04 ") {
					return line[:min(len(line), 80)]
				}
			}
			return ""
		}
		if line := row(); !strings.Contains(line, "●") || strings.Contains(line, "○") {
			t.Errorf("at %d columns the approval is not shown as live: %q", size[0], line)
		}
		d.press("e")
		if line := row(); !strings.Contains(line, "○") || strings.Contains(line, "●") {
			t.Errorf("at %d columns the approval is not shown as ended: %q", size[0], line)
		}
		d.fits()
	}
}

func TestANarrowListCountsLiveAndEndedGrantsOfAToken(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.do("alice", `{"approve":{"token_id":"ape-04","spender":"$carol"}}`)
	d.do("alice", `{"approve":{"token_id":"ape-04","spender":"$dave"}}`)
	d.sees("●3 bob in 8 blocks")
	d.press("e")
	d.sees("●2○ ")
}

func TestTheListsOfGrantsTellHowManyThereAreInEverySize(t *testing.T) {
	for _, size := range allSizes {
		d := newDrive(t, New, size[0], size[1])
		for i := range 30 {
			if _, err := d.chain.AddAccount(fmt.Sprintf("alice%d", i), "", chain.ReceiverDefault); err != nil {
				t.Fatal(err)
			}
			d.do("alice", fmt.Sprintf(`{"approve":{"token_id":"ape-01","spender":"$alice%d"}}`, i))
			d.do("alice", fmt.Sprintf(`{"approve_all":{"operator":"$alice%d"}}`, i))
		}
		d.press("2")
		d.sees("of 32 ")
		d.press("G")
		d.sees("–32 of 32 ")
		d.press("3")
		d.sees("of 32 ")
		d.fits()
	}
}

func TestInALowTerminalTheListHasTheBoxUntilTheDetailIsAskedFor(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.sees("ape-04")
	d.press("enter")
	d.sees("owned by alice", "Approvals", "esc")
	d.fits()
	d.press("esc")
	d.doesNotSee("owned by alice")
	d.press("8", "tab")
	d.sees("owns 8 tokens")
	d.press("tab")
	d.sees("NAME", "bob")
	d.fits()
}
