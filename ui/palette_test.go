package ui

import (
	"testing"

	"ephemera/ui/uitest"
)

// palettes types a search into the palette.
func palettes(d *uitest.Driver, typed string) {
	d.Press(":")
	d.Types(typed)
}

func TestThePaletteFindsCommandsByTheMessagesOfTheContract(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	for typed, first := range map[string]string{
		"send": "Send this token", "send_nft": "Send this token", "deliver": "Send this token", "transfer_nft": "Transfer this token", "burn": "Burn this token",
		"approve_all": "Grant an operator", "mint": "Mint a token", "export": "Export", "expire": "Timeline",
	} {
		palettes(d, typed)
		d.SeesIn(uitest.Dialog, "▸ "+first)

		d.Press("esc")
	}
	d.Press("4", "1")
	palettes(d, "ownership")
	d.Sees("Offer the minter role", "Renounce the creator role")

	d.Press("esc")
	palettes(d, "update_ownership")
	d.Sees("update_ownership", "in the console")

	d.Press("esc")
	palettes(d, "royalty")
	d.Sees("▸ Royalty of a sale")
}

func TestThePaletteGoesToTokensAndAccounts(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	palettes(d, "ape-17")
	d.SeesIn(uitest.Dialog, "▸ ape-17", "token")

	d.Press("enter")
	d.Sees("▸ ape-17")

	palettes(d, "carol")
	d.Press("enter")
	d.Sees("▸   carol")

	palettes(d, "owner_of")
	d.Press("enter")
	d.Sees(`"owner_of": {`)
}
