package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// exampleSale is the price that royalties are shown at where none is typed, in
// the smallest unit of a coin: one whole coin of the usual six digits.
const exampleSale = 1_000_000

// splitSale says who gets what of a sale. Contracts round the royalty down.
func splitSale(d *Desk, r cw721.RoyaltyInfo, price uint64) string {
	paid := r.Share.Of(price)
	return fmt.Sprintf("of %s: %s to %s, %s to the seller", chain.Thousands(price), chain.Thousands(paid), d.Call(r.PaymentAddress), chain.Thousands(price-paid))
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

func aboutRoyalty(d *Desk, f *collectionFacts) []widget.Line {
	var old *cw721.RoyaltyInfo
	if f.Extension != nil {
		old = f.Extension.RoyaltyInfo
	}
	var lines []widget.Line
	if old != nil {
		lines = append(lines, widget.Plain(splitSale(d, *old, exampleSale)), widget.In(themes.Key, "c").And(themes.Muted, " calculates it for any price"), nil)
	}
	return append(lines,
		widget.In(themes.Header, "How far it may go"),
		widget.Plain(limits(d.Config.Rules, old)),
		widget.In(themes.Muted, "It can be set to 0, never taken away. The contract enforces none of it: marketplaces are asked to pay."))
}

// parseShare reads a share as people write it, "5 %", or as the contract does,
// "0.05".
func parseShare(text string) (cw721.Share, error) {
	text = strings.TrimSpace(text)
	percent, ok := strings.CutSuffix(text, "%")
	percent = strings.TrimSpace(percent)
	whole, frac, dotted := strings.Cut(percent, ".")
	share, err := cw721.ParseShare(percent)
	if err != nil || ok && dotted && len(frac) > 16 {
		return cw721.Share{}, fmt.Errorf("share: %q is no share, expected like 5 %% or 0.05", text)
	}
	if !ok {
		return share, nil
	}
	whole = "00" + whole
	return cw721.ParseShare(whole[:len(whole)-2] + "." + whole[len(whole)-2:] + frac)
}

// shareSlip calls out a percentage that was typed as a share, as the contract
// would take it: 5 is 500 %. It is nil where none is likely.
func shareSlip(text string, share cw721.Share) []widget.Line {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "%") || share.Cmp(cw721.Percent(100)) <= 0 {
		return nil
	}
	return []widget.Line{widget.In(themes.Warn, fmt.Sprintf("%s %s is %s %%: was %s %% meant?", themes.GlyphWarn, text, share.Percentage(), text))}
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

func newCalculator(d *Desk, r cw721.RoyaltyInfo) *calculator {
	c := &calculator{royalty: r, rules: d.Config.Rules, price: exampleSale, form: widget.NewForm(
		widget.Field{Name: "price", Label: "Sale price", Placeholder: uitoa(exampleSale), Hint: "a whole number of the coin's smallest unit"},
	)}
	c.sheet = widget.NewSheet(c.form)
	c.sheet.Talks = true
	return c
}

func (c *calculator) Resize(b widget.Box) { c.box = b }

func (c *calculator) Commands(*Desk) []Command { return sheetKeys(c.sheet, "close", "close") }

func (c *calculator) Update(_ *Desk, msg tea.Msg) (tea.Cmd, bool) {
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

func (c *calculator) View(d *Desk) string {
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
		row(widget.In(themes.Header, "royalty"), widget.In(themes.Header, "to "+d.Call(c.royalty.PaymentAddress)+" + to the seller"))
		add("now", c.royalty.Share, themes.Strong)
		if highest := highestShare(c.rules, &c.royalty); highest.Cmp(cw721.MaxShare) < 0 {
			add("after the largest update", highest, themes.Text)
		}
		add("at the cap", cw721.MaxShare, themes.Text)
	}
	return c.sheet.View(d.Theme, "Royalty of a sale", box, said)
}
