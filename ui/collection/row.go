package collection

import (
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// buildRows lists the fields with their values and the sign of [collectionFacts.changeSign].
func (f *collectionFacts) buildRows(state *app.State) []widget.Row {
	var rows []widget.Row
	for _, field := range f.fields {
		rows = append(rows, widget.Row{
			Key: field.key,
			Cells: []widget.Line{
				widget.Muted(field.label),
				field.showValue(state, f.Collection),
				append(widget.Plain(" "), f.changeSign(field.key)...),
			},
		})
	}
	return rows
}

// changeSign returns a sign for whether the actor may send a message that changes the field
// with a key. It is a dot if the contract was not asked about the field.
func (f *collectionFacts) changeSign(key string) widget.Line {
	results := f.inquiryResults[key]
	if len(results) == 0 {
		return widget.Faint(themes.GlyphDot)
	}
	for _, result := range results {
		if result.onlyUsesField {
			continue
		}
		for _, verdict := range result.verdicts {
			concernsActor := verdict.isOpenToEveryone || verdict.account == f.actor
			if verdict.isAllowed && concernsActor {
				return app.VerdictSign(true)
			}
		}
	}
	return app.VerdictSign(false)
}

// accountLine returns the name of an account, or the text placeholder if address is nil.
func accountLine(state *app.State, address *cw721.Address, placeholder string) widget.Line {
	if address == nil {
		return widget.Faint(placeholder)
	}
	return widget.Plain(state.DisplayName(*address))
}
