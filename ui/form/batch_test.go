package form

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

func TestABatchThatIsStoppedSendsNoMoreAndTellsHowMany(t *testing.T) {
	b := &Batch{title: "Revoke 3", phase: batchSending, scroll: widget.NewScroll(), jobs: []Job{{state: jobDone}, {state: jobWillWork}, {state: jobWillWork}}}
	if _, closed := b.pressKey(nil, tea.KeyMsg{Type: tea.KeyEsc}); closed {
		t.Error("a batch that is sending closes")
	}
	b.sendNext(nil)
	if _, text := b.outcomeNotice(); b.phase != batchOver || text != "Revoke 3: 1 done, 2 not sent" {
		t.Errorf("in phase %d it says %q", b.phase, text)
	}
}

func TestRefusalsThatDifferOnlyInTheTokenAndTheAccountAreEqual(t *testing.T) {
	const ann, ben = cw721.Address("cosmos1ann"), cw721.Address("cosmos1ben")
	facts := app.Facts{Config: chain.Config{}}
	jobs := []Job{
		{Owner: ann, sender: ann, Msg: cw721.Encode(&cw721.Burn{TokenID: "a"})},
		{Owner: ben, sender: ben, Msg: cw721.Encode(&cw721.Burn{TokenID: "b"})},
		{Owner: ben, sender: ben, Msg: cw721.Encode(&cw721.Burn{TokenID: "b"})},
	}
	for i, text := range []string{`cosmos1ann keeps "a"`, `cosmos1ben keeps "b"`, `cosmos1ben sold "b"`} {
		refusal := &cw721.Error{Kind: cw721.KindContract, Text: text}
		if !jobs[i].isRefused(facts, chain.Receipt{Refusal: refusal}, nil) {
			t.Errorf("%q is no refusal", text)
		}
		jobs[i].state = jobWillBeRefused
	}
	if jobs[0].outcome() != jobs[1].outcome() {
		t.Errorf("%q and %q differ", jobs[0].outcome(), jobs[1].outcome())
	}
	if jobs[1].outcome() == jobs[2].outcome() {
		t.Errorf("two reasons are both %q", jobs[1].outcome())
	}
}
