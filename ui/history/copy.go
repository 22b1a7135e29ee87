package history

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/core/wire"
	"ephemera/ui/app"
	"ephemera/ui/form"
)

// copy offers the node under the cursor in the forms that other tools take.
func (s *Screen) copy(st *app.State) tea.Cmd {
	f := s.facts
	if f == nil {
		return nil
	}
	n := f.node
	var what []app.CopyItem
	if n.Kind == history.KindExecute || n.Kind == history.KindInstantiate {
		what = append(what, app.CopyItem{Name: "message as JSON", Text: n.Message})
	}
	if len(n.Answer) > 0 && n.Kind != history.KindClock {
		what = append(what, app.CopyItem{Name: "answer as JSON", Text: string(n.Answer)})
	}
	if n.Kind == history.KindExecute {
		what = append(what, app.CopyItem{Name: "wasmd execute", Text: app.ExecuteLine(st, n.Sender, []byte(n.Message))})
	}
	query := cw721.Encode(&cw721.GetCollectionInfoAndExtension{})
	if f.onToken {
		query = cw721.Encode(&cw721.AllNftInfo{TokenID: f.token})
	}
	what = append(what, app.CopyItem{Name: "wasmd query", Text: app.QueryLine(st, query)})
	if step := scenarioStep(st, n); step != "" {
		what = append(what, app.CopyItem{Name: "scenario step", Text: step})
	}
	return form.OpenCopy(st, what)
}

// scenarioStep writes a node as a step of a scenario file, with its block and
// what is expected; "" for what no scenario holds.
func scenarioStep(st *app.State, n history.Node) string {
	step := scenario.Step{At: &scenario.At{Height: &n.Height, Time: &n.Time}}
	switch n.Kind {
	case history.KindClock:
		_, to, ok := chain.ClocksOf(n)
		if !ok {
			return ""
		}
		step.At = &scenario.At{Height: &to.Height, Time: &to.Time}
	case history.KindExecute, history.KindInstantiate:
		step.As, step.Kind, step.Message = st.InputText(n.Sender), scenario.Kind(n.Kind), []byte(n.Message)
		step.Expect = &scenario.Expect{Answer: wire.Raw(n.Answer)}
		if n.Refusal != nil {
			step.Expect = &scenario.Expect{Refused: true, Kind: n.Refusal.Kind}
		}
	default:
		return ""
	}
	var out strings.Builder
	one := func(write func(scenario.Step) error) error { return write(step) }
	if err := scenario.Write(&out, scenario.YAML, scenario.Header{}, one); err != nil {
		return ""
	}
	_, text, _ := strings.Cut("\n"+out.String(), "\nsteps:\n")
	return text
}
