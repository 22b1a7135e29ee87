package inspect_test

import (
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestALapsedOfferOrAGrantToOneselfGivesNoWayToTransfer(t *testing.T) {
	for danger, given := range map[string][2]string{
		"lapsed offer": {"minter", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$carol","expiry":{"at_height":1103}}}}`},
		"to oneself":   {"alice", `{"approve":{"token_id":"ape-01","spender":"$alice"}}`},
	} {
		d := uitest.New(t, ui.New, 80, 24)
		d.Do("alice", `{"revoke_all":{"operator":"$dave"}}`)
		d.Do("bob", `{"revoke_all":{"operator":"$erin"}}`)
		d.Do(given[0], given[1])
		d.Press(".", "v", "down", "enter")
		d.Sees(danger, "1–1 of 1")
		d.DoesNotSee("can still transfer")
	}
}

func TestDanglingSaysThatTheHistoryLacksMessages(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.Do("bob", `{"revoke_all":{"operator":"$erin"}}`)
	chaintest.Must(d.Chain.Prune(1))(t)
	d.Press(".", "v", "down", "enter")
	d.Sees("▲ ?", "not known", "the messages before #", "are not in the history")
	d.DoesNotSee("there are no dangling grants")
}

func TestDanglingGrantsAreSortedByHarmAndOfferOnlyWhatCanBeDone(t *testing.T) {
	d := uitest.On(t, ui.New, uitest.Crowded(t), 120, 36)
	d.Press("v", "down", "enter")
	var harms []string
	for line := range strings.SplitSeq(d.Screen(), "\n") {
		for _, harm := range []string{"✗ high", "▲ some", "· none"} {
			if strings.Contains(line, harm+" ") {
				harms = append(harms, harm)
			}
		}
	}
	if got := strings.Join(harms, " "); got != strings.Repeat("✗ high ", 10)+"▲ some · none · none" {
		t.Errorf("the harms are %s\n%s", got, d.Screen())
	}
	sawWithoutMessage := false
	for range harms {
		d.SeesIn(uitest.Footer, "esc close", "/ filter")
		screen := d.Screen()
		footer := uitest.Footer(strings.Split(screen, "\n"))
		canRevoke := strings.Contains(screen, "enter removes it, as ")
		if canRevoke != strings.Contains(footer, "enter remove it") {
			t.Errorf("it can be revoked: %t, and the keys are %s\n%s", canRevoke, footer, screen)
		}
		sawWithoutMessage = sawWithoutMessage || strings.Contains(screen, "no single message removes it")
		d.Press("j")
	}
	if !sawWithoutMessage {
		t.Error("the lapsed offer can be taken away")
	}
}

func TestListsInDialogsAreFiltered(t *testing.T) {
	d := uitest.On(t, ui.New, uitest.Crowded(t), 120, 36)
	d.Keys("v", "down", "enter", "/", "market", "enter")
	d.Sees("1–1 of 1", "carol → market (operator)", "/ market")
	d.Press("esc")
	d.Sees("1–13 of 13")
	d.Press("esc")
	d.DoesNotSee("Dangling grants")

	d.Keys("S", "s", "/", "royalty", "enter")
	d.Sees("Raw storage", "/ royalty", "collection_info")
	d.DoesNotSee("tokens / ape-0002")
	d.Press("esc", "esc")
	d.DoesNotSee("Raw storage")

	d.Click("◗", 0)
	d.Keys("/", "nobody-has-this-name", "enter")
	d.Sees("no grant is left here")
	d.Press("esc")
	d.Sees("ape-0007 → bob")
}
