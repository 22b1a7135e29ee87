package history

import (
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/ui/app"
)

// copyItems returns the texts about a node that can be copied: the message and its answer
// as JSON, wasmd commands that send the message and that query the token, and a step of a
// scenario file. A text that does not exist for the node is left out.
func (d *nodeDetail) copyItems(state *app.State) (items []app.CopyItem) {
	node := d.node
	if node.Kind == history.KindExecute || node.Kind == history.KindInstantiate {
		items = append(items, app.CopyItem{Name: "message as JSON", Text: node.Message})
	}

	// The answer of a clock move is only the clock after it.
	if len(node.Answer) > 0 && node.Kind != history.KindClock {
		items = append(items, app.CopyItem{Name: "answer as JSON", Text: string(node.Answer)})
	}
	if node.Kind == history.KindExecute {
		line := app.ExecuteLine(state, node.Sender, []byte(node.Message))
		items = append(items, app.CopyItem{Name: "wasmd execute", Text: line})
	}

	// Query the token of the message, or else the collection.
	query := cw721.Encode(&cw721.GetCollectionInfoAndExtension{})
	if d.tokenID != nil {
		query = cw721.Encode(&cw721.AllNftInfo{TokenID: *d.tokenID})
	}
	items = append(items, app.CopyItem{Name: "wasmd query", Text: app.QueryLine(state, query)})
	if step := scenarioStepText(state, node); step != "" {
		items = append(items, app.CopyItem{Name: "scenario step", Text: step})
	}
	return items
}

// scenarioStepText returns a node as one step of a scenario file in YAML: the block, the
// message, and the answer that is expected. It returns "" for a node that cannot be a
// step of a scenario.
func scenarioStepText(state *app.State, node history.Node) string {
	step := scenario.Step{At: &scenario.At{Height: &node.Height, Time: &node.Time}}
	switch node.Kind {
	case history.KindClock:
		_, after, found := chain.ClocksOf(node)
		if !found {
			return ""
		}
		step.At = &scenario.At{Height: &after.Height, Time: &after.Time}
	case history.KindExecute, history.KindInstantiate:
		step.Sender = state.InputText(node.Sender)
		step.Kind = scenario.Kind(node.Kind)
		step.Message = []byte(node.Message)
		step.Expect = &scenario.Expect{Answer: node.Answer}
		if node.Refusal != nil {
			step.Expect = &scenario.Expect{Refused: true, Kind: node.Refusal.Kind}
		}
	default:
		return ""
	}

	// Only a whole scenario can be written, so cut off its header.
	var out strings.Builder
	err := scenario.Write(&out, scenario.YAML, scenario.Header{}, func(write func(scenario.Step) error) error {
		return write(step)
	})
	if err != nil {
		return ""
	}
	_, text, _ := strings.Cut("\n"+out.String(), "\nsteps:\n")
	return text
}
