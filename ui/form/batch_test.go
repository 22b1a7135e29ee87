package form

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestABatchThatIsStoppedSendsNoMoreAndTellsHowMany(t *testing.T) {
	b := &Batch{title: "Revoke 3", phase: batchSending, jobs: []Job{{state: jobDone}, {state: jobWillWork}, {state: jobWillWork}}}
	if _, closed := b.pressKey(nil, tea.KeyMsg{Type: tea.KeyEsc}); closed {
		t.Error("a batch that is sending closes")
	}
	b.sendNext(nil)
	if _, text := b.outcomeNotice(); b.phase != batchOver || text != "Revoke 3: 1 done, 2 not sent" {
		t.Errorf("in phase %d it says %q", b.phase, text)
	}
}
