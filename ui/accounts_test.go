package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/wire"
)

func TestEveryoneIsListedWithWhatTheyOwnAndMayDo(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Accounts")
	d.sees("● alice", "✓ accepts", "✗ rejects", "operator for alice", "offered minter")
	d.underCursor("  carol")
	d.sees("Was given", "● ape-07 of alice", "● minter offer", "in 48 blocks", "owns 8 tokens: ape-03")
	d.underCursor("● alice")
	d.sees("Has given", "ape-04 → bob", "all its tokens → dave", "never ends")
	d.press("f")
	d.sees("height 1,110", "2026-11-21 12:40:00")
}

func TestWhatHasEndedIsSaidAndCanBeHidden(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Accounts")
	d.underCursor("  bob")
	d.sees("● ape-04 of alice")
	d.press("e")
	d.sees("○ ape-04 of alice", "over in this block")
	d.press("x")
	d.doesNotSee("ape-04 of alice")
}

func TestActingAsAnAccountFromTheList(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Accounts")
	d.underCursor("  minter")
	d.press("enter")
	d.sees("as ● minter", "▸ ● minter")
}

func TestANameIsAddedWithAnAddressOfItsOwn(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Accounts")
	d.press("n")
	d.types("zoe")
	d.sees(string(addressOf(t, "zoe")))
	d.press("enter")
	d.doesNotSee("Add a name")
	d.sees("zoe is cosmos1")
	d.underCursor("  zoe")
	d.sees("owns 0 tokens", "nothing")
}

func TestABadNameOrAddressKeepsWhatWasTyped(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Accounts")
	d.press("n")
	d.types("two words")
	d.press("enter")
	d.sees(`"two words" cannot name an account`, "Add a name")
	d.press("tab")
	d.types("cosmos1nobody")
	d.press("shift+tab")
	for range 9 {
		d.press("backspace")
	}
	d.types("zoe")
	d.press("enter")
	d.sees("cosmos1nobody", "addr_validate errored")
}

func TestAnAddressIsNamedToWatchIt(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	stranger := addressOf(t, "a stranger")
	d.do("alice", `{"transfer_nft":{"token_id":"ape-01","recipient":"`+string(stranger)+`"}}`)
	d.to("Accounts")
	d.press("n")
	d.types("watched")
	d.press("tab")
	d.types(string(stranger))
	d.press("enter")
	d.underCursor("  watched")
	d.sees("owns 1 token: ape-01")
}

func TestAnAccountBecomesAContractThatRejects(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Accounts")
	d.underCursor("  erin")
	d.press("c")
	d.sees("What is at erin?", "takes the tokens that are delivered to it")
	d.types("rejects")
	d.press("enter")
	d.sees("erin is a contract that rejects tokens now")
	d.underCursor("  erin")
	d.sees("erin  contract that rejects")
	d.to("Tokens")
	d.press("d")
	d.types("erin")
	d.sees("will be refused")
}

func TestForgettingANameAsksBecauseUndoDoesNotBringItBack(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Accounts")
	d.underCursor("  erin")
	d.press("D")
	d.sees("Undo does not bring the name back", "Cancel")
	d.press("enter")
	d.sees("  erin")
	d.press("D", "y")
	d.sees("the name erin is forgotten")
	d.doesNotSee("  erin ")
}

func TestAnOperatorIsMadeAndUnmadeFromTheListOfAccounts(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Accounts")
	d.underCursor("  carol")
	d.press("o")
	d.types("+5")
	d.sees("carol becomes an operator of alice, until height 1,107")
	d.press("enter")
	d.sees("● all tokens of alice", "in 5 blocks")
	d.press("O")
	d.sees("the operator grant from alice to carol is gone")
	d.press("enter")
	d.doesNotSee("all tokens of alice")
}

func TestTheListOfWhomToActAsShowsRoles(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("a")
	d.sees("owner of 8", "approved on 1", "operator for alice", "offered minter", "contract that rejects")
	d.types("offered")
	d.press("enter")
	d.sees("as ● carol")
}

func TestWhatNobodyIsCalledBecomesANewName(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("a")
	d.types("xaver")
	d.sees("enter adds xaver")
	d.press("enter")
	d.sees("Add a name", string(addressOf(t, "xaver")))
	d.press("enter")
	d.sees("as ● xaver", "owner of 0")
}

func TestCountsOfApprovalsStopAtNinetyNine(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	for i := range 100 {
		id := "x" + uitoa(uint64(i))
		execute1(t, d.chain, "minter", `{"mint":{"token_id":"`+id+`","owner":"$alice"}}`)
		execute1(t, d.chain, "alice", `{"approve":{"token_id":"`+id+`","spender":"$erin"}}`)
	}
	d.readAgain()
	d.to("Accounts")
	d.underCursor("  erin")
	d.sees("99+")
	d.press("tab", "G")
	d.sees("only the first 100 are listed")
	d.press("esc")
	d.sees("▸   erin")
}

func TestNoAddressBookBreaksTheFrameAtAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := driveOn(t, New, fixture(t), rapid.IntRange(1, 150).Draw(rt, "w"), rapid.IntRange(1, 45).Draw(rt, "h"))
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[\p{L}][\p{L}\p{N}_.-]{0,31}`), 0, 8, rapid.ID).Draw(rt, "names") {
			if _, err := d.chain.AddAccount(name, "", chain.ReceiverDefault); err != nil {
				rt.Skip(err)
			}
		}
		if id := strings.ToValidUTF8(odd.Draw(rt, "id"), "?"); len(id) < 9000 {
			r, err := d.chain.Execute(addressOf(t, "minter"), []byte(`{"mint":{"token_id":`+jsonText(id)+`,"owner":"$alice"}}`))
			if err != nil || r.Refusal != nil {
				rt.Fatal(err, r.Refusal)
			}
		}
		d.readAgain()
		d.to("Accounts")
		for range 25 {
			d.press(rapid.SampledFrom([]string{"j", "j", "k", "G", "g", "esc", "tab", "n", "c", "D", "a", "o", "ctrl+d", "x", "f"}).Draw(rt, "key"))
			if why := misfit(d.model.View(), d.size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.screen())
			}
		}
		d.send(tea.WindowSizeMsg{Width: 60, Height: 20})
		d.fits()
	})
}

// jsonText writes a text as JSON.
func jsonText(s string) string { return string(wire.AppendString(nil, s)) }

func TestANameThatCannotBeOneIsToldSoWhileItIsTyped(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("8", "n")
	d.types("bad name")
	d.sees(`✗ "bad name" cannot name an account, expected 1 to 32`)
	d.doesNotSee("cosmos192")
	d.press("ctrl+u")
	d.types("zed")
	d.doesNotSee("cannot name an account")
	d.sees(string(addressOf(t, "zed")))
}
