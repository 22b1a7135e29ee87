package history

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// pastFilter narrows the history: "refused", "clock", "sender:bob", and words
// that must appear in what a node says.
type pastFilter struct {
	refused, clock bool
	sender         string
	words          []string
}

// pastFilterHelp is what can be typed.
const pastFilterHelp = "text · sender:NAME · refused · clock"

// pastKeys are the key that it has and the words that are no text.
var pastKeys = []string{"sender:", "refused", "clock"}

func parsePastFilter(text string) (f pastFilter) {
	for _, word := range strings.Fields(strings.ToLower(text)) {
		sender, found := strings.CutPrefix(word, "sender:")
		switch {
		case found:
			f.sender = sender
		case word == "refused":
			f.refused = true
		case word == "clock":
			f.clock = true
		default:
			f.words = append(f.words, word)
		}
	}
	return f
}

func (f pastFilter) empty() bool {
	return !f.refused && !f.clock && f.sender == "" && len(f.words) == 0
}

// keeps tells whether a node stays. sender is what people call who sent it,
// text what is shown of it.
func (f pastFilter) keeps(n history.Node, sender, text string) bool {
	if f.refused && n.Refusal == nil || f.clock && n.Kind != history.KindClock {
		return false
	}
	if f.sender != "" && (n.Sender == "" || !strings.HasPrefix(strings.ToLower(sender), f.sender) && !strings.HasPrefix(string(n.Sender), f.sender)) {
		return false
	}
	all := strings.ToLower(text + " " + n.Message)
	if n.Refusal != nil {
		all += " " + strings.ToLower(n.Refusal.Text)
	}
	return !slices.ContainsFunc(f.words, func(word string) bool { return !strings.Contains(all, word) })
}

// typeFilter takes a key while the filter is typed; it works as it is typed.
func (s *Screen) typeFilter(msg tea.KeyMsg) {
	switch msg.String() {
	case "enter":
		s.typing = false
		s.Table.Reload() // so that what is typed ahead waits for the rows
	case "esc":
		s.typing = false
		s.apply("")
	default:
		if s.typed.Update(msg) {
			s.apply(s.typed.Value())
		}
	}
}

// apply shows what fits a filter.
func (s *Screen) apply(text string) {
	if text == s.text {
		return
	}
	s.text, s.filter = text, parsePastFilter(text)
	s.Table.Empty = "nothing happened yet"
	if text != "" {
		s.Table.Empty = "nothing like that happened; / changes the filter: " + pastFilterHelp
	}
	s.Table.Restart()
	s.Table.Sparse = !s.filter.empty()
}

// strange says of a key in the filter that there is none, while it is typed and
// where it finds nothing.
func (s *Screen) strange(w int) widget.Line {
	if _, some := s.Table.Cursor(); some && !s.typing {
		return nil
	}
	if key := app.UnknownFilterKey(s.text, pastKeys); key != "" {
		return app.UnknownFilterKeyWarning(key, pastKeys, w)
	}
	return nil
}
