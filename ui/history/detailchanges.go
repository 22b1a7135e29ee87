package history

import (
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// readChanges reads what the node changed, in sentences and as stored records, and the
// names of the node. A record is shown as "- " and the old value, "+ " and the new one.
func (d *nodeDetail) readChanges(view *chain.View, facts app.Facts) error {
	changes, err := view.ChangesOf(d.node.ID)
	if err != nil {
		return err
	}
	d.changeSentences = explain.Describe(d.layout, changes, facts.DisplayName)
	if d.node.Kind == history.KindImport { // whose changes the history does not keep
		d.changeSentences = []string{explain.DescribeNode(view.Config.Contract(), d.node, facts.DisplayName)}
	}
	for _, change := range changes {
		d.changedRecords = append(d.changedRecords,
			widget.Styled(themes.Accent, "  "+facts.RecordKey(change.Key)),
			widget.Faint(fmt.Sprintf("    %X", change.Key)),
			widget.Muted("    - ").Append(themes.Expired, valueText(change.OldValue)),
			widget.Muted("    + ").Text(valueText(change.NewValue)))
	}

	names, err := view.NamesByNode()
	if err != nil {
		return err
	}
	d.names = names[d.node.ID]
	return nil
}

// valueText returns the text of a stored value. nil means that there was no record.
func valueText(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return string(value)
}

// writeOutcome writes whether the message was carried out or refused and why. If the
// built-in contract answered differently from the compiled one that ran, it writes both
// answers.
func (d *nodeDetail) writeOutcome(state *app.State, text *widget.Text) {
	if refusal := d.node.Refusal; refusal != nil {
		line := app.VerdictSign(false).Text("refused")
		line = line.Muted(" (" + string(refusal.Kind) + "): ")
		text.Add(line.Text(state.RefusalText(refusal.Kind, refusal.Text)))
	} else {
		text.Add(app.VerdictSign(true).Text("carried out"))
	}
	if difference := chain.DifferenceOf(d.node); difference != nil {
		text.Add(state.DifferenceLines(*difference)...)
	}
}

// writeAttributes writes the attributes of the contract's response, such as "action
// transfer_nft". An address is replaced by its name. The section is omitted if the
// answer has no attributes, as that of a refused message.
func writeAttributes(state *app.State, text *widget.Text, node history.Node) {
	var answer cw721.Response
	err := wire.Decode(node.Answer, &answer)
	if err != nil || len(answer.Attributes) == 0 {
		return
	}
	writeHeading(text, "Attributes")
	const keyWidth = 12
	for _, attribute := range answer.Attributes {
		value := attribute.Value
		if name, found := state.Names[cw721.Address(value)]; found {
			value = name
		}
		key := widget.Fit(widget.Safe(attribute.Key), keyWidth)
		text.Add(widget.Muted("  " + key + " ").Text(value))
	}
}
