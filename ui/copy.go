package ui

import (
	"fmt"
	"io"
	"strings"

	osc52 "github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// copyMost is how much is handed to a terminal at once, in bytes: most take no
// more and say nothing.
const copyMost = 74_000

// terminalClipboard copies by asking the terminal (OSC 52), which works across
// ssh too. Inside tmux and screen the request is wrapped so that it gets
// through; tmux may be set to take the bare one instead, so it gets both.
func terminalClipboard(out io.Writer, env func(string) string) func(string) error {
	return func(text string) error {
		if len(text) > copyMost {
			return fmt.Errorf("copy: %d bytes are more than terminals take (%d)", len(text), copyMost)
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

// copying is a text that can be copied.
type copying struct{ name, text string }

// copyText gives the command that copies a text and says so.
func copyText(d *Desk, c copying) tea.Cmd {
	do := d.Copy
	return func() tea.Msg {
		if do == nil {
			return sayMsg{levelWarn, "copy: there is no terminal to copy through"}
		}
		if err := do(c.text); err != nil {
			return sayMsg{levelBad, err.Error()}
		}
		return sayMsg{levelGood, fmt.Sprintf("copied %s (%s): %s", c.name, bytesOf(len(c.text)), c.text)}
	}
}

func bytesOf(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return widget.Group(uint64(n)) + " bytes"
}

// openCopy lets a person choose what to copy.
func openCopy(d *Desk, what []copying) tea.Cmd {
	items := make([]widget.Item, len(what))
	for i, c := range what {
		items[i] = widget.Item{ID: c.name, Title: c.name, Detail: bytesOf(len(c.text))}
	}
	return dialog(newChooser("Copy", "what to copy", items, func(d *Desk, id string) tea.Cmd {
		for _, c := range what {
			if c.name == id {
				return copyText(d, c)
			}
		}
		return nil
	}))
}

// copySubject offers what can be copied of what is under the cursor.
func copySubject(d *Desk, s Subject) tea.Cmd {
	var what []copying
	if s.Token != nil {
		query := cw721.Encode(&cw721.AllNftInfo{TokenID: *s.Token})
		what = append(what, copying{"token id", *s.Token}, copying{"query as JSON", string(query)}, copying{"wasmd query", queryLine(d, query)})
	}
	if s.Account != "" {
		query := cw721.Encode(&cw721.TokensQuery{Owner: s.Account})
		what = append(what, copying{"address", string(s.Account)}, copying{"query of its tokens", string(query)}, copying{"wasmd query of its tokens", queryLine(d, query)})
	}
	if s.Account == "" {
		what = append(what, copying{"address of whoever acts", string(d.Actor)})
	}
	return openCopy(d, append(what, copying{"address of the contract", string(d.Config.Self)}))
}

// executeLine is the command line that sends a message on a chain.
func executeLine(d *Desk, sender cw721.Address, msg []byte) string {
	return fmt.Sprintf("wasmd tx wasm execute %s %s --from %s", shell(string(d.Config.Self)), shell(string(msg)), shell(d.typed(sender)))
}

// queryLine is the command line that asks a chain.
func queryLine(d *Desk, msg []byte) string {
	return fmt.Sprintf("wasmd query wasm contract-state smart %s %s", shell(string(d.Config.Self)), shell(string(msg)))
}

// shell quotes a text for a POSIX shell: as it is where nothing in it could mean
// anything there, else in single quotes.
func shell(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+,", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
