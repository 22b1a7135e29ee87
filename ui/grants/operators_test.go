package grants_test

import (
	"strings"
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestStoriesOfGrants(t *testing.T) { uitest.Stories(t, ui.New) }

func TestOperatorsAreListedWithTheirEndsAndTheTokensTheyReach(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("carol", `{"approve_all":{"operator":"$bob","expires":{"at_height":1103}}}`)
	d.Press("3")
	if got := strings.Join(column(d, "OPERATOR"), " "); got != "bob erin dave" {
		t.Fatalf("by end: %s\n%s", got, d.Screen())
	}
	d.Sees("in 1 block", "in 39m 55s", "never expires", "1–3 of 3")

	d.Press(".")
	if got := strings.Join(column(d, "OPERATOR"), " "); got != "erin dave bob" {
		t.Fatalf("after one ended: %s\n%s", got, d.Screen())
	}
	d.Sees("○  bob", "expired in this block")

	d.Press("s")
	d.Sees("by risk")

	d.Press("s")
	d.Sees("by owner", "ACTS FOR ▴")

	d.Press("s")
	d.Sees("by operator", "OPERATOR ▴")

	d.Keys("/", "owner:alice", "enter")
	d.SeesIn(uitest.List, "/ owner:alice", "dave", "1–1 of 1")
	d.DoesNotSee("●  erin")
}
