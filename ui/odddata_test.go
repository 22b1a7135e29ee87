package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Token ids are any text: what they hold must neither break a frame nor reach
// the terminal.
func TestOddTokensBreakNoViewOfTimeOrRights(t *testing.T) {
	odd := []string{"", "\x1b[31mred\x1b]52;c;aGk=\x07", "日本語の猿", "\u202eevil\u2066", "a\nb\tc", "e\u0301\u200d", "👩‍👩‍👧", strings.Repeat("long ", 400)}
	rapid.Check(t, func(rt *rapid.T) {
		d := newDrive(t, New, rapid.IntRange(40, 150).Draw(rt, "w"), rapid.IntRange(12, 45).Draw(rt, "h"))
		id := rapid.OneOf(rapid.SampledFrom(odd), rapid.String()).Draw(rt, "id")
		quoted, err := json.Marshal(id)
		if err != nil {
			rt.Skip("no JSON form")
		}
		mint := fmt.Sprintf(`{"mint":{"token_id":%s,"owner":"$alice"}}`, quoted)
		if r, err := d.chain.Preview(addressOf(t, "minter"), []byte(mint)); err != nil || r.Refusal != nil {
			rt.Skip("taken")
		}
		d.do("minter", mint)
		d.do("alice", fmt.Sprintf(`{"approve":{"token_id":%s,"spender":"$alice","expires":{"at_height":1105}}}`, quoted))
		check := func(what string) {
			frame := d.model.View()
			if why := misfit(frame, d.size); why != "" {
				rt.Fatalf("%s: %s:\n%s", what, why, d.screen())
			}
			for _, bad := range []string{"\x1b]", "\u202e", "\u2066", "\x07", "\t", "\u200d"} {
				if strings.Contains(frame, bad) {
					rt.Fatalf("%s: %q reached the terminal", what, bad)
				}
			}
		}
		d.to("History")
		check("history")
		for _, keys := range [][]string{{"j", "tab", "G"}, {"w"}, {"B"}, {"L", "e", "E"}, {"M", "c"}, {"D"}, {"v"}, {"y"}} {
			for _, k := range keys {
				d.press(k)
				check(strings.Join(keys, " "))
			}
			d.press("esc")
		}
	})
}

// The empty text is an id like any other, and would leave a hole in a sentence.
func TestTheTokenWithoutAnIdIsSeenWhereverItIsNamed(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.do("minter", `{"mint":{"token_id":"","owner":"$alice"}}`)
	d.press("g")
	d.sees(`▸ ""`, "(the empty id)")
	d.press("p")
	d.sees(`Approve a spender for "" as alice`)
	d.types("bob")
	d.press("tab")
	d.types("+2")
	d.press("enter")
	d.sees(`approved bob for ""`, `"" → bob`)
	d.press("5")
	d.sees(`approve bob for "" until height 1,104`)
	d.press("2")
	d.sees(`●  ""`)
	d.press("8")
	d.sees(`9 tokens: "", ape-01`)
	d.press("e")
	d.sees(`bob's approval on "" is over`)
}
