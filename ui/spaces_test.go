package ui

import (
	"testing"

	"ephemera/ui/uitest"
)

// "7" and "7 " are different tokens, so no screen may show them alike.
func TestAnIdThatEndsInASpaceIsQuotedOnEveryScreen(t *testing.T) {
	c := uitest.Fixture(t)
	for _, id := range []string{"7", "7 "} {
		uitest.Execute1(t, c, "minter", `{"mint":{"token_id":"`+id+`","owner":"$alice"}}`)
		uitest.Execute1(t, c, "alice", `{"approve":{"token_id":"`+id+`","spender":"$carol"}}`)
	}

	// Dialogs about the token, and about all tokens of the list.
	for key, title := range map[string]string{
		"b": `Burn "7 "`,
		"p": `Approve a spender for "7 "`,
		"t": `Transfer "7 "`,
		"r": `Revoke an approval of "7 "`,
		"d": `Send "7 "`,
		"w": `transfer "7 "`,
	} {
		d := uitest.On(t, New, c, 120, 36)
		d.ActAs("alice")
		d.Keys("/", "7", "enter", "g", "j")
		d.Sees(` "7 " `)
		d.Keys(key)
		d.SeesIn(uitest.Dialog, title)
	}
	d := uitest.On(t, New, c, 120, 36)
	d.ActAs("alice")
	d.Keys("/", "7", "enter", "*", "b")
	d.SeesIn(uitest.Dialog, `  "7 "`)

	// Lists.
	for screen, text := range map[string]string{
		"Approvals": `"7 "`,
		"History":   `approve carol for "7 "`,
	} {
		d := uitest.On(t, New, c, 120, 36)
		d.To(screen)
		d.SeesIn(uitest.List, text)
	}
}
