package ui

import (
	"testing"

	"ephemera/ui/uitest"
)

// The empty text is an id like any other, and would leave a hole in a sentence.
func TestTheTokenWithTheEmptyIdIsVisibleWhereverItIsNamed(t *testing.T) {
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
