package collection

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// royaltyValue shows the royalty, such as "5 % to alice", or "none".
func royaltyValue(state *app.State, collection chain.Collection) widget.Line {
	royalty := extensionOf(collection).RoyaltyInfo
	if royalty == nil {
		return widget.Faint("none")
	}
	share := widget.Styled(themes.Strong, royalty.Share.Percentage()+" %")
	return share.Muted(" to ").Text(state.DisplayName(royalty.PaymentAddress))
}

// royaltyAccount returns the account that the royalty is paid to, or nil if there
// is no royalty.
func royaltyAccount(collection chain.Collection) *cw721.Address {
	if royalty := extensionOf(collection).RoyaltyInfo; royalty != nil {
		return &royalty.PaymentAddress
	}
	return nil
}

// royaltyInquiries asks who may set the royalty to its present value, which every rule set
// accepts. If there is no royalty, it asks about 0 % to the account.
func royaltyInquiries(collection chain.Collection, account cw721.Address) []inquiry {
	royalty := extensionOf(collection).RoyaltyInfo
	if royalty == nil {
		royalty = &cw721.RoyaltyInfo{PaymentAddress: account}
	}
	msg := newExtensionUpdate(cw721.CollectionExtensionMsg{RoyaltyInfo: royalty})
	return []inquiry{{action: "change it", msg: msg}}
}

// explainRoyalty shows the split of an example sale and how far the royalty may be
// raised.
func explainRoyalty(state *app.State, facts *collectionFacts) []widget.Line {
	var lines []widget.Line
	currentRoyalty := extensionOf(facts.Collection).RoyaltyInfo
	if currentRoyalty != nil {
		lines = append(lines,
			widget.Plain(saleSplitText(state, *currentRoyalty, examplePrice)),
			widget.Styled(themes.Key, "c").Muted(" calculates it for any price"),
			nil)
	}
	return append(lines,
		widget.Header("What it can become"),
		widget.Plain(royaltyLimits(state.Config.Rules, currentRoyalty)),
		widget.Muted("It can be set to 0, but not removed. The contract does not enforce it: marketplaces are asked to pay."))
}

// openRoyaltyForm opens the form that sets the royalty: the share of a sale, and the
// account that it is paid to.
func openRoyaltyForm(state *app.State, collection chain.Collection) tea.Cmd {
	shareField := widget.Field{Name: "share", Label: "Share", Placeholder: "5 %", Hint: "like 5 % or 0.05"}
	payeeField := form.AccountField(state, "payment_address", "Paid to")
	currentRoyalty := extensionOf(collection).RoyaltyInfo
	if currentRoyalty != nil {
		shareField.Value = currentRoyalty.Share.Percentage() + " %"
		payeeField.Value = state.InputText(currentRoyalty.PaymentAddress)
	}

	return openChangeForm(state, "royalty", func(input *form.Input) cw721.ExecuteMsg {
		return readRoyalty(input, currentRoyalty)
	}, shareField, payeeField)
}

// readRoyalty reads the form of [openRoyaltyForm]. Under the share it shows how the price
// of a sale would be split, and how far one update may raise the royalty. currentRoyalty
// is the royalty now, or nil if the collection has none.
func readRoyalty(input *form.Input, currentRoyalty *cw721.RoyaltyInfo) cw721.ExecuteMsg {
	payee := input.ReadAddress("payment_address")
	share, err := form.ParseShare(input.Values["share"])
	if err != nil {
		input.Fail("share", err.Error())
	}
	royalty := cw721.RoyaltyInfo{PaymentAddress: payee, Share: share}

	if err == nil && share.Cmp(cw721.Percent(100)) <= 0 { // otherwise it cannot be taken from a price
		input.Note("share", widget.Muted(saleSplitText(input.State, royalty, examplePrice)))
	}
	input.Note("share", form.PercentSignWarning(input.Values["share"], share)...)
	input.Note("share", widget.Muted(royaltyLimits(input.State.Config.Rules, currentRoyalty)))
	return newExtensionUpdate(cw721.CollectionExtensionMsg{RoyaltyInfo: &royalty})
}

// examplePrice is the price of a sale if none is typed, in the smallest unit of a
// coin. It is one coin with the usual six decimals.
const examplePrice = 1_000_000

// saleSplitText says how a price is split between the royalty, rounded down, and the
// seller. The share must not exceed 100 %.
func saleSplitText(state *app.State, royalty cw721.RoyaltyInfo, price uint64) string {
	royaltyAmount := royalty.Share.PortionOf(price)
	return fmt.Sprintf("of %s: %s to %s, %s to the seller",
		human.Thousands(price),
		human.Thousands(royaltyAmount),
		state.DisplayName(royalty.PaymentAddress),
		human.Thousands(price-royaltyAmount))
}

// highestShare returns the largest share that one update may set. currentRoyalty is the
// royalty before the update, or nil if there is none.
func highestShare(rules cw721.Rules, currentRoyalty *cw721.RoyaltyInfo) cw721.Share {
	maxIncrease, isLimited := rules.MaxShareIncrease()
	if !isLimited || currentRoyalty == nil || currentRoyalty.Share.Cmp(cw721.MaxShare) >= 0 {
		return cw721.MaxShare
	}
	belowCap := cw721.MaxShare.Sub(currentRoyalty.Share)
	if belowCap.Cmp(maxIncrease) <= 0 { // a whole increase would exceed the cap
		return cw721.MaxShare
	}

	// This is the current share plus maxIncrease. Shares can only be subtracted.
	return cw721.MaxShare.Sub(belowCap.Sub(maxIncrease))
}

// royaltyLimits says how far one update may raise the royalty. currentRoyalty is the
// royalty before the update, or nil if there is none.
func royaltyLimits(rules cw721.Rules, currentRoyalty *cw721.RoyaltyInfo) string {
	highest := highestShare(rules, currentRoyalty)
	maxIncrease, isLimited := rules.MaxShareIncrease()
	switch {
	case isLimited && currentRoyalty == nil:
		return fmt.Sprintf("at most %s %%; a later update raises it by %s %% or less",
			highest.Percentage(), maxIncrease.Percentage())
	case highest.Cmp(cw721.MaxShare) < 0:
		return fmt.Sprintf("at most %s %% now: one update raises it by %s %% or less, and never above %s %%",
			highest.Percentage(), maxIncrease.Percentage(), cw721.MaxShare.Percentage())
	}
	return fmt.Sprintf("at most %s %%, the cap; lowering it has no limit", highest.Percentage())
}
