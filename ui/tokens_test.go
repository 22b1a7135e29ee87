package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// filter types a filter and leaves the field.
func (d *drive) filter(text string) {
	d.t.Helper()
	d.press("/")
	d.types(text)
	d.press("enter")
}

// listed gives the ids of the tokens in view, in order.
func listedTokens(d *drive) string {
	d.t.Helper()
	var ids []string
	for line := range strings.SplitSeq(d.screen(), "\n") {
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
		{"spender:carol", "07"},
		{"ends<9", "04"},
		{"ends<8", ""},
		{"ends<=8", "04"},
		{"ends < 8", ""},
		{"ends<40m", "04 07"},
		{"ends<90m owner:alice", "04 07"},
		{"ends<90m owner:bob", ""},
		{"ends<90m spender:carol", "07"},
		{"pe-2", "20 21 22 23 24"},
		{"APE-2", "20 21 22 23 24"},
		{"bafy/3.json", "03"},
		{"pe-2 owner:carol", "21 24"},
		{"pe-2 bafy/24", "24"},
		{"07 ends<90m", "07"},
		{"nothing like it", ""},
	} {
		d := newDrive(t, New, 120, 40)
		d.filter(c.filter)
		if got := listedTokens(d); got != c.want {
			t.Errorf("/ %s: the list is %q, expected %q\n%s", c.filter, got, c.want, d.screen())
		}
		d.fits()
	}
}

func TestAFilterStaysInSightAndEscTakesItOff(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.filter("owner:bob")
	d.sees("/ owner:bob", "1–8 of 8")
	d.press("esc")
	d.doesNotSee("/ owner:bob")
	d.sees("1–24 of 24")
}

func TestAFilterSaysWhatIsWrongAndTheListStays(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("/")
	d.types("owner:bo")
	d.sees(`owner: nobody is called "bo"`, "ape-01")
	d.press("enter") // nothing to accept yet
	d.press("tab")   // the name is completed
	d.sees("owner:bob")
	d.press("enter", "j")
	d.sees("ape-05", "1–8 of 8")

	d.press("/")
	d.types(" ends<soon")
	d.sees(`ends: "soon" is neither blocks nor a time`)
	d.press("esc")
	d.sees("1–24 of 24")
}

func TestAKeyThatAFilterDoesNotHaveIsSaidToBeTextAndLookedForAllTheSame(t *testing.T) {
	for _, size := range allSizes {
		d := newDrive(t, New, size[0], size[1])
		d.do("minter", `{"mint":{"token_id":"hat:red","owner":"$alice"}}`)
		d.press("/")
		d.types("hat:r")
		d.sees("▲ ", "owner: spender: ends<", "hat:red")
		d.fits()
		d.press("enter") // it was text, as was found
		d.sees("hat:red", "OWNER")
		d.doesNotSee("▲ ")
		d.press("/")
		d.types(" onwer:bob")
		d.press("enter")
		d.sees("▲ ", "owner: spender: ends<") // nothing is found, so it may have been meant otherwise
		d.press("esc")
		d.doesNotSee("▲")
		d.fits()
	}
}

func TestOnlyWhatIsWrittenAsAKeyIsTakenForOne(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "ape": "", "owner:bob": "", "OWNER:bob": "", "ends<10": "", "ends<=10": "", "ends < 10": "", "spender:": "",
		"ipfs://bafy": "", "hat:red": "hat:", "Hat:": "hat:", "ends>10": "ends>", "ends:10": "ends:", "owner:bob minter=bob": "minter=",
		"12:00": "", "日本:x": "", `"a":1`: "", ":": "", "a b:": "b:",
	} {
		if got := strangeKey(text, tokenKeys); got != want {
			t.Errorf("%q: the strange key is %q, expected %q", text, got, want)
		}
	}
}

func TestTheCursorFollowsItsTokenWhenRowsComeAndGo(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("j", "j", "j")
	d.sees("▸ ape-04")
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.do("minter", `{"mint":{"token_id":"ape-00","owner":"$bob"}}`)
	d.do("minter", `{"mint":{"token_id":"ape-000","owner":"$bob"}}`)
	d.sees("▸ ape-04", "1–25 of 25")
	d.press("u")
	d.sees("▸ ape-04", "1–24 of 24")
}

func TestWhatWasFoundKeepsInStepWithWhatIsDone(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.filter("pe-2")
	d.sees("1–5 of 5")
	d.actAs("minter")
	d.press("m")
	d.types("ape-2x")
	d.press("enter")
	d.sees("▸ ape-20", "ape-2x", "1–6 of 6")
	d.do("bob", `{"burn":{"token_id":"ape-20"}}`)
	d.doesNotSee("▸ ape-20")
	d.press("u", "u")
	d.sees("ape-20", "1–5 of 5")
	d.doesNotSee("ape-2x  ")
}

func TestSortingByEndShowsTokensWithApprovalsAndSaysSo(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("s")
	d.sees("with approvals, soonest end first", "only tokens with approvals", "ENDS NEXT ▴")
	if got := listedTokens(d); got != "04 07" {
		t.Fatalf("the list is %q\n%s", got, d.screen())
	}
	d.press("s")
	d.sees("TOKEN ▴", "1–24 of 24")
	d.filter("spender:bob")
	d.press("s")
	d.sees("this filter is answered in the order of the ends")
}

func TestATextThatMustBeLookedForAnswersAsItGoesAndCanBeLeft(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	for i := range 4010 {
		execute1(t, d.chain, "minter", fmt.Sprintf(`{"mint":{"token_id":"x-%05d","owner":"$bob"}}`, i))
	}
	d.readAgain()
	d.held = new([]tea.Msg) // what is read comes one at a time here
	d.press("/")
	d.types("3.json")
	d.press("enter")
	d.next() // for the first letter, and for nobody now
	d.next()
	d.sees("looked at 2,000…")
	d.next()
	d.sees("looked at 4,000…", "esc stops", "ape-03", "ape-13", "ape-23")
	d.press("esc")
	d.sees("3 among the first 4,000")
	d.next()
	d.sees("3 among the first 4,000") // what comes late is not looked at
	for len(*d.held) > 0 {
		d.next()
	}
	d.held = nil
	d.press("esc")
	d.readAgain()
	d.sees("of 4,034")
}

func TestTheDetailIsReadOnWithTheKeyboardAndLeftAgain(t *testing.T) {
	d := newDrive(t, New, 120, 24)
	long := strings.Repeat("long and ", 1100)
	d.do("minter", fmt.Sprintf(`{"mint":{"token_id":"ape-00","owner":"$alice","extension":{"name":"日本の猿","description":"%s","attributes":[{"trait_type":"eyes","value":"laser"}]}}}`, long))
	d.press("g")
	d.sees("日本の猿", "more lines")
	d.press("tab", "G")
	d.sees("eyes: laser", "▸ ape-00", "not set: image, image data, external url, background,")
	d.fits()
	d.press("esc", "j")
	d.sees("▸ ape-01")
}

func TestSelectedTokensAreTransferredTogetherAndEachIsTold(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("space", "space", "t") // ape-01 is alice's, ape-02 bob's
	d.sees("Transfer 2 tokens")
	d.types("dave")
	d.press("enter")
	d.sees("1 will work", "1 will be refused", "ape-02 → dave", "Caller is not the contract's current owner")
	d.press("o")
	d.sees("all 2 will work", "as their owners")
	d.press("enter")
	d.sees("Transfer 2 tokens: 2 done")
	d.press("enter")
	d.doesNotSee("◆")
	d.filter("owner:dave")
	if got := listedTokens(d); got != "01 02" {
		t.Fatalf("dave has %q\n%s", got, d.screen())
	}
}

func TestTheFormForMetadataSendsWhatChangedAndWarnsOfWhatWouldBeLost(t *testing.T) {
	d := newDrive(t, New, 120, 40)
	d.do("minter", `{"mint":{"token_id":"ape-00","owner":"$alice","extension":{"name":"old","description":"two\nlines","attributes":[{"trait_type":"eyes","value":"laser","display_type":"d"}]}}}`)
	d.actAs("creator")
	d.press("g", "i")
	d.sees("Update ape-00", "send what changes", "old", "eyes=laser")
	d.press("tab", "tab", "end", "!")
	d.sees(`"extension":{"name":"old!"}`, "will work")
	d.press("up", "right")
	d.sees("a message without an extension makes the stored one null")
	d.doesNotSee("Description")
	d.press("left", "enter")
	d.sees("old!", "eyes: laser", `two`)
}

func TestMintingTakesMetadataToo(t *testing.T) {
	d := newDrive(t, New, 120, 44)
	d.actAs("minter")
	d.press("m")
	d.types("ape-99")
	d.press("tab")
	d.types("er") // in place of who is there
	d.press("down", "tab", "tab", "tab", "tab", "tab")
	d.types("eyes")
	d.sees("eyes has no value, expected like eyes=laser; hat=crown")
	d.types("=laser; hat = crown")
	d.sees("will work", "owned by erin")
	d.press("enter", "G")
	d.sees("▸ ape-99", "owned by erin", "eyes: laser", "hat: crown")
}

func TestAFormShowsOneProblemOnceAndOnlyWhenItIsTime(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("p")
	d.doesNotSee("is missing") // nothing was typed yet
	d.types("b")
	d.press("backspace")
	d.sees("spender: a name or an address is missing")
	if n := strings.Count(d.screen(), "is missing"); n != 1 {
		t.Fatalf("the problem shows %d times:\n%s", n, d.screen())
	}
	d.types("bob")
	d.press("tab")
	d.types("1700000000")
	d.sees("1700000000 of what?")
	d.doesNotSee("never ends")
	if n := strings.Count(d.screen(), "of what?"); n != 1 {
		t.Fatalf("the problem shows %d times:\n%s", n, d.screen())
	}
	d.press("enter") // stays, with what was typed
	d.sees("Approve a spender for ape-01", "1700000000")
	d.fits()

	d.press("esc", "/")
	d.types("x")
	d.press("esc")
	d.actAs("minter")
	d.press("m")
	d.doesNotSee("missing", "✗")
}

func TestAnOpenFormLooksAgainWhenTheClockMovesUnderIt(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("P", "p")
	d.types("bob")
	d.press("tab")
	d.types("h1105")
	d.sees("in 2 blocks", "will work")
	d.wait()
	d.sees("in 1 block ")
	d.wait()
	d.sees("over in this block", "will be refused", "Cannot set approval that is already expired")
}

func TestOddIdsAndLongDataStayInTheirBoxes(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	for _, id := range []string{``, `\u0000\u001b[31mred`, `日本🦍👩‍👩‍👧`, `a\u0301\u0301\u0301\u0301`, `\u202eevil`, strings.Repeat("long", 400)} {
		d.do("minter", fmt.Sprintf(`{"mint":{"token_id":"%s","owner":"$alice","token_uri":"ipfs://%s","extension":{"name":"%s","image_data":"%s"}}}`,
			id, strings.Repeat("u", 3000), strings.Repeat(`猿\n`, 500), strings.Repeat("x", 10_000)))
		d.do("alice", fmt.Sprintf(`{"approve":{"token_id":"%s","spender":"$bob","expires":{"at_height":1200}}}`, id))
	}
	for _, size := range []widget.Box{{W: 120, H: 36}, {W: 80, H: 24}, {W: 60, H: 20}, {W: 40, H: 12}, {W: 200, H: 50}} {
		d.send(tea.WindowSizeMsg{Width: size.W, Height: size.H})
		for _, screen := range []string{"1", "2", "3"} {
			d.press(screen, "g")
			for range 7 {
				d.fits()
				d.press("j")
			}
			d.press("tab", "G", "p")
			d.fits()
			d.press("esc", "esc")
		}
	}
	d.press("1", "g")
	d.doesNotSee("\x1b", "\u202e", "\x00")
}

func TestANameThatNobodyHasIsExplainedInPlainWords(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("p")
	d.types("zed")
	d.sees(`nobody is called "zed" here; Accounts (8) adds names.`, "will be refused")
	d.fits()
}

func TestHowManyTokensAreSelectedStandsAboveTheList(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.doesNotSee("selected")
	d.press("space", "j", "space")
	d.sees("◆ 2 selected")
	d.fits()
	d.actAs("erin")
	d.press("b")
	d.sees("✗ all 2 will be refused")
}

func TestAFormDoesNotGiveTheSameHintTwice(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("p", "tab")
	d.types("soon")
	if n := strings.Count(d.screen(), "+10 blocks"); n != 1 {
		t.Errorf("the ways to type an end stand there %d times:\n%s", n, d.screen())
	}
}

func TestALargerTerminalFillsItsListsWithoutAnyKey(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.doesNotSee("1–24 of 24")
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.sees("1–24 of 24")
	d.fits()
}

func TestTokensOfOneBeginningAreToldApartInTheNarrowestList(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	for _, id := range []string{"collection-0000665", "collection-0000666"} {
		d.do("minter", `{"mint":{"token_id":"`+id+`","owner":"cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a"}}`)
		d.do("alice", `{"transfer_nft":{"token_id":"ape-01","recipient":"$alice"}}`)
	}
	d.press("G")
	d.sees("coll…0665", "coll…0666", "…nrql8a ")
	d.fits()
}

func TestALowDetailLeavesNoLineEmpty(t *testing.T) {
	d := newDrive(t, New, 60, 20)
	d.press("j", "j", "j")
	d.sees("ape-04", "● bob    height 1,110  in 8 blocks", "Who may transfer it now?")
	before := func() string {
		lines := strings.Split(d.screen(), "\n")
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Approvals") })
		return strings.TrimSpace(lines[at-1])
	}
	if got := before(); !strings.HasPrefix(got, "uri") {
		t.Errorf("a line is left empty:\n%s", d.screen())
	}
	d.press("tab") // it has the room now
	if got := before(); got != "" {
		t.Errorf("the parts of a high detail are not apart:\n%s", d.screen())
	}
}

func TestTheIdOfATokenIsWholeBesideAnOwnerWithoutAName(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.do("minter", `{"mint":{"token_id":"ape-0000001","owner":"`+string(addressOf(t, "somebody"))+`"}}`)
	d.press("/")
	d.types("0000001")
	d.press("enter")
	d.sees("│ ape-0000001  owned by cosmos1")
}
