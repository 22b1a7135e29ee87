package collection

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// exampleSale is the price of a sale if none is typed, in the smallest unit of a
// coin: one coin with the usual six decimals.
const exampleSale = 1_000_000

// splitSale says how a price is split between the royalty, rounded down, and the
// seller.
func splitSale(st *app.State, r cw721.RoyaltyInfo, price uint64) string {
	paid := r.Share.Of(price)
	return fmt.Sprintf("of %s: %s to %s, %s to the seller", chain.Thousands(price), chain.Thousands(paid), st.DisplayName(r.PaymentAddress), chain.Thousands(price-paid))
}

// highestShare returns the largest share that one update may set.
func highestShare(rules cw721.Rules, old *cw721.RoyaltyInfo) cw721.Share {
	step, hasStep := rules.ShareStep()
	if !hasStep || old == nil || old.Share.Cmp(cw721.MaxShare) >= 0 {
		return cw721.MaxShare
	}
	room := cw721.MaxShare.Sub(old.Share)
	if room.Cmp(step) <= 0 {
		return cw721.MaxShare
	}
	return cw721.MaxShare.Sub(room.Sub(step)) // old plus step: shares are only subtracted
}

// limits says how far one update may raise the royalty.
func limits(rules cw721.Rules, old *cw721.RoyaltyInfo) string {
	highest := highestShare(rules, old)
	upTo := fmt.Sprintf("at most %s %%", highest.Percentage())
	step, ok := rules.ShareStep()
	switch {
	case ok && old != nil && highest.Cmp(cw721.MaxShare) < 0:
		return fmt.Sprintf("%s now: one update raises it by %s %% or less, and never above %s %%", upTo, step.Percentage(), cw721.MaxShare.Percentage())
	case ok && old == nil:
		return fmt.Sprintf("%s; a later update raises it by %s %% or less", upTo, step.Percentage())
	}
	return upTo + ", the cap; lowering it has no limit"
}

func aboutRoyalty(st *app.State, f *collectionFacts) []widget.Line {
	old := extension(f.Collection).RoyaltyInfo
	var lines []widget.Line
	if old != nil {
		lines = append(lines, widget.Plain(splitSale(st, *old, exampleSale)), widget.In(themes.Key, "c").And(themes.Muted, " calculates it for any price"), nil)
	}
	return append(lines,
		widget.In(themes.Header, "How far it may go"),
		widget.Plain(limits(st.Config.Rules, old)),
		widget.In(themes.Muted, "It can be set to 0, never taken away. The contract enforces none of it: marketplaces are asked to pay."))
}

// openCalculator opens the form that splits the price of a sale.
func openCalculator(st *app.State, r cw721.RoyaltyInfo) tea.Cmd {
	f := form.NewAction("Royalty of a sale", func(st *app.State, v map[string]string) form.Result {
		digits := strings.NewReplacer(",", "", "_", "", " ", "").Replace(v["price"])
		if digits == "" {
			return form.Result{Said: salesOf(st, r, exampleSale)}
		}
		price, err := strconv.ParseUint(digits, 10, 64)
		if err != nil {
			return form.Result{Problems: []form.Problem{{Field: "price", Text: "sale price: expected a whole number up to 18,446,744,073,709,551,615"}}}
		}
		return form.Result{Said: salesOf(st, r, price)}
	}, widget.Field{Name: "price", Label: "Sale price", Placeholder: app.Decimal(exampleSale), Hint: "a whole number of the coin's smallest unit"})
	f.Verb = "close"
	return form.Open(st, f)
}

// salesOf returns a table of how a price is split: at the present royalty, after
// the largest update, and at the cap.
func salesOf(st *app.State, r cw721.RoyaltyInfo, price uint64) []widget.Line {
	const label = 32 // cells
	said := []widget.Line{widget.In(themes.Header, widget.Fit("royalty", label)+"to "+st.DisplayName(r.PaymentAddress)+" + to the seller")}
	add := func(name string, share cw721.Share, role themes.Role) {
		paid, percent := share.Of(price), share.Percentage()+" %"
		said = append(said, widget.In(themes.Muted, name+" ").And(role, widget.Fit(percent, label-len(name)-1)).
			And(role, chain.Thousands(paid)).And(themes.Muted, " + "+chain.Thousands(price-paid)))
	}
	add("now", r.Share, themes.Strong)
	if highest := highestShare(st.Config.Rules, &r); highest.Cmp(cw721.MaxShare) < 0 {
		add("after the largest update", highest, themes.Text)
	}
	add("at the cap", cw721.MaxShare, themes.Text)
	return said
}
