package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/uitest"
)

// Token ids are any text: what they hold must neither break a frame nor reach
// the terminal.
func TestOddTokensBreakNoViewOfTimeOrPermissions(t *testing.T) {
	odd := []string{"", "\x1b[31mred\x1b]52;c;aGk=\x07", "日本語の猿", "\u202eevil\u2066", "a\nb\tc", "e\u0301\u200d", "👩‍👩‍👧", strings.Repeat("long ", 400)}
	rapid.Check(t, func(rt *rapid.T) {
		d := uitest.New(t, New, rapid.IntRange(40, 150).Draw(rt, "w"), rapid.IntRange(12, 45).Draw(rt, "h"))
		id := rapid.OneOf(rapid.SampledFrom(odd), rapid.String()).Draw(rt, "id")
		quoted, err := json.Marshal(id)
		if err != nil {
			rt.Skip("no JSON form")
		}
		mint := fmt.Sprintf(`{"mint":{"token_id":%s,"owner":"$alice"}}`, quoted)
		if r, err := d.Chain.Preview(chaintest.Address("minter"), []byte(mint)); err != nil || r.Refusal != nil {
			rt.Skip("taken")
		}
		d.Do("minter", mint)
		d.Do("alice", fmt.Sprintf(`{"approve":{"token_id":%s,"spender":"$alice","expires":{"at_height":1105}}}`, quoted))
		check := func(what string) {
			frame := d.Model.View()
			if why := uitest.Misfit(frame, d.Size); why != "" {
				rt.Fatalf("%s: %s:\n%s", what, why, d.Screen())
			}
			for _, bad := range []string{"\x1b]", "\u202e", "\u2066", "\x07", "\t", "\u200d"} {
				if strings.Contains(frame, bad) {
					rt.Fatalf("%s: %q reached the terminal", what, bad)
				}
			}
		}
		d.To("History")
		check("history")
		for _, keys := range [][]string{{"j", "tab", "G"}, {"w"}, {"B"}, {"L", "e", "E"}, {"M", "c"}, {"v", "down", "down", "enter"}, {"v"}, {"y"}} {
			for _, k := range keys {
				d.Press(k)
				check(strings.Join(keys, " "))
			}
			d.Press("esc")
		}
	})
}

// The empty text is an id like any other, and would leave a hole in a sentence.
func TestTheTokenWithoutAnIdIsSeenWhereverItIsNamed(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Do("minter", `{"mint":{"token_id":"","owner":"$alice"}}`)
	d.Press("g")
	d.Sees(`▸ ""`, "(the empty id)")
	d.Press("p")
	d.Sees(`Approve a spender for "" as alice`)
	d.Keys("bob", "tab", "+2", "enter")
	d.Sees(`approved bob for ""`, `"" → bob`)
	d.Press("5")
	d.Sees(`approve bob for "" until height 1,104`)
	d.Press("2")
	d.Sees(`●  ""`)
	d.Press("8")
	d.Sees(`9 tokens: "", ape-01`)
	d.Press("e")
	d.Sees(`bob's approval on "" expired`)
}
