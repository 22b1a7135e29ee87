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

func TestTheHistoryShowsWhatHappenedTheLatestFirst(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 50)
	d.Do("alice", `{"approve":{"token_id":"ape-01","spender":"$bob","expires":{"at_height":1104}}}`)
	d.Press(".", ".")
	d.ActAs("bob")
	d.Keys("t", "carol", "enter", "esc")
	d.To("History")
	d.SeesIn(uitest.List, "transfer ape-01 → carol         ✗")
	d.Sees("refused (contract): Caller is not the contract's",
		"clock +1 block to 1,104", "approve bob for ape-01 until", "the chain stands here")
	d.Press("j", "j", "j")
	d.Sees("carried out", `"spender": "`, "What it changed", `bob gets an approval on "ape-01", until`, "enter goes there: undoes 3 steps",
		"How things stood after it", "24 tokens · height 1,102", "ape-01 owned by alice", "● bob in 2 blocks",
		"spender      bob")
	d.Press("tab", "G")
	d.Sees("In bytes", "tokens / ape-01", "0006746F6B656E736170652D3031")
	d.Fits()
}

func TestGoingToAMomentAndBackLosesNothing(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.Do("alice", `{"burn":{"token_id":"ape-04"}}`)
	d.To("History")
	d.Press("j", "j", "enter")
	d.Sees("24 tokens", "went to #")
	d.Press("g")
	d.Sees("undone; redo leads here", "does 2 steps again")
	d.Press("enter")
	d.Sees("22 tokens", "the chain stands here")
}

func TestAMomentIsNamedOnceAndFoundByItsName(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.To("History")
	d.Keys("n", "before the sale", "enter")
	d.Sees("is named before the sale", "[before the sale]")
	d.Keys("j", "n", "before the sale", "enter")
	d.Sees("before the sale", "Name #") // the dialog stays and says why
	d.Keys("esc", "/", "sale", "enter")
	d.Sees("burn ape-01 [before the sale]")
	d.DoesNotSee("mint ape-02")
	d.Fits()
}

func TestAFilterOfALongHistorySearchesAPartAtATimeAndKeepsWhatItFound(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	for range 2010 {
		uitest.Execute1(t, d.Chain, "alice", `{"approve":{"token_id":"ape-01","spender":"$bob"}}`)
	}
	d.To("History")
	d.Keys("/", "mint ape-0")
	d.Held = new([]tea.Msg)
	d.Types("3")
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
	d.Sees("Rename this snapshot", "Delete this snapshot, its name alone")
	d.Press("esc", "r")
	d.Sees("Rename befor, at #31", "enter rename it")
	d.Press("e", "enter")
	d.Sees("#31 is named before now, and not befor", "burn ape-01 [before]")
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

func TestTheFilterNarrowsBySenderRefusalAndText(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.ActAs("carol")
	d.Keys("t", "bob", "enter", "esc", ".")
	d.To("History")
	d.Keys("/", "refused sender:carol", "enter")
	d.Sees("transfer ape-01 → bob")
	d.DoesNotSee("approve bob", "clock +1 block to")
	d.Press("/")
	d.Keys("ctrl+u", "nobody did this")
	d.Sees("nothing like that happened")
	d.Press("esc")
	d.Sees("clock +1 block")
	d.Fits()
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

func TestBranchesAreListedComparedAndEntered(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.Press("u")
	d.Do("alice", `{"transfer_nft":{"token_id":"ape-01","recipient":"$bob"}}`)
	d.To("History")
	d.Sees("transfer ape-01 → bob")
	d.Press("j")
	d.Sees("on another branch", "undoes 1 step, then does 1 step")
	d.Press("v")
	d.Sees("Branches", "the chain stands here", "1 of its own, off #", "with burn ape-01", "  nothing")
	d.Press("j")
	d.Sees(`token "ape-01" is gone`)
	d.Keys("n", "burned", "enter")
	d.Sees("[burned]")
	d.Keys("r", " again", "enter")
	d.Sees("[burned again]")
	d.Press("D", "y")
	d.DoesNotSee("[burned")
	d.Press("D")
	d.Sees("has no name: n gives it one")
	d.Keys("n", "burned", "enter", "c", "k")
	d.Sees("compared with", `token "ape-01" is new, owned by bob`)
	d.Press("j", "enter", "esc")
	d.Sees("23 tokens", "[burned]")
	d.Fits()
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

func TestTheHistoryOfALowTerminalShowsManyRowsAndTheDetailInTurn(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.To("History")
	d.Sees("burn ape-01", "offer the m", "make dave a", "/ filter")
	d.Press("tab")
	d.Sees("burn ape-01", "the chain stands here", "carried out")
	d.DoesNotSee("/ filter")
	d.Press("esc")
	d.Sees("/ filter", "make dave a")
	d.Click("make dave a", 0)
	d.Sees("▸ │     1,102  alice     make dave")
	d.Fits()
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

func TestLargeHeightsAreWholeInTheHistory(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("T", "h123456789012", "tab", "tab", "space", "enter", ".", "5") // the time cannot move as far
	d.Sees("  123,456,789,012            clock +1 block", "    1,102  minter")
}

func TestHistoryFollowsTheNewestWhereTheCursorWasOnIt(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("History")
	d.Press("1", ".", ".")
	d.To("History")
	d.Sees("▸ ●")
	d.Press("j", ".")
	d.DoesNotSee("▸ ●") // the person chose another row
}

func TestAForkIsDrawnAsOneAndRedoIsPromisedOnlyWhereItGoes(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("b", "enter", "u", ".", "u", ">", "u") // three ways from here
	d.To("History")
	d.Press("g")
	d.Sees("▸ ├─", "undone; redo leads here", "enter goes there: does 1 step again")
	d.DoesNotSee("Message", "Answer") // those of the clock are ours
	d.Press("j")
	d.Sees("▸ ├─", "undone")
	d.DoesNotSee("redo leads here")
	d.Press("j")
	d.Sees("▸ ├─", `token "ape-01" is gone`)
	d.DoesNotSee("redo leads here")
	d.Press("j")
	d.Sees("▸ ●")
	d.Press("j")
	d.Sees("undoes 1 step", "· the minter offer to carol is gone")
	d.Press("k", "U")
	d.Sees("height 1,112")
}
