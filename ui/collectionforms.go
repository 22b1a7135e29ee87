package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// collectionForm opens a form for one field of the collection.
func collectionForm(d *Desk, what string, build func(*Desk, map[string]string) draft, fields ...widget.Field) tea.Cmd {
	return openForm(newActionForm(d, "Change the "+what, build, fields...))
}

func nameForm(d *Desk, c chain.Collection) tea.Cmd {
	return collectionForm(d, "name", func(_ *Desk, v map[string]string) draft {
		name := v["name"]
		return message(&cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Name: &name}})
	}, widget.Field{Name: "name", Label: "Name", Value: c.Name})
}

func symbolForm(d *Desk, c chain.Collection) tea.Cmd {
	return collectionForm(d, "symbol", func(_ *Desk, v map[string]string) draft {
		symbol := v["symbol"]
		return message(&cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Symbol: &symbol}})
	}, widget.Field{Name: "symbol", Label: "Symbol", Value: c.Symbol})
}

// extended is the message that changes the extension.
func extended(e cw721.CollectionExtensionMsg) draft {
	return message(&cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Extension: &e}})
}

// extension gives what is stored; nothing stored reads as empty.
func extension(c chain.Collection) cw721.CollectionExtension {
	if c.Extension == nil {
		return cw721.CollectionExtension{}
	}
	return *c.Extension
}

func descriptionForm(d *Desk, c chain.Collection) tea.Cmd {
	return collectionForm(d, "description", func(_ *Desk, v map[string]string) draft {
		text := v["description"]
		out := extended(cw721.CollectionExtensionMsg{Description: &text})
		out.notes = map[string][]widget.Line{"description": {widget.In(themes.Muted, bytesOf(len(text)))}}
		return out
	}, widget.Field{Name: "description", Label: "Description", Value: extension(c).Description})
}

func imageForm(d *Desk, c chain.Collection) tea.Cmd {
	return collectionForm(d, "image", func(_ *Desk, v map[string]string) draft {
		text := v["image"]
		return extended(cw721.CollectionExtensionMsg{Image: &text})
	}, widget.Field{Name: "image", Label: "Image", Value: extension(c).Image, Hint: "an absolute URL, like ipfs://bafy…/cover.png"})
}

func linkForm(d *Desk, c chain.Collection) tea.Cmd {
	f := widget.Field{Name: "external_link", Label: "Link", Hint: "an absolute URL, like https://apes.example.com"}
	if link := extension(c).ExternalLink; link != nil {
		f.Value = *link
	}
	return collectionForm(d, "external link", func(_ *Desk, v map[string]string) draft {
		text := v["external_link"]
		return extended(cw721.CollectionExtensionMsg{ExternalLink: &text})
	}, f)
}

func explicitForm(d *Desk, c chain.Collection) tea.Cmd {
	value := "no"
	if e := extension(c).ExplicitContent; e != nil && *e {
		value = "yes"
	}
	return collectionForm(d, "explicit content", func(_ *Desk, v map[string]string) draft {
		yes := v["explicit_content"] == "yes"
		return extended(cw721.CollectionExtensionMsg{ExplicitContent: &yes})
	}, widget.Field{Name: "explicit_content", Label: "Explicit content", Kind: widget.ChoiceField, Options: []widget.Candidate{{Value: "no"}, {Value: "yes"}}, Value: value, Hint: "← → choose"})
}

const tradingHelp = "+90m · 12:40 · 2026-12-01 09:00"

func tradingForm(d *Desk, c chain.Collection) tea.Cmd {
	f := widget.Field{Name: "start_trading_time", Label: "Trading starts", Placeholder: tradingHelp, Hint: tradingHelp}
	if at := tradingStart(c); at != nil {
		f.Value = typeExpiry(cw721.UntilTime(*at))
	}
	return collectionForm(d, "start of trading", func(d *Desk, v map[string]string) draft {
		at, notes, problems := moments(d.Clock, v["start_trading_time"], "start_trading_time", "trading starts")
		if len(problems) > 0 {
			return draft{problems: problems}
		}
		out := extended(cw721.CollectionExtensionMsg{StartTradingTime: at})
		out.notes = map[string][]widget.Line{"start_trading_time": notes}
		return out
	}, f)
}

// moments reads a time as people type it, with what it means in all its forms.
// Nothing typed is a problem.
func moments(clock chain.Clock, text, field, label string) (*cw721.Time, []widget.Line, []problem) {
	if strings.TrimSpace(text) == "" {
		return nil, nil, []problem{{field, label + ": a time is missing, expected like " + tradingHelp}}
	}
	e, err := wanted{field: label, not: "time", help: tradingHelp, timeOnly: true}.read(text, clock)
	if err != nil {
		return nil, nil, []problem{{field, err.Error()}}
	}
	at := cw721.Time(e.Value)
	notes := []widget.Line{widget.In(themes.Muted, fmt.Sprintf("%s · %s · %d ns", chain.InUTC(at), fromNow(at, clock.Time), e.Value))}
	if e.Warning != "" {
		notes = append(notes, widget.In(themes.Warn, themes.GlyphWarn+" "+e.Warning))
	}
	return &at, notes, nil
}

func royaltyForm(d *Desk, c chain.Collection) tea.Cmd {
	old := extension(c).RoyaltyInfo
	payment, share := who(d, "payment_address", "Paid to"), widget.Field{Name: "share", Label: "Share", Placeholder: "5 %", Hint: "like 5 % or 0.05"}
	if old != nil {
		payment.Value, share.Value = d.typed(old.PaymentAddress), old.Share.Percentage()+" %"
	}
	f, preview := newActionForm(d, "Change the royalty", func(d *Desk, v map[string]string) draft {
		to, problems := readAddress(d, v, "payment_address")
		out := draft{problems: problems, notes: map[string][]widget.Line{}}
		r := cw721.RoyaltyInfo{PaymentAddress: to}
		var err error
		if r.Share, err = parseShare(v["share"]); err != nil {
			out.problems = append(out.problems, problem{"share", err.Error()})
		} else if r.Share.Cmp(cw721.Percent(100)) <= 0 {
			out.notes["share"] = append(out.notes["share"], widget.In(themes.Muted, splitSale(d, r, exampleSale)))
		}
		out.notes["share"] = append(out.notes["share"], shareSlip(v["share"], r.Share)...)
		out.notes["share"] = append(out.notes["share"], widget.In(themes.Muted, limits(d.Config.Rules, old)))
		return out.fill(&cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Extension: &cw721.CollectionExtensionMsg{RoyaltyInfo: &r}}})
	}, share, payment)
	return openForm(f, preview)
}
