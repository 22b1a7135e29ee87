package history_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestAFilterOfALongHistorySearchesAPartAtATimeAndKeepsWhatItFound(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	for range 2010 {
		uitest.Execute1(t, d.Chain, "alice", `{"approve":{"token_id":"ape-01","spender":"$bob"}}`)
	}
	d.To("History")
	d.Press("/")
	d.Held = new([]tea.Msg)
	d.Paste("mint ape-03")
	d.Next()
	d.DoesNotSee("mint ape-03 for")
	d.Next()
	d.SeesIn(uitest.List, "mint ape-03 for")
	d.Held = nil
	d.Press("enter")
	d.Sees("1–1 of 1 ")

	d.Held = new([]tea.Msg)
	d.Press(".")
	for len(*d.Held) > 0 {
		d.Next()
		d.SeesIn(uitest.List, "mint ape-03 for")
	}
	d.Held = nil
	d.Press("esc")
	d.Filter("clock")
	d.Press(".")
	d.SeesIn(uitest.List, "▸ ●", "to 1,104", "1–2 of 2 ")
}

// names gives the chain's snapshots, as name@node.
func names(d *uitest.Driver) (all []string) {
	d.T.Helper()
	err := d.Chain.View(func(v *chain.View) error {
		names, err := v.Snapshots()
		for _, n := range names {
			all = append(all, fmt.Sprintf("%s@%d", n.Name, n.ID))
		}
		return err
	})
	chaintest.OK(d.T, err)
	return all
}

func TestASnapshotIsRenamedAndDeletedWhereItShows(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.To("History")
	d.DoesNotSee("r rename")
	d.Keys("n", "befor", "enter")
	d.Sees("r rename")
	d.Press("?")
	d.Sees("Rename this snapshot", "Delete the name of this snapshot")
	d.Press("esc", "r")
	d.Sees("Rename befor, at #31", "enter rename it")
	d.Press("e", "enter")
	d.Sees("#31 is named before instead of befor", "burn ape-01 [before]")
	d.Press("r")
	d.Keys("ctrl+u", "12", "enter")
	d.Sees("numbers name nodes", "Rename before") // the dialog stays and says why
	d.Press("esc", "D")
	d.SeesIn(uitest.Dialog, "Delete the name “before”", "#31 stays in the history", "Cancel")
	d.Press("enter")
	d.Sees("burn ape-01 [before]") // Cancel is the default
	d.Press("D", "tab", "enter")
	d.Sees("#31 is no longer named before", "burn ape-01")
	d.DoesNotSee("[before]", "r rename")
	if left := names(d); left != nil {
		t.Errorf("left are %q", left)
	}
	d.Press("u")
	d.Sees("undid “burn ape-01”") // undo goes over what happened, and not over names
	d.Fits()
}

func TestOfSeveralNamesOfAMomentOneIsChosen(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.To("History")
	for _, name := range []string{"one", "two"} {
		d.Press("n")
		d.Types(name)
		d.Press("enter")
	}
	d.Keys("r", "two", "enter", "fold", "enter", "D", "one", "enter", "y")
	if left := names(d); len(left) != 1 || left[0] != "twofold@30" {
		t.Errorf("left are %q", left)
	}
}

func TestAKeyThatTheHistoryCannotBeFilteredByIsSaidToBeText(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.To("History")
		d.Keys("/", "owner:bob")
		d.Sees("▲ ", "sender: refused clock")
		d.Press("enter")
		d.Sees("sender: refused clock", "nothing like that happened")
		d.Fits()
		d.Press("/")
		d.Keys("ctrl+u", "sender:bob")
		d.DoesNotSee("▲")
	}
}

func TestWhatHappenedIsCopiedAsOtherToolsTakeIt(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	var copied string
	d.Model.State().Copy = func(text string) error { copied = text; return nil }
	d.Do("alice", `{"send_nft":{"token_id":"ape-01","contract":"$market","msg":"`+base64.StdEncoding.EncodeToString([]byte("it's"))+`"}}`)
	d.To("History")
	self := string(d.Model.State().Config.Self)
	for filter, want := range map[string]string{
		"message as JSON": `{"send_nft":{`, "wasmd execute": "wasmd tx wasm execute " + self + ` '{"send_nft":{`,
		"wasmd query":   "wasmd query wasm contract-state smart " + self + ` '{"all_nft_info":{"token_id":"ape-01"}}'`,
		"scenario step": "at: ", "answer as JSON": `{"attributes":[`,
	} {
		d.Press("y")
		d.Types(filter)
		d.Press("enter")
		if !strings.Contains(copied, want) {
			t.Errorf("%s: copied %q", filter, copied)
		}
	}
	if step := copied; strings.Contains(step, "name:") {
		t.Errorf("a step is no whole scenario: %q", step)
	}
}

func TestAllOfManyBranchesAreListed(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	for range 350 {
		chaintest.Must(d.Chain.Advance(chain.ClockStep{Blocks: 1}))(t)
		chaintest.Must(d.Chain.Undo(1))(t)
	}
	d.ReadAgain()
	d.Press("5", "v")
	d.Sees("of 350", "#380", "1 ahead: redo goes there")
	d.Press("G")
	d.Sees("350 of 350", "#31", "1 ahead")
}

func TestAPrunedHistoryTellsItsTotalAndHowMuchWasForgotten(t *testing.T) {
	for _, size := range uitest.AllSizes {
		c := uitest.Fixture(t)
		d := uitest.On(t, ui.New, c, size[0], size[1])
		d.To("History")
		d.Sees(" of 30 ")
		d.DoesNotSee("forgotten")
		chaintest.Must(c.Prune(12))(t)
		d.ReadAgain()
		d.Sees(" of 12 · 18 forgotten")
		d.Press("G")
		d.Sees("12 of 12 · 18 forgotten")
		d.Keys("/", "dave", "enter")
		d.Sees("1–1 of 1")
		d.Fits()
	}
}

func TestAHistoryThatLostABranchInBetweenTellsItsTotalToo(t *testing.T) {
	c := uitest.Fixture(t)
	d := uitest.On(t, ui.New, c, 120, 36)
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`) // #31
	d.Press("u")
	d.Do("alice", `{"burn":{"token_id":"ape-04"}}`) // #32, on a branch that goes
	chaintest.Must(c.Goto("31"))(t)
	d.Do("alice", `{"burn":{"token_id":"ape-07"}}`)
	chaintest.Must(c.Prune(3))(t)
	d.ReadAgain()
	d.To("History")
	d.Sees("1–2 of 2 · 31 forgotten", "burn ape-01", "burn ape-07")
	d.DoesNotSee("burn ape-04")
	d.Fits()
}

func TestNumbersOfALongHistoryAreReadableWhole(t *testing.T) {
	c := uitest.Fixture(t)
	for range 10_000 {
		chaintest.Must(c.Advance(chain.ClockStep{Blocks: 1}))(t)
	}
	d := uitest.On(t, ui.New, c, 120, 36)
	d.To("History")
	d.SeesIn(uitest.List, "10030", "10029")
	d.Press("G")
	d.Sees("creator   instantiate")
	d.Press("v")
	d.Sees("#10030 clock")
	d.Fits()
}

func TestABoxOfFewerThan120CellsShowsWholeMessagesAndWhatExpiredFirst(t *testing.T) {
	d := uitest.New(t, ui.New, 100, 24)
	d.Do("alice", `{"approve":{"token_id":"ape-01","spender":"$bob","expires":{"at_height":1105}}}`)
	d.Keys("e", "5")
	d.Sees("approve bob for ape-01 until height 1,105", "What expired on the way", "· bob's approval on ape-01 expired")
}
