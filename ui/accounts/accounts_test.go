package accounts_test

import (
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestEveryoneIsListedWithWhatTheyOwnAndMayDo(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.Sees("● alice", "✓ accepts", "✗ rejects", "operator for alice", "offered minter")

	d.UnderCursor("  carol")
	d.Sees("Was given", "● ape-07 of alice", "● minter offer", "in 48 blocks", "owns 8 tokens: ape-03")

	d.UnderCursor("● alice")
	d.Sees("Has given", "ape-04 → bob", "all its tokens → dave", "never expires")

	d.Press("f")
	d.Sees("height 1,110", "2026-11-21 12:40:00")
}

func TestACollectionWithoutNamesSaysHowToAddOne(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Given(func(st *app.State) { st.Accounts = nil })
	d.To("Accounts")
	d.Sees("no names yet: n adds one")
}

func TestWhatHasEndedIsSaidAndCanBeHidden(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.UnderCursor("  bob")
	d.Sees("● ape-04 of alice")

	d.Press("e")
	d.Sees("○ ape-04 of alice", "expired in this block")

	d.Press("x")
	d.DoesNotSee("ape-04 of alice")
}

func TestActingAsAnAccountFromTheList(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.UnderCursor("  minter")
	d.Press("enter")
	d.Sees("as ● minter", "▸ ● minter")
}

func TestANameIsAddedWithAnAddressOfItsOwn(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.Keys("n", "zoe")
	d.Sees(string(chaintest.Address("zoe")))

	d.Press("enter")
	d.DoesNotSee("Add a name")
	d.Sees("zoe is cosmos1")

	d.UnderCursor("  zoe")
	d.SeesIn(uitest.Detail, "owns 0 tokens", "nothing")
}

func TestABadNameOrAddressKeepsWhatWasTyped(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.Keys("n", "two words", "enter")
	d.Sees(`"two words" cannot name an account`, "Add a name")
	d.Keys("tab", "cosmos1nobody", "shift+tab")
	d.Keys("ctrl+u", "zoe", "enter")
	d.Sees("cosmos1nobody", "addr_validate errored")
}

func TestAnAddressIsNamedToWatchIt(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	stranger := chaintest.Address("a stranger")
	d.Do("alice", `{"transfer_nft":{"token_id":"ape-01","recipient":"`+string(stranger)+`"}}`)
	d.To("Accounts")
	d.Keys("n", "watched", "tab")
	d.Types(string(stranger))
	d.Press("enter")
	d.UnderCursor("  watched")
	d.Sees("owns 1 token: ape-01")
}

func TestAnAccountBecomesAContractThatRejects(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.UnderCursor("  erin")
	d.Press("c")
	d.Sees("What is at erin?", "takes the tokens that are sent to it")

	d.Keys("rejects", "enter")
	d.Sees("erin is a contract that rejects tokens now")

	d.UnderCursor("  erin")
	d.Sees("erin  contract that rejects")

	d.To("Tokens")
	d.Keys("d", "erin")
	d.Sees("will be refused")
}

func TestForgettingANameAsksBecauseUndoDoesNotBringItBack(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.UnderCursor("  erin")
	d.Press("D")
	d.SeesIn(uitest.Dialog, "Undo does not bring the name back", "Cancel")

	d.Press("enter")
	d.SeesIn(uitest.List, "  erin")

	d.Press("D", "y")
	d.Sees("the name erin is forgotten")
	d.DoesNotSee("  erin ")

	d.UnderCursor("  dave")
	d.Press("D")
	d.Click("Cancel", 0)
	d.DoesNotSee("Cancel")

	d.Press("D")
	d.Click("Forget  ", 0)
	d.Sees("the name dave is forgotten")
	d.DoesNotSee("Cancel", "  dave ")
}

func TestAnOperatorIsMadeAndUnmadeFromTheListOfAccounts(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.UnderCursor("  carol")
	d.Keys("o", "+5")
	d.Sees("carol becomes an operator of alice, until height 1,107")

	d.Press("enter")
	d.Sees("● all tokens of alice", "in 5 blocks")

	d.Press("O")
	d.Sees("the operator grant from alice to carol is gone")

	d.Press("enter")
	d.DoesNotSee("all tokens of alice")
}

func TestTheListOfWhomToActAsShowsRoles(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("a")
	d.Sees("owner of 8", "approved on 1", "operator for alice", "offered minter", "contract that rejects")
	d.Keys("offered", "enter")
	d.Sees("as ● carol")
}

func TestWhatNobodyIsCalledBecomesANewName(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("a", "xaver")
	d.Sees("enter adds xaver")
	d.Press("enter")
	d.Sees("Add a name", string(chaintest.Address("xaver")))
	d.Press("enter")
	d.Sees("as ● xaver", "owner of 0")
}

func TestCountsOfApprovalsStopAtNinetyNine(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	for i := range 100 {
		id := "x" + app.Decimal(uint64(i))
		uitest.Execute1(t, d.Chain, "minter", `{"mint":{"token_id":"`+id+`","owner":"$alice"}}`)
		uitest.Execute1(t, d.Chain, "alice", `{"approve":{"token_id":"`+id+`","spender":"$erin"}}`)
	}
	d.ReadAgain()
	d.To("Accounts")
	d.UnderCursor("  erin")
	d.SeesIn(uitest.List, "99+")

	d.Press("tab", "G")
	d.Sees("only the first 100 are listed")

	d.Press("esc")
	d.Sees("▸   erin")
}

func TestANameThatCannotBeOneIsToldSoWhileItIsTyped(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Keys("8", "n", "bad name")
	d.Sees(`✗ "bad name" cannot name an account, expected 1 to 32`)
	d.DoesNotSee("cosmos192")
	d.Keys("ctrl+u", "zed")
	d.DoesNotSee("cannot name an account")
	d.Sees(string(chaintest.Address("zed")))
}

func TestAccountsAreSortedByWhatTheyOwnByKeyAndByClick(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("carol", `{"transfer_nft":{"token_id":"ape-03","recipient":"$market"}}`)
	d.Do("carol", `{"transfer_nft":{"token_id":"ape-06","recipient":"$bob"}}`)
	d.Press("8")
	d.Sees("NAME ▴", "▸ ● alice")

	d.Press("s")
	d.Sees("OWNS ▾", "▸   bob")

	d.Press("j", "j", "j")
	d.Sees("▸   market")

	d.Click("NAME", 0)
	d.Sees("NAME ▴", "▸ ● alice")

	d.Click("OWNS", 0)
	d.Sees("OWNS ▾", "▸   bob")

	d.Press("G")
	d.Sees("▸   vault")
	d.Fits()
}
