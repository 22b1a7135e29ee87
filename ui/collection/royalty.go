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

// exampleSale is the price that royalties are shown at where none is typed, in
// the smallest unit of a coin: one whole coin of the usual six digits.
const exampleSale = 1_000_000

// splitSale says who gets what of a sale. Contracts round the royalty down.
func splitSale(st *app.State, r cw721.RoyaltyInfo, price uint64) string {
	paid := r.Share.Of(price)
	return fmt.Sprintf("of %s: %s to %s, %s to the seller", chain.Thousands(price), chain.Thousands(paid), st.Call(r.PaymentAddress), chain.Thousands(price-paid))
}

// highestShare is the largest royalty that one update may set.
func highestShare(rules cw721.Rules, old *cw721.RoyaltyInfo) cw721.Share {
	step, ok := rules.ShareStep()
	if !ok || old == nil || old.Share.Cmp(cw721.MaxShare) >= 0 {
		return cw721.MaxShare
	}
	room := cw721.MaxShare.Sub(old.Share)
	if room.Cmp(step) <= 0 {
		return cw721.MaxShare
	}
	return cw721.MaxShare.Sub(room.Sub(step))
}

// limits says how far the royalty may be raised, before anybody runs into it.
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
	var old *cw721.RoyaltyInfo
	if f.Extension != nil {
		old = f.Extension.RoyaltyInfo
	}
	var lines []widget.Line
	if old != nil {
		lines = append(lines, widget.Plain(splitSale(st, *old, exampleSale)), widget.In(themes.Key, "c").And(themes.Muted, " calculates it for any price"), nil)
	}
	return append(lines,
		widget.In(themes.Header, "How far it may go"),
		widget.Plain(limits(st.Config.Rules, old)),
		widget.In(themes.Muted, "It can be set to 0, never taken away. The contract enforces none of it: marketplaces are asked to pay."))
}

// calculator tells what a sale pays to whom.
type calculator struct {
	royalty cw721.RoyaltyInfo
	rules   cw721.Rules
	form    *widget.Form
	sheet   *widget.Sheet
	box     widget.Box
	price   uint64
	bad     bool
}

func newCalculator(st *app.State, r cw721.RoyaltyInfo) *calculator {
	c := &calculator{royalty: r, rules: st.Config.Rules, price: exampleSale, form: widget.NewForm(
		widget.Field{Name: "price", Label: "Sale price", Placeholder: app.Decimal(exampleSale), Hint: "a whole number of the coin's smallest unit"},
	)}
	c.sheet = widget.NewSheet(c.form)
	c.sheet.Talks = true
	return c
}

func (c *calculator) Resize(b widget.Box) { c.box = b }

func (c *calculator) Commands(*app.State) []app.Command {
	return form.SheetKeys(c.sheet, "close", "close")
}

func (c *calculator) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch c.sheet.Update(msg) {
	case widget.FormCancel, widget.FormSubmit:
		return nil, true
	case widget.FormChange:
		c.review()
	}
	return nil, false
}

func (c *calculator) review() {
	text := strings.NewReplacer(",", "", "_", "", " ", "").Replace(c.form.Value("price"))
	c.form.ClearErrors()
	if c.price, c.bad = exampleSale, false; text == "" {
		return
	}
	price, err := strconv.ParseUint(text, 10, 64)
	if c.price, c.bad = price, err != nil; c.bad {
		c.form.SetError("price", "sale price: expected a whole number up to 18,446,744,073,709,551,615")
	}
}

func (c *calculator) View(st *app.State) string {
	box := widget.Box{W: min(c.box.W, 72), H: c.box.H}
	var said []widget.Line
	if !c.bad {
		w := widget.FrameInner(box).W - 2
		row := func(left, right widget.Line) {
			gap := max(w-widget.Width(left.String())-widget.Width(right.String()), 1)
			said = append(said, append(left.And(themes.Text, strings.Repeat(" ", gap)), right...))
		}
		add := func(label string, share cw721.Share, role themes.Role) {
			paid := share.Of(c.price)
			row(widget.In(themes.Muted, label).And(role, " "+share.Percentage()+" %"), widget.In(role, chain.Thousands(paid)).And(themes.Muted, " + "+chain.Thousands(c.price-paid)))
		}
		row(widget.In(themes.Header, "royalty"), widget.In(themes.Header, "to "+st.Call(c.royalty.PaymentAddress)+" + to the seller"))
		add("now", c.royalty.Share, themes.Strong)
		if highest := highestShare(c.rules, &c.royalty); highest.Cmp(cw721.MaxShare) < 0 {
			add("after the largest update", highest, themes.Text)
		}
		add("at the cap", cw721.MaxShare, themes.Text)
	}
	return c.sheet.View(st.Theme, "Royalty of a sale", box, said)
}
