package history

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/history"
	"ephemera/core/scenario"
	"ephemera/ui/app"
)

// mark marks a moment as an end of what is to be recorded, or takes the mark
// away. Two are enough: a third takes the place of the second.
func (s *Screen) mark(st *app.State, id history.ID) tea.Cmd {
	key := strconv.FormatUint(uint64(id), 10)
	marked := s.Table.Marked()
	switch {
	case s.Table.IsMarked(key):
		s.Table.Mark(key, false)
		return app.Notify(app.LevelInfo, fmt.Sprintf("#%d is no longer marked", id))
	case len(marked) == 2:
		s.Table.Mark(marked[1], false)
	}
	s.Table.Mark(key, true)
	return app.Notify(app.LevelInfo, "marked: R records "+partWords(s.part()))
}

// part is the stretch between the marks; one mark reaches to where the chain
// stands.
func (s *Screen) part() (p scenario.HistoryPart) {
	var ends [2]history.ID
	for i, key := range s.Table.Marked() {
		ends[i] = nodeOf(key)
	}
	if ends[1] == 0 {
		return scenario.HistoryPart{From: ends[0]}
	}
	return scenario.HistoryPart{From: min(ends[0], ends[1]), To: max(ends[0], ends[1])}
}

func (s *Screen) recordName() string {
	if len(s.Table.Marked()) == 0 {
		return "Record as a scenario: what happened, to a file"
	}
	return "Record as a scenario: " + partWords(s.part())
}

// partWords says what a part reaches over.
func partWords(p scenario.HistoryPart) string {
	switch {
	case p.From == 0:
		return "the whole way to where the chain stands"
	case p.To == 0:
		return fmt.Sprintf("from #%d to where the chain stands", p.From)
	}
	return fmt.Sprintf("from #%d to #%d", p.From, p.To)
}
