package app

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
)

// CopyMost is how much is handed to a terminal at once, in bytes: most take no
// more and say nothing.
const CopyMost = 74_000

// CopyItem is a text that can be copied.
type CopyItem struct{ Name, Text string }

// CopyText gives the command that copies a text and says so.
func CopyText(st *State, c CopyItem) tea.Cmd {
	do := st.Copy
	return func() tea.Msg {
		if do == nil {
			return NoticeMsg{LevelWarn, "copy: there is no terminal to copy through"}
		}
		if err := do(c.Text); err != nil {
			return NoticeMsg{LevelBad, err.Error()}
		}
		return NoticeMsg{LevelGood, fmt.Sprintf("copied %s (%s): %s", c.Name, Plural(len(c.Text), "byte"), c.Text)}
	}
}

// ExecuteLine is the command line that sends a message on a chain.
func ExecuteLine(st *State, sender cw721.Address, msg []byte) string {
	return fmt.Sprintf("wasmd tx wasm execute %s %s --from %s", quoteForShell(string(st.Config.Self)), quoteForShell(string(msg)), quoteForShell(st.Typed(sender)))
}

// QueryLine is the command line that asks a chain.
func QueryLine(st *State, msg []byte) string {
	return fmt.Sprintf("wasmd query wasm contract-state smart %s %s", quoteForShell(string(st.Config.Self)), quoteForShell(string(msg)))
}

// quoteForShell quotes a text for a POSIX shell. A text without special
// characters stays as it is.
func quoteForShell(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+,", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
