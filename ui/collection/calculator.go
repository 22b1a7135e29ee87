package collection

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openCalculator opens the form that splits the price of a sale. It sends no message: it
// calculates while the user types, and enter closes it.
func openCalculator(state *app.State, royalty cw721.RoyaltyInfo) tea.Cmd {
	field := widget.Field{
		Name:        "price",
		Label:       "Sale price",
		Placeholder: app.Decimal(examplePrice),
		Hint:        "a whole number of the coin's smallest unit",
	}
	calculate := func(state *app.State, values map[string]string) (result form.Result) {
		price := uint64(examplePrice)
		if digits := form.WithoutSeparators(values["price"]); digits != "" {
			var err error
			price, err = strconv.ParseUint(digits, 10, 64)
			if err != nil {
				result.Fail("price", "sale price: expected a whole number up to 18,446,744,073,709,551,615")
				return result
			}
		}
		result.Effect = saleTable(state, royalty, price)
		return result
	}
	dialog := form.NewAction("Royalty of a sale", calculate, field)
	dialog.Verb = "close" // what enter does
	return form.Open(state, dialog)
}

// saleTable returns a table of how a price is split between royalty and seller: at the
// present royalty, after the largest raise that one update can make, and at the highest
// share that there is.
func saleTable(state *app.State, royalty cw721.RoyaltyInfo, price uint64) []widget.Line {
	payee := state.DisplayName(royalty.PaymentAddress)
	heading := widget.Fit("royalty", saleNameWidth) + "to " + payee + " + to the seller"
	lines := []widget.Line{widget.Header(heading), saleRow("now", royalty.Share, price, themes.Strong)}

	// Show what the next update could make of it.
	if highest := highestShare(state.Config.Rules, &royalty); highest.Cmp(cw721.MaxShare) < 0 {
		lines = append(lines, saleRow("after the largest update", highest, price, themes.Text))
	}
	return append(lines, saleRow("at the cap", cw721.MaxShare, price, themes.Text))
}

// saleNameWidth is the width of the name and the share in a row of [saleTable], in cells.
const saleNameWidth = 32

// saleRow returns a row of [saleTable], such as "now 5 %   50,000 + 950,000" for a price of
// 1,000,000. style is that of the share and the royalty.
func saleRow(name string, share cw721.Share, price uint64, style themes.Role) widget.Line {
	royaltyAmount := share.PortionOf(price)
	// The name, a blank and the share together fill the first column.
	percentage := widget.Fit(share.Percentage()+" %", saleNameWidth-len(name)-1)
	return widget.Muted(name+" ").
		Append(style, percentage+human.Thousands(royaltyAmount)).
		Muted(" + " + human.Thousands(price-royaltyAmount))
}
