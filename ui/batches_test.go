package ui

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"ephemera/core/kv/kvtest"
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

func TestWhatABatchSaysWillWorkIsExactlyWhatIsDone(t *testing.T) {
	skipInShort(t)
	number := regexp.MustCompile(`(\d+) (?:will work|done)|(it) will work|(\d+) (?:will be )?refused|(it) will be refused`)
	// counts returns how many messages work and how many are refused.
	counts := func(text string) (works, refused string) {
		for _, match := range number.FindAllStringSubmatch(text, -1) {
			switch {
			case match[1] != "":
				works = match[1]
			case match[2] != "":
				works = "1"
			case match[3] != "":
				refused = match[3]
			default:
				refused = "1"
			}
		}
		return works, refused
	}
	mixed := 0
	seeds := kvtest.Many(16)
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 10))
		pick := func(texts ...string) string { return texts[rng.IntN(len(texts))] }
		d := uitest.On(t, New, uitest.Crowded(t), 160, 60)
		d.ActAs(pick("alice", "bob", "carol", "dave", "erin"))
		d.Press(strings.Fields(pick("1", "1", "2", "3"))...)
		d.Press(strings.Fields(pick("j", "e", "e e", "E"))...)
		d.Press(strings.Fields(pick("*", "space j j j V", "space j space j j space"))...)
		d.Keys(strings.Fields(pick("r", "b", "t carol enter", "p erin enter"))...)
		if top := root(d).dialogs.top(); top == nil {
			continue // Approvals and Operators have only r
		}
		d.Press(strings.Fields(pick("o", "o o", "pgdown"))...)
		previewed := uitest.Dialog(strings.Split(d.Screen(), "\n"))
		works, refused := counts(previewed)
		if works == "" {
			continue // nothing can be sent
		}
		if refused != "" {
			mixed++
		}
		d.Press("enter")
		done, notDone := counts(d.Screen())
		if works != done || refused != notDone {
			t.Errorf("seed %d: %s and %s became %s and %s:\n%s\n%s", seed, works, refused, done, notDone, previewed, d.Screen())
		}
	}
	if mixed < seeds/8 {
		t.Errorf("only %d batches were mixed", mixed)
	}
}
