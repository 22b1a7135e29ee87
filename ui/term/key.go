package term

import tea "github.com/charmbracelet/bubbletea"

// keyTypes has the keys that are no letters, by the names that bindings use.
var keyTypes = func() map[string]tea.KeyType {
	names := map[string]tea.KeyType{}
	for t := tea.KeyType(-128); t < 128; t++ {
		name := tea.Key{Type: t}.String()
		if _, taken := names[name]; name != "" && !taken && t != tea.KeyRunes {
			names[name] = t
		}
	}
	return names
}()

// Key gives the key press that a binding names: "a", "enter", "ctrl+d". It is
// for what stands in for a key, as a click on its name does.
func Key(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if t, ok := keyTypes[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

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
