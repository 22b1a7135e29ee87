package app

import (
	"fmt"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

// MaxCopyBytes is the size, in bytes, of the longest text that can be copied. Most terminals
// silently ignore a longer one.
const MaxCopyBytes = 74_000

// CopyItem is a text that can be copied, and its name for the user, such as "token id".
type CopyItem struct{ Name, Text string }

// CopyText returns the command that copies a text to the clipboard and shows a notice about
// that, or about why it failed.
func CopyText(state *State, item CopyItem) tea.Cmd {
	copyToClipboard := state.Copy
	if copyToClipboard == nil {
		return Notify(LevelWarn, "copy: there is no terminal to copy through")
	}
	return func() tea.Msg {
		if err := copyToClipboard(item.Text); err != nil {
			return NoticeMsg{Level: LevelBad, Text: err.Error()}
		}
		size := human.Plural(len(item.Text), "byte")
		text := fmt.Sprintf("copied %s (%s): %s", item.Name, size, item.Text)
		return NoticeMsg{Level: LevelGood, Text: text}
	}
}

// ExecuteLine returns the command line of wasmd, the program of a CosmWasm chain, that
// sends a message to a contract.
func ExecuteLine(state *State, sender cw721.Address, msg []byte) string {
	contractArg := quoteForShell(string(state.Config.Self))
	msgArg := quoteForShell(string(msg))
	senderArg := quoteForShell(state.InputText(sender))
	return fmt.Sprintf("wasmd tx wasm execute %s %s --from %s", contractArg, msgArg, senderArg)
}

// QueryLine returns the command line of wasmd, the program of a CosmWasm chain, that
// queries a contract.
func QueryLine(state *State, msg []byte) string {
	contractArg := quoteForShell(string(state.Config.Self))
	msgArg := quoteForShell(string(msg))
	return fmt.Sprintf("wasmd query wasm contract-state smart %s %s", contractArg, msgArg)
}

// plainForShell matches a text that needs no quotes in a shell.
var plainForShell = regexp.MustCompile(`^[a-zA-Z0-9_./:@%+,-]+$`)

// quoteForShell quotes a text for a POSIX shell. A text without special
// characters stays as it is.
func quoteForShell(text string) string {
	if plainForShell.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
