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

// detail writes one field out: its value in full, what more there is to say, and
// who may change it.
func (f *collectionFacts) detail(st *app.State, field collectionField) []widget.Line {
	lines := []widget.Line{widget.In(themes.Title, field.label), field.value(st, f.Collection)}
	if field.account != nil {
		if a := field.account(f.Collection); a != nil {
			lines = append(lines, widget.In(themes.Faint, string(*a)))
		}
	}
	if field.about != nil {
		lines = append(append(lines, widget.Line{}), field.about(st, f)...)
	}
	for _, a := range f.answers[field.key] {
		lines = append(append(lines, widget.Line{}), f.who(st, a)...)
	}
	if field.edit == nil {
		return append(lines, widget.Line{}, widget.In(themes.Muted, "No message changes it."))
	}
	return append(lines, widget.Line{}, widget.In(themes.Key, "enter").And(themes.Muted, " opens the form: it shows what would happen before anything does"))
}

// who lists everyone who may do something, and whoever acts.
func (f *collectionFacts) who(st *app.State, a answer) []widget.Line {
	lines := []widget.Line{widget.In(themes.Header, "Who may "+a.text+"?")}
	for _, r := range a.verdicts {
		switch {
		case r.anyone && r.allowed:
			lines = append(lines, app.Verdict(true).And(themes.Strong, "anyone ").And(themes.Muted, "no permission is needed"))
		case r.anyone:
			lines = append(lines, app.Verdict(false).And(themes.Strong, "nobody ").And(themes.Muted, r.text))
		case r.allowed:
			lines = append(lines, app.Verdict(true).And(themes.Strong, st.DisplayName(r.who)+" ").And(themes.Muted, strings.TrimPrefix(r.text, st.DisplayName(r.who)+" ")))
		case r.who == f.actor:
			lines = append(lines, app.Verdict(false).And(themes.Strong, st.DisplayName(r.who)+" ").And(themes.Text, "“"+r.refusal+"”").And(themes.Muted, ": "+strings.TrimSuffix(r.text, ", not "+st.DisplayName(r.who))))
		}
	}
	return lines
}

func aboutTrading(st *app.State, f *collectionFacts) []widget.Line {
	lines := []widget.Line{widget.In(themes.Muted, "Marketplaces read it. The contract itself moves tokens before and after alike.")}
	if at := extension(f.Collection).StartTradingTime; at != nil {
		lines = append([]widget.Line{
			widget.Plain(chain.InUTC(*at)),
			widget.Plain(form.FromNow(*at, st.Clock.Time)),
			widget.Plain(app.Decimal(uint64(*at)) + " ns"), {},
		}, lines...)
	}
	return lines
}

// saying says the same of a field whatever it holds.
func saying(text string) func(*app.State, *collectionFacts) []widget.Line {
	return func(*app.State, *collectionFacts) []widget.Line { return []widget.Line{widget.In(themes.Muted, text)} }
}

const withdrawSaid = "Where withdraw_funds pays coins that the contract holds. Anyone may set that off, as the money can go nowhere else."

func aboutVersion(st *app.State, f *collectionFacts) []widget.Line {
	holds := "A token's metadata are nine fields, kept on the chain."
	if st.Config.Flavour == cw721.FlavourBase {
		holds = "A token has no metadata on the chain, only a link to it."
	}
	return []widget.Line{widget.Plain(f.Version.Contract), widget.Plain("version " + f.Version.Version), {}, widget.In(themes.Muted, holds)}
}

// aboutRole says to whom a role is offered, and what became of that.
func aboutRole(st *app.State, r app.RoleKind, o cw721.Ownership) []widget.Line {
	lines := []widget.Line{widget.In(themes.Header, "Offer")}
	switch {
	case o.Owner == nil:
		return []widget.Line{widget.In(themes.Muted, "Nobody holds the role any more, and nobody can: renouncing it is final.")}
	case o.PendingOwner == nil:
		return append(lines, widget.In(themes.Faint, "none: handing the role on takes an offer, and its acceptance"))
	case o.PendingExpiry == nil:
		return append(lines, widget.In(themes.Live, themes.GlyphLive+" ").And(themes.Strong, st.DisplayName(*o.PendingOwner)).
			And(themes.Muted, " may accept it; the offer never expires"))
	}
	now, end, _ := o.PendingExpiry.Compare(st.Block())
	if now >= end {
		return append(lines,
			widget.In(themes.Expired, themes.GlyphExpired+" "+st.DisplayName(*o.PendingOwner)+"  "+chain.Expiry(*o.PendingExpiry)+"  "+chain.ExpiresIn(*o.PendingExpiry, st.Block())),
			widget.In(themes.Muted, fmt.Sprintf("It expired: %s can no longer accept it. It stays here until the %s makes another.", st.DisplayName(*o.PendingOwner), r.Name)))
	}
	return append(lines,
		widget.In(themes.Live, themes.GlyphLive+" ").And(themes.Strong, st.DisplayName(*o.PendingOwner)).And(themes.Text, "  "+chain.Expiry(*o.PendingExpiry)).
			And(themes.Live, "  "+chain.ExpiresIn(*o.PendingExpiry, st.Block())),
		app.Countdown(app.BarWidth*2, *o.PendingExpiry, st.Clock),
		widget.In(themes.Muted, st.DisplayName(*o.Owner)+" keeps the role until it is accepted."))
}

// aboutRules says in words what the rule set changes.
func aboutRules(st *app.State, _ *collectionFacts) []widget.Line {
	rules := st.Config.Rules
	lines := []widget.Line{widget.Plain(map[cw721.Rules]string{
		cw721.RulesStandard: "The interface as it is documented, and the default.",
		cw721.RulesV019:     "Version 0.19.0 as it was released, mistakes included.",
		cw721.RulesV022:     "Version 0.22.0 as it was released.",
	}[rules]), {}, widget.In(themes.Header, "What it changes")}
	say := func(text string) {
		lines = append(lines, widget.In(themes.Muted, themes.GlyphDot+" ").And(themes.Text, text))
	}
	if rules.RoyaltyByAnyone() {
		say("anyone may change the royalty: a hole that version 0.22.0 closed")
	} else {
		say("only the creator may change the royalty")
	}
	if step, ok := rules.ShareStep(); ok {
		say("one update may raise the royalty by at most " + step.Percentage() + " %")
	} else {
		say("one update may raise the royalty up to the cap at once")
	}
	if rules.HasAdditionalMinters() {
		say("the minter may let up to ten others mint, and a collection may have a banner")
		say("members that no message has are ignored, and the console names them")
		say("a burn also reports the owner, an update of a token its link")
	}
	return append(lines, widget.Line{}, widget.In(themes.Muted, "The rule set is chosen when the collection is created."))
}
