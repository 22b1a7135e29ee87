package collection

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// roleField returns the field of the screen for a role, such as the minter. It shows who
// holds the role, and to whom the role is offered.
func roleField(kind app.RoleKind) collectionField {
	return collectionField{
		key:   kind.Name,
		label: kind.Name,
		showValue: func(state *app.State, collection chain.Collection) widget.Line {
			return roleValue(state, kind.OwnershipIn(collection))
		},
		inquiries: func(_ chain.Collection, account cw721.Address) []inquiry {
			return []inquiry{
				{action: "offer it", msg: kind.Message(cw721.Offer(account, nil))},
				{action: "accept the offer", msg: kind.Message(cw721.Accept)},
				{action: "renounce it", msg: kind.Message(cw721.Renounce)},
			}
		},
		openForm: func(state *app.State, collection chain.Collection) tea.Cmd {
			candidate := kind.OwnershipIn(collection).PendingOwner
			if candidate != nil && *candidate == state.Actor {
				return openRoleForm(state, kind, "accept")
			}
			return openRoleForm(state, kind, "offer")
		},
		verb:      "hand on",
		accountIn: func(collection chain.Collection) *cw721.Address { return kind.OwnershipIn(collection).Owner },
		explain: func(state *app.State, facts *collectionFacts) []widget.Line {
			return explainOffer(state, kind.Name, kind.OwnershipIn(facts.Collection), facts.offers[kind.Name])
		},
	}
}

// roleValue returns a line with the holder of a role. If the role is offered to another
// account, the line also says to whom, and until when or that the offer has expired.
func roleValue(state *app.State, role cw721.Ownership) widget.Line {
	holder := accountLine(state, role.Owner, "nobody, renounced for good")
	if role.PendingOwner == nil {
		return holder
	}

	// A nil expiry means that the offer never expires.
	candidateName := state.DisplayName(*role.PendingOwner)
	expires := role.PendingExpiry
	if expires != nil && expires.HasExpired(state.Block()) {
		expiredOffer := " " + themes.GlyphExpired + " offer to " + candidateName + " expired"
		return holder.Append(themes.Expired, expiredOffer)
	}
	offer := holder.Append(themes.Live, " "+themes.GlyphLive).Text(" offered to " + candidateName)
	if expires == nil {
		return offer
	}
	return offer.Muted(", " + state.When(*expires))
}

// explainOffer describes the offer of a role to another account: to whom it is made, and
// whether it can still be accepted.
func explainOffer(state *app.State, roleName string, role cw721.Ownership, offer expiry.Entry) []widget.Line {
	heading := widget.Header("Offer")
	switch {
	case role.Owner == nil:
		return []widget.Line{widget.Muted("Nobody holds the role any more, and nobody can: renouncing it is final.")}
	case role.PendingOwner == nil:
		return []widget.Line{
			heading,
			widget.Faint("none: the holder can offer the role, and it passes on when the offer is accepted"),
		}
	}

	candidateName := state.DisplayName(*role.PendingOwner)
	liveOffer := widget.Styled(themes.Live, themes.GlyphLive+" ").Strong(candidateName)
	if role.PendingExpiry == nil {
		return []widget.Line{heading, liveOffer.Muted(" may accept it; the offer never expires")}
	}

	expires := *role.PendingExpiry
	expiryText := "  " + human.Expiry(expires)
	distanceText := "  " + human.ExpiresIn(expires, state.Block())
	if expires.HasExpired(state.Block()) {
		offerText := themes.GlyphExpired + " " + candidateName + expiryText + distanceText
		expiredOffer := widget.Styled(themes.Expired, offerText)
		reason := fmt.Sprintf(
			"It expired: %s can no longer accept it. It stays here until the %s makes another.",
			candidateName, roleName)
		return []widget.Line{heading, expiredOffer, widget.Muted(reason)}
	}
	return []widget.Line{
		heading,
		liveOffer.Text(expiryText).Append(themes.Live, distanceText),
		app.Countdown(app.BarWidth*2, offer, state.Clock),
		widget.Muted(state.DisplayName(*role.Owner) + " keeps the role until it is accepted."),
	}
}

// roleActions are the messages about a role.
var roleActions = []messageChoice{
	{
		name:        "offer",
		title:       "Offer",
		description: "it stays yours until somebody accepts it",
		phrases:     "transfer_ownership, hand over the role",
		inputNames:  []string{"new_owner", "expiry"},
	},
	{
		name:        "accept",
		title:       "Accept",
		description: "the account that it is offered to takes it over",
		phrases:     "accept_ownership",
	},
	{
		name:        "renounce",
		title:       "Renounce",
		description: "nobody will ever hold it again",
		phrases:     "renounce_ownership, give up",
	},
}

// openRoleForm opens the form that offers, accepts or renounces a role. An offer may expire.
func openRoleForm(state *app.State, kind app.RoleKind, actionName string) tea.Cmd {
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		var action cw721.OwnershipAction
		switch input.Values["action"] {
		case "accept":
			action = cw721.Accept
		case "renounce":
			action = cw721.Renounce
		default: // "offer"
			action = cw721.Offer(input.ReadAddress("new_owner"), input.ReadExpiry("expiry"))
		}
		return state.Layout.Message(kind.Message(action))
	}
	newOwner := form.AccountField(state, "new_owner", "New "+kind.Name)
	expires := form.ExpiryField(state, "expiry")
	return openActionForm(state, "The role of "+kind.Name, roleActions, actionName,
		readMessage, newOwner, expires)
}
