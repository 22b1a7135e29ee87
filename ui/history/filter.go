package history

import (
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
)

// nodeFilter is the parsed filter of the list, such as "refused sender:bob transfer". A
// node must meet all its conditions.
type nodeFilter struct {
	onlyRefused bool     // only messages that were refused
	onlyClock   bool     // only clock moves
	sender      string   // the beginning of the sender's name or address; "" is any sender
	words       []string // each must be in the row or the message; in lower case
}

// filterHelp is the hint beside the filter that says what can be typed.
const filterHelp = "text · sender:NAME · refused · clock"

// filterKeys are the words with a meaning in a filter. All other words are searched
// for.
var filterKeys = []string{"sender:", "refused", "clock"}

// parseFilter parses the text of a filter, such as "refused sender:bob transfer",
// ignoring case. It never fails. If the text has two senders, the last one counts. A word
// with an unknown key, such as "block:7", is searched for like any other word.
func parseFilter(text string, _ []string, _ chain.Book) (filter nodeFilter, err error) {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		sender, isSender := strings.CutPrefix(word, "sender:")
		switch {
		case isSender:
			filter.sender = sender
		case word == "refused":
			filter.onlyRefused = true
		case word == "clock":
			filter.onlyClock = true
		default:
			filter.words = append(filter.words, word)
		}
	}
	return filter, nil
}

// isEmpty reports whether the filter has no conditions, so that every node meets it.
func (f nodeFilter) isEmpty() bool {
	return !f.onlyRefused && !f.onlyClock && f.sender == "" && len(f.words) == 0
}

// matches reports whether a node meets all conditions of the filter. senderName is the
// name of its sender, and text is what its row of the list shows. Words are searched for
// in text, in the message and in the reason of a refusal.
func (f nodeFilter) matches(node history.Node, senderName, text string) bool {
	if f.onlyRefused && node.Refusal == nil {
		return false
	}
	if f.onlyClock && node.Kind != history.KindClock {
		return false
	}
	if f.sender != "" && !f.matchesSender(node, senderName) {
		return false
	}
	searched := strings.ToLower(text + " " + node.Message)
	if node.Refusal != nil {
		searched += " " + strings.ToLower(node.Refusal.Text)
	}
	for _, word := range f.words {
		if !strings.Contains(searched, word) {
			return false
		}
	}
	return true
}

// matchesSender reports whether the sender's name or address begins with the text of the
// condition sender:TEXT. A clock move has no sender.
func (f nodeFilter) matchesSender(node history.Node, senderName string) bool {
	if node.Sender == "" {
		return false
	}
	hasName := strings.HasPrefix(strings.ToLower(senderName), f.sender)
	hasAddress := strings.HasPrefix(string(node.Sender), f.sender)
	return hasName || hasAddress
}

// nothingHappened is the text of a list without rows and without a filter.
const nothingHappened = "nothing happened yet"

// restartList makes the table read the list anew after a change of the filter. It also
// chooses the text for a list without rows.
func (s *Screen) restartList(*app.State) {
	s.Panes.Table.EmptyText = nothingHappened
	if s.Filter.AppliedText != "" {
		s.Panes.Table.EmptyText = "nothing like that happened; / changes the filter: " + filterHelp
	}
	s.Panes.Table.Restart()
	s.Panes.Table.HidesMostRows = !s.Filter.Filter.isEmpty() // many nodes may be between two rows
}
