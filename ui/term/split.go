package term

import tea "github.com/charmbracelet/bubbletea"

// Split takes fast typing apart. Keys that reach the program in one read come as
// one message of several letters, which no binding matches; outside a text field
// each letter is a key. A paste stays whole: outside a field it is to be ignored
// (msg.Paste), not typed.
func Split(msg tea.KeyMsg) []tea.KeyMsg {
	if msg.Paste || msg.Type != tea.KeyRunes || len(msg.Runes) < 2 {
		return []tea.KeyMsg{msg}
	}
	keys := make([]tea.KeyMsg, len(msg.Runes))
	for i, r := range msg.Runes {
		keys[i] = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
	}
	return keys
}
