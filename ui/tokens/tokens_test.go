package tokens_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// listed gives the ids of the tokens in view, in order.
func listedTokens(d *uitest.Driver) string {
	d.T.Helper()
	var ids []string
	for line := range strings.SplitSeq(d.Screen(), "\n") {
		if i := strings.Index(line, "ape-"); i >= 0 && i < 6 { // behind the pointer
			ids = append(ids, line[i+len("ape-"):i+len("ape-")+2])
		}
	}
	return strings.Join(ids, " ")
}

func TestAFilterFindsByOwnerBySpenderByEndAndByText(t *testing.T) {
	for _, c := range []struct{ filter, want string }{
		{"", "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24"},
		{"owner:bob", "02 05 08 11 14 17 20 23"},
		{"owner:$bob", "02 05 08 11 14 17 20 23"},
		{"spender:bob", "04"},
		{"bob pe-0", "02 04 05 08"},
		{"can:bob", "02 04 05 08 11 14 17 20 23"},
		{"can:bob owner:alice", "04"},
		{"spender:carol", "07"},
		{"ends<9", "04"},
		{"ends<8", ""},
		{"expires<=8", "04"},
		{"ends < 8", ""},
		{"ends<40m", "04 07"},
		{"expires<90m owner:alice", "04 07"},
		{"expires<90m owner:bob", ""},
		{"expires<90m spender:carol", "07"},
		{"pe-2", "20 21 22 23 24"},
		{"APE-2", "20 21 22 23 24"},
		{"bafy/3.json", "03"},
		{"pe-2 owner:carol", "21 24"},
		{"pe-2 bafy/24", "24"},
		{"07 expires<90m", "07"},
		{"nothing like it", ""},
	} {
		d := uitest.New(t, ui.New, 120, 40)
		d.Filter(c.filter)
		if got := listedTokens(d); got != c.want {
			t.Errorf("/ %s: the list is %q, expected %q\n%s", c.filter, got, c.want, d.Screen())
		}
		d.Fits()
	}
}

func TestAKeyThatAFilterDoesNotHaveIsSaidToBeTextAndLookedForAllTheSame(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Do("minter", `{"mint":{"token_id":"hat:red","owner":"$alice"}}`)
		d.Keys("/", "hat:r")
		d.Sees("▲ ", "owner: spender: can: expires<", "hat:red")
		d.Fits()

		d.Press("enter") // it was text, as was found
		d.Sees("hat:red", "OWNER")
		d.DoesNotSee("▲ ")

		d.Keys("/", " onwer:bob", "enter")
		d.Sees("▲ ", "owner: spender: can: expires<") // nothing is found, so it may have been meant otherwise

		d.Press("esc")
		d.DoesNotSee("▲")
		d.Fits()
	}
}

func TestSortingByEndShowsTokensWithApprovalsAndSaysSo(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("s")
	d.Sees("with approvals, soonest to expire first", "only tokens with approvals", "EXPIRES NEXT ▴")
	if got := listedTokens(d); got != "04 07" {
		t.Fatalf("the list is %q\n%s", got, d.Screen())
	}

	d.Click("TOKEN", 0)
	d.Sees("TOKEN ▴", "1–24 of 24")

	d.Click("OWNER", 0) // no index serves that order
	d.Sees("TOKEN ▴", "1–24 of 24")

	d.Filter("spender:bob")
	d.Press("s")
	d.Sees("this filter sorts by expiry")
}

// searched opens the explorer on 4,000 tokens more, of which every 50th has a URI that
// says so, and filters for a text. What is read comes one at a time.
func searched(t *testing.T, text string) *uitest.Driver {
	t.Helper()
	d := uitest.New(t, ui.New, 120, 36)
	for i := range 4000 {
		uri := ""
		if i%50 == 0 {
			uri = `,"token_uri":"ipfs://seldom"`
		}
		uitest.Execute1(t, d.Chain, "minter", fmt.Sprintf(`{"mint":{"token_id":"x-%04d","owner":"$bob"%s}}`, i, uri))
	}
	d.ReadAgain()
	d.Press("/")
	d.Held = new([]tea.Msg)
	d.Paste(text)
	d.Next()
	return d
}

func TestASearchShowsWhatItFindsAsItGoesAndEscLeavesIt(t *testing.T) {
	d := searched(t, "-399")
	d.Sees("searched 2,000…")
	d.Next()
	d.Sees("searched 4,000…")
	d.Next()
	d.SeesIn(uitest.List, "1–10 of 10 ", "▸ x-3990", "x-3999")

	d = searched(t, "x-197")
	d.SeesIn(uitest.List, "1–6 of 6+…", "x-1970", "x-1975")

	d.Press("esc")
	for len(*d.Held) > 0 {
		d.Next()
	}
	d.SeesIn(uitest.List, "▸ x-1970", " 4,024 ")
}

func TestASearchStopsWhenTheListIsFullAndGoesOnWhereThePersonMoves(t *testing.T) {
	d := searched(t, "seldom")
	d.SeesIn(uitest.List, "▸ x-0000", "x-1100")
	d.DoesNotSee("…  │", "+ ")
	if n := len(*d.Held); n > 0 {
		t.Errorf("the list is full, and %d more pages were read", n)
	}
	d.Held = nil
	d.Press("enter", "G")
	d.SeesIn(uitest.List, "▸ x-3950")

	d.Press("g")
	d.SeesIn(uitest.List, "▸ x-0000")
}

func TestAMessageDoesNotStartASearchAnew(t *testing.T) {
	d := searched(t, "-0000")
	d.Next()
	d.Next()
	d.SeesIn(uitest.List, "x-0000", "1–1 of 1 ")
	d.Press("enter")
	d.Next()
	changes := func(what func()) {
		t.Helper()
		if what(); len(*d.Held) != 1 {
			t.Fatalf("%d readings", len(*d.Held))
		}
		d.Next()
		if len(*d.Held) > 0 {
			t.Error("the search goes on")
		}
	}
	mint := []byte(`{"mint":{"token_id":"a-0000","owner":"$bob"}}`)
	changes(func() { d.Run(app.ExecuteAs(d.Model.State(), nil, chaintest.Address("minter"), mint)) })
	d.SeesIn(uitest.List, "▸ x-0000", "a-0000", "1–2 of 2 ")
	changes(func() { d.Press(".") })
	changes(func() { d.Press("u") })
	changes(func() { d.Press("u") })
	d.SeesIn(uitest.List, "▸ x-0000", "1–1 of 1 ")
}

func TestTheDetailIsReadOnWithTheKeyboardAndLeftAgain(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 24)
	long := strings.Repeat("long and ", 1100)
	d.Do("minter", fmt.Sprintf(`{"mint":{"token_id":"ape-00","owner":"$alice","extension":{"name":"日本の猿","description":"%s","attributes":[{"trait_type":"eyes","value":"laser"}]}}}`, long))
	d.Press("g")
	d.Sees("日本の猿", "more lines")

	d.Press("tab", "G")
	d.Sees("eyes: laser", "▸ ape-00", "not set: image, image data, external url, background,")
	d.Fits()

	d.Press("esc", "j")
	d.Sees("▸ ape-01")
}

func TestABatchShowsWhatWorksFirstAndEqualRefusalsOnOneLine(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("*", "t") // 24 tokens, of which alice owns every third
	d.SeesIn(uitest.Footer, "enter preview")
	d.DoesNotSeeIn(uitest.Footer, "enter send")

	d.Keys("dave", "enter")
	d.SeesIn(uitest.Footer, "enter send 8")
	const groups = "✗ 16 refused: Caller is not the contract's current owner" +
		"ape-02 → dave, ape-03 → dave, ape-05 → dave, 13 more"
	d.SeesIn(uitest.Dialog, "✓ 8 will work  ✗ 16 will be refused", groups)
	dialog := uitest.Dialog(strings.Split(d.Screen(), "\n"))
	if strings.Index(dialog, "16 refused: ") < strings.Index(dialog, "✓ ape-22 → dave") {
		t.Errorf("a refusal stands before a message that works:\n%s", dialog)
	}

	d.Press("enter")
	d.SeesIn(uitest.Dialog, "Transfer 24 tokens: 8 done, 16 refused", "✓ ape-22 → dave", groups)
	d.DoesNotSeeIn(uitest.Footer, "send", "preview")
}

func TestEveryFormOfABatchSaysPreviewUntilEnterSends(t *testing.T) {
	for _, keys := range [][]string{{"*", "t"}, {"*", "p"}, {"m", "ape-50", "shift+tab", "shift+tab", "3"}} {
		d := uitest.New(t, ui.New, 120, 36)
		d.Keys(keys...)
		d.SeesIn(uitest.Footer, "enter preview")
		d.DoesNotSeeIn(uitest.Footer, "send")
	}
}

func TestSelectedTokensAreTransferredTogetherAndEachIsTold(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("space", "space", "t") // ape-01 is alice's, ape-02 bob's
	d.Sees("Transfer 2 tokens")

	d.Keys("dave", "enter")
	d.Sees("1 will work", "1 will be refused", "ape-02 → dave", "Caller is not the contract's current owner")

	d.Press("o")
	d.Sees("all 2 will work", "as their owners")

	d.Press("enter")
	d.Sees("Transfer 2 tokens: 2 done")

	d.Press("enter")
	d.DoesNotSee("■")

	d.Filter("owner:dave")
	if got := listedTokens(d); got != "01 02" {
		t.Fatalf("dave has %q\n%s", got, d.Screen())
	}
}

func TestAFormShowsOneProblemOnceAndOnlyWhenItIsTime(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("p")
	d.DoesNotSee("is missing") // nothing was typed yet

	d.Press("b", "backspace")
	d.Sees("spender: a name or an address is missing")
	if n := strings.Count(d.Screen(), "is missing"); n != 1 {
		t.Fatalf("the problem shows %d times:\n%s", n, d.Screen())
	}

	d.Keys("bob", "tab", "1700000000")
	d.Sees("1700000000 of what?")
	d.DoesNotSeeIn(uitest.Dialog, "never expires")
	if n := strings.Count(d.Screen(), "of what?"); n != 1 {
		t.Fatalf("the problem shows %d times:\n%s", n, d.Screen())
	}

	d.Press("enter") // stays, with what was typed
	d.Sees("Approve a spender for ape-01", "1700000000")
	d.Fits()

	d.Press("esc", "/", "x", "esc")
	d.ActAs("minter")
	d.Press("m")
	d.DoesNotSeeIn(uitest.Dialog, "missing", "✗")
}

func TestWhatCannotBeAnAddressIsNeverSentFromAForm(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	revision := d.Model.State().Revision
	for typed, said := range map[string]string{
		"bo":                              `no account is named "bo": enter asks for a new account, tab takes bob`,
		"no such":                         `no account is named "no such", and it is not an address of this chain`,
		"osmo1qqqqqqqqqqqqqqqqqqqqqqqqqq": `no account is named "osmo1`,
	} {
		d.Press("t")
		d.Types(typed)
		d.Sees(said, "Transfer ape-01")
		d.Press("enter")
		if typed != "bo" { // about which enter asks
			d.Sees(said, "Transfer ape-01")
		}

		d.Press("esc", "esc")
	}
	if now := d.Model.State().Revision; now != revision {
		t.Fatalf("revision %d became %d", revision, now)
	}
}

func TestAFormDoesNotGiveTheSameHintTwice(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("p", "tab", "soon")
	if n := strings.Count(d.Screen(), "+10 blocks"); n != 1 {
		t.Errorf("the ways to type an end stand there %d times:\n%s", n, d.Screen())
	}
}

func TestALargerTerminalFillsItsListsWithoutAnyKey(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.DoesNotSee("1–24 of 24")
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.Sees("1–24 of 24")
	d.Fits()
}

func TestTokensOfOneBeginningAreToldApartInTheNarrowestList(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	for _, id := range []string{"collection-0000665", "collection-0000666"} {
		d.Do("minter", `{"mint":{"token_id":"`+id+`","owner":"cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a"}}`)
		d.Do("alice", `{"transfer_nft":{"token_id":"ape-01","recipient":"$alice"}}`)
	}
	d.Press("G")
	d.Sees("coll…00665", "coll…00666", "c…rql8a ")
	d.Fits()
}

func TestALowDetailLeavesNoLineEmpty(t *testing.T) {
	d := uitest.New(t, ui.New, 60, 20)
	d.Press("j", "j", "j")
	d.Sees("ape-04", "Who may transfer it now?")
	if strings.Contains(d.Screen(), "\n"+strings.Repeat(" ", 60)+"\n") {
		t.Errorf("a line is left empty:\n%s", d.Screen())
	}
}

func TestTheIdOfATokenIsWholeBesideAnOwnerWithoutAName(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Do("minter", `{"mint":{"token_id":"ape-0000001","owner":"`+string(chaintest.Address("somebody"))+`"}}`)
	d.Keys("/", "0000001", "enter")
	d.Sees("│ ape-0000001  owned by cosmos…nk2f4")
}

func TestARowNamesTheApprovalThatEndsFirstAndOfEndedOnesTheLatest(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	approve := func(spender string, height int) {
		d.Do("carol", fmt.Sprintf(`{"approve":{"token_id":"ape-03","spender":"$%s","expires":{"at_height":%d}}}`, spender, height))
	}
	approve("dave", 1108)
	approve("bob", 1105)
	approve("alice", 1106)
	d.Sees("bob in 3 blocks")

	d.Keys("T", "h1120", "enter")
	d.Sees("○○○     dave expired  ")
}

func TestAnOperatorOfTheOwnerHasASignWhereItMattersForTheRow(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	signs := func(id string) string {
		_, row, _ := strings.Cut(d.Screen(), id)
		return strings.Trim(strings.Fields(row)[1], "│") // the owner comes first
	}
	d.Do("carol", `{"approve_all":{"operator":"$bob"}}`)
	d.Press(".")
	if signs("ape-03") != "" {
		t.Errorf("carol's operator shows without an approval as %q", signs("ape-03"))
	}

	d.Do("carol", `{"approve":{"token_id":"ape-03","spender":"$erin"}}`)
	d.Press(".")
	if signs("ape-03") != "◆●" {
		t.Errorf("an approval and an operator show as %q", signs("ape-03"))
	}

	d.Keys("/", "can:bob", "enter")
	if signs("ape-06") != "◆" {
		t.Errorf("the operator who may move the token shows as %q\n%s", signs("ape-06"), d.Screen())
	}

	d.Press("esc")
	d.Do("carol", `{"revoke_all":{"operator":"$bob"}}`)
	d.Press(".")
	if signs("ape-03") != "●" {
		t.Errorf("without an operator the sign is %q", signs("ape-03"))
	}
}

func TestTheHeaderOfTheListSaysWhatTheSignsMean(t *testing.T) {
	for size, legend := range map[[2]int]string{
		{120, 36}: " ●approval ◆operator ○expired →renewable",
		{80, 24}:  " ●approval ◆operator ○expired ",
		{60, 20}:  " ●approval ◆operator ○expired →renewable",
	} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.SeesIn(uitest.List, legend)
		d.Press("space")
		d.DoesNotSee("●approval")
		d.SeesIn(uitest.List, "1 selected")
		d.Fits()
	}
}

func TestNoColumnMovesWhenALongerExpiryIsRead(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	titles := d.Line(4)
	d.Do("alice", `{"approve":{"token_id":"ape-01","spender":"$creator","expires":{"at_height":1000000}}}`)
	for range 3 {
		d.Press("e")
		if d.Line(4) != titles {
			t.Fatalf("the titles moved from\n%s\nto\n%s", titles, d.Line(4))
		}
	}
}

func TestEnterNeverMakesAnAccountWithoutAsking(t *testing.T) {
	for _, keys := range [][]string{
		{"t", "zed"},
		{"t", "bo"},
		{"p", "zed", "tab", "never"},
		{"p", "zed"},
		{"p", "bob", "tab", "never", "tab", "tab", "zed"},
		{"d", "ctrl+u", "zed"},
		{"space", "t", "zed"},
		{"space", "p", "zed", "tab", "never"},
		{"m", "new", "tab", "zed"},
		{"3", "o", "zed", "tab", "+10"},
	} {
		for _, size := range uitest.AllSizes {
			d := uitest.New(t, ui.New, size[0], size[1])
			accounts := len(d.Model.State().Accounts)
			revision := d.Model.State().Revision
			d.Keys(keys...)
			for range 2 {
				d.Press("enter")
				d.Fits()
				isQuestion := strings.Contains(d.Screen(), "A new account?")
				st := d.Model.State()
				if isQuestion && (len(st.Accounts) != accounts || st.Revision != revision) {
					t.Errorf("%v: the account was made before the answer", keys)
				}
				if !isQuestion && len(st.Accounts) != accounts {
					t.Errorf("%v: an account was made without a question:\n%s", keys, d.Screen())
				}
				if isQuestion {
					d.Press("esc")
				}
			}
		}
	}
}

func TestMembersThatCW721DoesNotKnowStandBelowTheMetadata(t *testing.T) {
	c := uitest.Fixture(t)
	var records []kv.Pair
	genesis := chain.Genesis{Config: chain.Config{Prefix: "cosmos"}}
	err := c.View(func(view *chain.View) (err error) {
		genesis.Clock = view.Clock
		genesis.Accounts, err = view.Accounts()
		if err != nil {
			return err
		}
		for record, err := range view.Records() {
			if err != nil {
				return err
			}
			value := string(record.Value)
			if strings.HasSuffix(string(record.Key), "tokensape-01") {
				value = value[:strings.Index(value, `"extension":`)] + `"extension":{"name":"One","royalty_percentage":10,"\u001b[31mred":{"a":["b"]}},"lent":true}`
			}
			records = append(records, kv.Pair{Key: bytes.Clone(record.Key), Value: []byte(value)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules   cw721.Rules
		preview string
	}{
		{cw721.RulesV019, "unknown field `royalty_percentage`"},
		{cw721.RulesV022, "loses what cw721 does not know: extension.royalty_percentage"},
	} {
		imported := chaintest.Blank(t, kv.NewMemory()).C
		genesis.Rules = c.rules
		err := imported.Import(genesis, func(yield func(kv.Pair, error) bool) {
			for _, record := range records {
				if !yield(record, nil) {
					return
				}
			}
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := uitest.On(t, ui.New, imported, 120, 44)
		d.Sees("ape-01", "Not known to cw721", "extension.royalty_percentage  10", `red  {"a":["b"]}`, "lent  true")
		d.DoesNotSee("\x1b[31m")
		d.Fits()
		d.Keys("t", "bob")
		d.Sees(c.preview)
		d.Fits()
	}
}
