package ui

import (
	"testing"

	"ephemera/ui/uitest"
)

func TestABatchSaysWhatWillWorkNowWhileTheClockPlays(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.ActAs("bob") // who may transfer ape-04 until height 1,110
	d.Filter("ape-04")
	d.Press("space", "P", "b")
	d.SeesIn(uitest.Dialog, "it will work")
	for range 20 {
		d.Wait()
	}
	d.SeesIn(uitest.Clock, "height 1,103", "paused")
	d.Press("enter")
	d.DoesNotSee("refused")
}

func TestABatchIsPreviewedAgainWhenTheChainHasChanged(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Filter("owner:alice")
	d.Press("*", "b")
	d.SeesIn(uitest.Dialog, "all 8 will work")
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.SeesIn(uitest.Dialog, "7 will work", "1 will be refused")
	d.Press("enter")
	d.SeesIn(uitest.Dialog, "7 done, 1 refused")
}

func TestABatchOfOperatorsIsOnlySentByTheirOwners(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("3", "*", "r", "o")
	d.SeesIn(uitest.Dialog, "as their owners", "will work")
	d.DoesNotSeeIn(uitest.Footer, "as the actor")
}
