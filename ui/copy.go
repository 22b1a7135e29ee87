package ui

import (
	"fmt"
	"io"
	"strings"

	osc52 "github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
)

// terminalClipboard copies by asking the terminal (OSC 52), which works across
// ssh too. Inside tmux and screen the request is wrapped so that it gets
// through; tmux may be set to take the bare one instead, so it gets both.
func terminalClipboard(out io.Writer, env func(string) string) func(string) error {
	return func(text string) error {
		if len(text) > app.CopyMost {
			return fmt.Errorf("copy: %d bytes are more than terminals take (%d)", len(text), app.CopyMost)
		}
		request := osc52.New(text)
		ask := request.String()
		switch {
		case env("TMUX") != "":
			ask += request.Tmux().String()
		case strings.HasPrefix(env("TERM"), "screen"):
			ask = request.Screen().String()
		}
		_, err := io.WriteString(out, ask)
		return err
	}
}

// copySubject offers what can be copied of what is under the cursor.
func copySubject(st *app.State, s app.Subject) tea.Cmd {
	var what []app.CopyItem
	if s.Token != nil {
		query := cw721.Encode(&cw721.AllNftInfo{TokenID: *s.Token})
		what = append(what, app.CopyItem{Name: "token id", Text: *s.Token}, app.CopyItem{Name: "query as JSON", Text: string(query)}, app.CopyItem{Name: "wasmd query", Text: app.QueryLine(st, query)})
	}
	if s.Account != "" {
		query := cw721.Encode(&cw721.TokensQuery{Owner: s.Account})
		what = append(what, app.CopyItem{Name: "address", Text: string(s.Account)}, app.CopyItem{Name: "query of its tokens", Text: string(query)}, app.CopyItem{Name: "wasmd query of its tokens", Text: app.QueryLine(st, query)})
	}
	if s.Account == "" {
		what = append(what, app.CopyItem{Name: "address of whoever acts", Text: string(st.Actor)})
	}
	return form.OpenCopy(st, append(what, app.CopyItem{Name: "address of the contract", Text: string(st.Config.Self)}))
}
