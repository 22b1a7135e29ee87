package ui

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
)

func TestTheHistoryShowsWhatHappenedTheLatestFirst(t *testing.T) {
	d := newDrive(t, New, 120, 50)
	d.do("alice", `{"approve":{"token_id":"ape-01","spender":"$bob","expires":{"at_height":1104}}}`)
	d.press(".", ".")
	d.actAs("bob")
	d.press("t")
	d.types("carol")
	d.press("enter", "esc")
	d.to("History")
	d.sees("transfer ape-01 → carol", "✗", "refused (contract): Caller is not the contract's",
		"clock +1 block to 1,104", "approve bob for ape-01 until", "the chain stands here")
	d.press("j", "j", "j")
	d.sees("carried out", `"spender": "`, "What it changed", `bob gets an approval on "ape-01", until`, "enter goes there: undoes 3 steps",
		"How things stood after it", "24 tokens · height 1,102", "ape-01 owned by alice", "● bob in 2 blocks",
		"spender      bob")
	d.press("tab", "G")
	d.sees("In bytes", "‹00›‹06›tokensape-01", "0006746F6B656E736170652D3031")
	d.fits()
}

func TestGoingToAMomentAndBackLosesNothing(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.do("alice", `{"burn":{"token_id":"ape-04"}}`)
	d.to("History")
	d.press("j", "j", "enter")
	d.sees("24 tokens", "went to #")
	d.press("g")
	d.sees("undone; redo leads here", "does 2 steps again")
	d.press("enter")
	d.sees("22 tokens", "the chain stands here")
}

func TestAMomentIsNamedOnceAndFoundByItsName(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.to("History")
	d.press("n")
	d.types("before the sale")
	d.press("enter")
	d.sees("is named before the sale", "[before the sale]")
	d.press("j", "n")
	d.types("before the sale")
	d.press("enter")
	d.sees("before the sale", "Name #") // the dialog stays and says why
	d.press("esc", "/")
	d.types("sale")
	d.press("enter")
	d.sees("burn ape-01 [before the sale]")
	d.doesNotSee("mint ape-02")
	d.fits()
}

// names gives the chain's snapshots, as name@node.
func names(d *drive) (all []string) {
	d.t.Helper()
	err := d.chain.View(func(v *chain.View) error {
		names, err := v.Snapshots()
		for _, n := range names {
			all = append(all, fmt.Sprintf("%s@%d", n.Name, n.ID))
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

func TestASnapshotIsRenamedAndDeletedWhereItShows(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.to("History")
	d.doesNotSee("r rename")
	d.press("n")
	d.types("befor")
	d.press("enter")
	d.sees("r rename")
	d.press("?")
	d.sees("Rename this snapshot", "Delete this snapshot, its name alone")
	d.press("esc", "r")
	d.sees("Rename befor, at #31", "enter rename it")
	d.types("e")
	d.press("enter")
	d.sees("#31 is named before now, and not befor", "burn ape-01 [before]")
	d.press("r")
	for range len("before") {
		d.press("backspace")
	}
	d.types("12")
	d.press("enter")
	d.sees("numbers name nodes", "Rename before") // the dialog stays and says why
	d.press("esc", "d")
	d.sees("Delete the name “before”", "#31 stays in the history", "Cancel")
	d.press("enter")
	d.sees("burn ape-01 [before]") // Cancel is the default
	d.press("d", "tab", "enter")
	d.sees("#31 is no longer named before", "burn ape-01")
	d.doesNotSee("[before]", "r rename")
	if left := names(d); left != nil {
		t.Errorf("left are %q", left)
	}
	d.press("u")
	d.sees("undid “burn ape-01”") // undo goes over what happened, and not over names
	d.fits()
}

func TestOfSeveralNamesOfAMomentOneIsChosen(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.to("History")
	for _, name := range []string{"one", "two"} {
		d.press("n")
		d.types(name)
		d.press("enter")
	}
	d.press("r")
	d.types("two")
	d.press("enter")
	d.types("fold")
	d.press("enter", "d")
	d.types("one")
	d.press("enter", "y")
	if left := names(d); len(left) != 1 || left[0] != "twofold@30" {
		t.Errorf("left are %q", left)
	}
}

func TestTheFilterNarrowsBySenderRefusalAndText(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.actAs("carol")
	d.press("t")
	d.types("bob")
	d.press("enter", "esc", ".")
	d.to("History")
	d.press("/")
	d.types("refused sender:carol")
	d.press("enter")
	d.sees("transfer ape-01 → bob")
	d.doesNotSee("approve bob", "clock +1 block to")
	d.press("/")
	for range len("refused sender:carol") {
		d.press("backspace")
	}
	d.types("nobody did this")
	d.sees("nothing like that happened")
	d.press("esc")
	d.sees("clock +1 block")
	d.fits()
}

func TestAKeyThatTheHistoryCannotBeFilteredByIsSaidToBeText(t *testing.T) {
	for _, size := range allSizes {
		d := newDrive(t, New, size[0], size[1])
		d.to("History")
		d.press("/")
		d.types("owner:bob")
		d.sees("▲ ", "sender: refused clock")
		d.press("enter")
		d.sees("sender: refused clock", "nothing like that happened")
		d.fits()
		d.press("/")
		for range len("owner:bob") {
			d.press("backspace")
		}
		d.types("sender:bob")
		d.doesNotSee("▲")
	}
}

func TestAFilterReadsWhatPeopleType(t *testing.T) {
	burn := history.Node{Kind: history.KindExecute, Sender: "cosmos1abc", Message: `{"burn":{"token_id":"A"}}`}
	refused := burn
	refused.Refusal = &history.Refusal{Text: "Caller is not minter"}
	for _, c := range []struct {
		text string
		node history.Node
		want bool
	}{
		{"", burn, true}, {"burn", burn, true}, {"BURN a", burn, true}, {"mint", burn, false},
		{"refused", burn, false}, {"refused", refused, true}, {"not minter", refused, true},
		{"sender:ali", burn, true}, {"sender:bob", burn, false}, {"sender:cosmos1a", burn, true},
		{"clock", burn, false}, {"sender:ali", history.Node{Kind: history.KindClock}, false},
	} {
		if got := parsePastFilter(c.text).keeps(c.node, "alice", "burn A"); got != c.want {
			t.Errorf("%q keeps it: %v", c.text, got)
		}
	}
}

func TestWhatHappenedIsCopiedAsOtherToolsTakeIt(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	var copied string
	d.model.State().Copy = func(text string) error { copied = text; return nil }
	d.do("alice", `{"send_nft":{"token_id":"ape-01","contract":"$market","msg":"`+base64.StdEncoding.EncodeToString([]byte("it's"))+`"}}`)
	d.to("History")
	self := string(d.model.State().Config.Self)
	for filter, want := range map[string]string{
		"message as JSON": `{"send_nft":{`, "wasmd execute": "wasmd tx wasm execute " + self + ` '{"send_nft":{`,
		"wasmd query":   "wasmd query wasm contract-state smart " + self + ` '{"all_nft_info":{"token_id":"ape-01"}}'`,
		"scenario step": "at: ", "answer as JSON": `{"attributes":[`,
	} {
		d.press("y")
		d.types(filter)
		d.press("enter")
		if !strings.Contains(copied, want) {
			t.Errorf("%s: copied %q", filter, copied)
		}
	}
	if step := copied; strings.Contains(step, "name:") {
		t.Errorf("a step is no whole scenario: %q", step)
	}
}

func TestBranchesAreListedComparedAndEntered(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.press("u")
	d.do("alice", `{"transfer_nft":{"token_id":"ape-01","recipient":"$bob"}}`)
	d.to("History")
	d.sees("transfer ape-01 → bob")
	d.press("j")
	d.sees("on another branch", "undoes 1 step, then does 1 step")
	d.press("v")
	d.sees("Branches", "the chain stands here", "1 of its own, off #", "with burn ape-01", "  nothing")
	d.press("j")
	d.sees(`token "ape-01" is gone`)
	d.press("n")
	d.types("burned")
	d.press("enter")
	d.sees("[burned]")
	d.press("r")
	d.types(" again")
	d.press("enter")
	d.sees("[burned again]")
	d.press("d", "y")
	d.doesNotSee("[burned")
	d.press("d")
	d.sees("has no name: n gives it one")
	d.press("n")
	d.types("burned")
	d.press("enter")
	d.press("c", "k")
	d.sees("compared with", `token "ape-01" is new, owned by bob`)
	d.press("j", "enter", "esc")
	d.sees("23 tokens", "[burned]")
	d.fits()
}

func TestTheHistoryFitsAnySize(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {79, 24}, {80, 24}, {120, 36}, {200, 60}} {
		d := newDrive(t, New, size[0], size[1])
		d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
		d.press("u")
		d.to("History")
		d.fits()
		for _, k := range []string{"j", "tab", "G", "tab", "/", "esc", "y", "esc", "n", "esc", "v", "j", "c", "esc", "G", "g"} {
			d.press(k)
			d.fits()
		}
	}
}

func TestTheHistoryOfALowTerminalShowsManyRowsAndTheDetailInTurn(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.to("History")
	d.sees("burn ape-01", "offer the m", "make dave a", "/ filter")
	d.press("tab")
	d.sees("burn ape-01", "the chain stands here", "carried out")
	d.doesNotSee("/ filter")
	d.press("esc")
	d.sees("/ filter", "make dave a")
	d.click("make dave a", 0)
	d.sees("▸ │    1,102  alice     make dave")
	d.fits()
}

func TestAPrunedHistoryTellsItsTotalAndHowMuchWasForgotten(t *testing.T) {
	for _, size := range allSizes {
		c := fixture(t)
		d := driveOn(t, New, c, size[0], size[1])
		d.to("History")
		d.sees(" of 30 ")
		d.doesNotSee("forgotten")
		if _, err := c.Prune(12); err != nil {
			t.Fatal(err)
		}
		d.readAgain()
		d.sees(" of 12 · 18 forgotten")
		d.press("G")
		d.sees("12 of 12 · 18 forgotten")
		d.press("/")
		d.types("dave")
		d.press("enter")
		d.sees("1–1 of 1")
		d.fits()
	}
}

func TestAHistoryThatLostABranchInBetweenTellsItsTotalToo(t *testing.T) {
	c := fixture(t)
	d := driveOn(t, New, c, 120, 36)
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`) // #31
	d.press("u")
	d.do("alice", `{"burn":{"token_id":"ape-04"}}`) // #32, on a branch that goes
	if _, err := c.Goto("31"); err != nil {
		t.Fatal(err)
	}
	d.do("alice", `{"burn":{"token_id":"ape-07"}}`)
	if _, err := c.Prune(3); err != nil {
		t.Fatal(err)
	}
	d.readAgain()
	d.to("History")
	d.sees("1–2 of 2 · 31 forgotten", "burn ape-01", "burn ape-07")
	d.doesNotSee("burn ape-04")
	d.fits()
}

func TestNumbersOfALongHistoryAreReadableWhole(t *testing.T) {
	c := fixture(t)
	for range 10_000 {
		if _, err := c.Advance(chain.Step{Blocks: 1}); err != nil {
			t.Fatal(err)
		}
	}
	d := driveOn(t, New, c, 120, 36)
	d.to("History")
	d.sees("10030", "10029")
	d.press("G")
	d.sees("creator   instantiate")
	d.press("v")
	d.sees("#10030 clock")
	d.fits()
}

func TestLargeHeightsAreWholeInTheHistory(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("T")
	d.types("h123456789012")
	d.press("enter", ".", "5")
	d.sees("  123,456,789,012            clock +1 block", "    1,102  minter")
}
