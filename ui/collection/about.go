package collection

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// detail writes a field: its full value, what there is to say about it, and who
// may change it.
func (f *collectionFacts) detail(st *app.State, field collectionField) []widget.Line {
	lines := []widget.Line{widget.In(themes.Title, field.label), field.value(st, f.Collection)}
	if field.account != nil {
		if a := field.account(f.Collection); a != nil {
			lines = append(lines, widget.In(themes.Faint, string(*a)))
		}
	}
	if field.about != nil {
		lines = append(lines, widget.Line{})
		lines = append(lines, field.about(st, f)...)
	}
	for _, a := range f.answers[field.key] {
		lines = append(lines, widget.Line{})
		lines = append(lines, f.whoMay(st, a)...)
	}
	if field.edit == nil {
		return append(lines, widget.Line{}, widget.In(themes.Muted, "No message changes it."))
	}
	return append(lines, widget.Line{}, widget.In(themes.Key, "enter").And(themes.Muted, " opens the form: it shows what would happen before anything does"))
}

// whoMay lists the accounts that may do something, and why the actor may not.
func (f *collectionFacts) whoMay(st *app.State, a answer) []widget.Line {
	lines := []widget.Line{widget.In(themes.Header, "Who may "+a.text+"?")}
	for _, d := range a.verdicts {
		name := st.DisplayName(d.account)
		switch {
		case d.anyone && d.allowed:
			lines = append(lines, app.Verdict(true).And(themes.Strong, "anyone ").And(themes.Muted, "no permission is needed"))
		case d.anyone:
			lines = append(lines, app.Verdict(false).And(themes.Strong, "nobody ").And(themes.Muted, d.rule))
		case d.allowed:
			lines = append(lines, app.Verdict(true).And(themes.Strong, name+" ").And(themes.Muted, strings.TrimPrefix(d.rule, name+" ")))
		case d.account == f.actor:
			rule := strings.TrimSuffix(d.rule, ", not "+name)
			lines = append(lines, app.Verdict(false).And(themes.Strong, name+" ").And(themes.Text, "“"+d.refusal+"”").And(themes.Muted, ": "+rule))
		}
	}
	return lines
}

// aboutTrading writes the start of trading in all its forms.
func aboutTrading(st *app.State, f *collectionFacts) (lines []widget.Line) {
	if at := extension(f.Collection).StartTradingTime; at != nil {
		lines = append(lines,
			widget.Plain(chain.InUTC(*at)),
			widget.Plain(form.FromNow(*at, st.Clock.Time)),
			widget.Plain(app.Decimal(uint64(*at))+" ns"),
			widget.Line{})
	}
	return append(lines, widget.In(themes.Muted, "Marketplaces read it. The contract itself moves tokens before and after alike."))
}

// aboutInWords returns a function that always says the same about a field.
func aboutInWords(text string) func(*app.State, *collectionFacts) []widget.Line {
	return func(*app.State, *collectionFacts) []widget.Line { return []widget.Line{widget.In(themes.Muted, text)} }
}

const aboutWithdraw = "Where withdraw_funds pays coins that the contract holds. Anyone may set that off, as the money can go nowhere else."

// aboutVersion writes what contract_info says, and what a token holds.
func aboutVersion(st *app.State, f *collectionFacts) []widget.Line {
	holds := "A token's metadata are nine fields, kept on the chain."
	if st.Config.Flavour == cw721.FlavourBase {
		holds = "A token has no metadata on the chain, only a link to it."
	}
	return []widget.Line{
		widget.Plain(f.Version.Contract),
		widget.Plain("version " + f.Version.Version),
		{},
		widget.In(themes.Muted, holds),
	}
}

// aboutRole writes the offer of a role: to whom it is made, and whether it can
// still be accepted.
func aboutRole(st *app.State, kind app.RoleKind, role cw721.Ownership) []widget.Line {
	lines := []widget.Line{widget.In(themes.Header, "Offer")}
	if role.Owner == nil {
		return []widget.Line{widget.In(themes.Muted, "Nobody holds the role any more, and nobody can: renouncing it is final.")}
	}
	if role.PendingOwner == nil {
		return append(lines, widget.In(themes.Faint, "none: handing the role on takes an offer, and its acceptance"))
	}
	candidate := st.DisplayName(*role.PendingOwner)
	live := widget.In(themes.Live, themes.GlyphLive+" ").And(themes.Strong, candidate)
	if role.PendingExpiry == nil {
		return append(lines, live.And(themes.Muted, " may accept it; the offer never expires"))
	}

	expires := *role.PendingExpiry
	at := "  " + chain.Expiry(expires)
	in := "  " + chain.ExpiresIn(expires, st.Block())
	if expires.Expired(st.Block()) {
		return append(lines,
			widget.In(themes.Expired, themes.GlyphExpired+" "+candidate+at+in),
			widget.In(themes.Muted, fmt.Sprintf("It expired: %s can no longer accept it. It stays here until the %s makes another.", candidate, kind.Name)))
	}
	return append(lines,
		live.And(themes.Text, at).And(themes.Live, in),
		app.Countdown(app.BarWidth*2, expires, st.Clock),
		widget.In(themes.Muted, st.DisplayName(*role.Owner)+" keeps the role until it is accepted."))
}

// aboutRules says what the rule set changes.
func aboutRules(st *app.State, _ *collectionFacts) []widget.Line {
	rules := st.Config.Rules
	summaries := map[cw721.Rules]string{
		cw721.RulesStandard: "The interface as it is documented, and the default.",
		cw721.RulesV019:     "Version 0.19.0 as it was released, mistakes included.",
		cw721.RulesV022:     "Version 0.22.0 as it was released.",
	}
	lines := []widget.Line{widget.Plain(summaries[rules]), {}, widget.In(themes.Header, "What it changes")}
	add := func(text string) {
		lines = append(lines, widget.In(themes.Muted, themes.GlyphDot+" ").And(themes.Text, text))
	}

	if rules.RoyaltyByAnyone() {
		add("anyone may change the royalty: a hole that version 0.22.0 closed")
	} else {
		add("only the creator may change the royalty")
	}
	if step, ok := rules.ShareStep(); ok {
		add("one update may raise the royalty by at most " + step.Percentage() + " %")
	} else {
		add("one update may raise the royalty up to the cap at once")
	}
	if rules.HasAdditionalMinters() {
		add("the minter may let up to ten others mint, and a collection may have a banner")
		add("members that no message has are ignored, and the console names them")
		add("a burn also reports the owner, an update of a token its link")
	}
	return append(lines, widget.Line{}, widget.In(themes.Muted, "The rule set is chosen when the collection is created."))
}
