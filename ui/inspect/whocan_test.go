package inspect_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/core/scenario"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestAStepThatIsNoLongerPossibleOpensWithItsRefusal(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.UnderCursor("ape-04")
	d.Press("W")
	uitest.Execute1(t, d.Chain, "alice", `{"revoke":{"token_id":"ape-04","spender":"$bob"}}`)
	d.Press("enter")
	d.SeesIn(uitest.Dialog, "Step 1 of 1 as bob", "bob: transfer ape-04 → bob", "✗ will be refused")
}

func TestTheQuestionIsChangedWithFields(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("W", "/")
	d.Types("carol")
	d.Press("shift+tab", "right")
	d.Sees("who can transfer ape-01 as carol unmoved")
	d.Press("enter")
	d.Sees("✓ carol can transfer ape-01, by 2 messages", "dave: approve carol for ape-01", "neither transferred nor burned")
	for typed, want := range map[string]string{
		"900":   "that lies",
		"soon!": "is no moment",
	} {
		d.Press("/", "shift+tab", "shift+tab")
		d.Types(typed)
		d.Press("enter")
		d.SeesIn(uitest.Dialog, want)
		d.Press("esc")
		d.Sees("✓ carol can")
	}

	d.Press("/", "shift+tab", "shift+tab")
	d.Types("now")
	d.Press("enter")
	d.Sees("there is no such block")

	// An account that sends nothing can be told to act.
	d.Press("/", "ctrl+u", "tab", "tab", "tab", "tab")
	d.Types("alice")
	d.Press("tab", "tab", "ctrl+u")
	d.Press("enter")
	d.Sees("who can transfer ape-01 active alice unmoved", "✓ alice can transfer ape-01, by 1 message")
	d.Press("esc")
	d.DoesNotSee("Who can")
}

func TestAStepOfAWayIsExplainedAndTheWayIsRecorded(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	var file bytes.Buffer
	d.Given(func(st *app.State) {
		st.Save = func(_ string, _ bool, write func(io.Writer) error) error { return write(&file) }
	})
	d.Press("3", "W", "w")
	d.Sees("2 ✓ operator", "12:00:05 < 2026-11-21 12:40:00")
	d.Press("j")
	d.Sees("2 ✓ approval", "it never expires")
	d.DoesNotSee("2 ✓ operator")
	d.Press("R")
	d.Sees("Record as a scenario")
	d.Keys("hole.yaml", "enter")
	d.Sees("in hole.yaml", "Who can")
	r := chaintest.Must(scenario.Open("hole.yaml", &file))(t)
	res, err := scenario.Run(context.Background(), r, scenario.Options{Open: func() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }})
	if err != nil || res.FailedSteps != 1 || !strings.Contains(res.Mismatches[0].Got, "erin can transfer ape-02") {
		t.Errorf("%v %v", err, res.Mismatches)
	}
}

// wide asks what has many states, up to the key that begins the search.
func wide(t *testing.T) (*uitest.Driver, *watched) {
	d := uitest.New(t, ui.New, 120, 36)
	for i := range 9 {
		uitest.Execute1(t, d.Chain, "alice", fmt.Sprintf(`{"approve_all":{"operator":"%s"}}`, chaintest.Address(fmt.Sprint("spender", i))))
	}
	engine := &watched{Chain: d.Chain}
	d.Given(func(st *app.State) { st.Engine = engine })
	d.Press("W", "/")
	d.Types("bob")
	d.Press("tab")
	for !strings.Contains(d.Screen(), "who can approve ape-01") {
		d.Press("right")
	}
	d.Press("shift+tab", "shift+tab", "right")
	return d, engine
}

// watched is an engine that tells how many views are open.
type watched struct {
	*chain.Chain
	open atomic.Int32
}

func (w *watched) View(fn func(*chain.View) error) error {
	w.open.Add(1)
	defer w.open.Add(-1)
	return w.Chain.View(fn)
}

// begun is an explorer that a program has begun already.
type begun struct{ tea.Model }

func (begun) Init() tea.Cmd { return nil }

func TestASearchShowsEachDepthAndStopsWhenItIsClosed(t *testing.T) {
	d, engine := wide(t)
	var p *tea.Program
	var left time.Time
	depth := 1
	p = tea.NewProgram(begun{d.Model}, tea.WithoutRenderer(), tea.WithInput(nil), tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		switch {
		case len(d.Model.Dialogs()) == 0:
			return tea.Quit()
		case depth < 3 && strings.Contains(d.Screen(), fmt.Sprintf("by at most %d message", depth)):
			d.Sees("searching…", "states so far; / asks something else, esc leaves")
			if depth++; depth == 3 {
				left = time.Now()
				go p.Send(uitest.Key("esc"))
			}
		}
		return msg
	}))
	go p.Send(uitest.Key("enter"))
	stuck := time.AfterFunc(time.Minute, p.Kill)
	defer stuck.Stop()
	if _, err := p.Run(); err != nil {
		t.Fatalf("after depth %d: %v", depth-1, err)
	}
	for engine.open.Load() > 0 {
		if time.Since(left) > 10*time.Second {
			t.Fatal("the search goes on")
		}
		time.Sleep(time.Millisecond)
	}
	t.Logf("left within %s", time.Since(left))
}

// The contract of the tests of package wasm traps at transfer_nft.
func TestAWayThatTheCompiledContractRefusesIsNotOffered(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	code, err := os.ReadFile("../../core/wasm/testdata/contract.wasm")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Chain.Migrate(chain.Module{File: "contract.wasm", Code: code}, chaintest.Address("creator"), []byte(`{"count":{}}`)); err != nil {
		t.Fatal(err)
	}
	d.UnderCursor("ape-04")
	d.Press("W")
	d.Sees("✗ nobody but alice (sends nothing here) can transfer ape-04 by at most 4 messages", "messages tried on the contract", "contract.wasm is no known release", "the compiled contract differs: it refuses message 1 of a way, where bob sends")
	d.DoesNotSee("Way 1 of")
}

func TestWhoCanFitsEverySizeAndMatchesItsGoldenViews(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press("3", "W", "w", "j")
		d.Fits()
		if size[0] == 120 || size[0] == 60 {
			d.Golden(fmt.Sprintf("whocan-%dx%d", size[0], size[1]))
		}
		d.Press("/", "ctrl+u")
		d.Types(strings.Repeat("日本", 60))
		d.Press("enter")
		d.Fits()
	}
}

func TestWhoCanListsEverybodyWhoCanNowBeforeItShowsAWay(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	names := []string{"bob", "carol", "erin", "creator", "minter"}
	for _, name := range names {
		d.Do("alice", `{"approve":{"token_id":"ape-01","spender":"$`+name+`"}}`)
	}
	d.Press("1", "g", "W")
	d.SeesIn(uitest.Dialog, "7 accounts can now, by one message:", "alice (owner)", "dave (operator")
	for _, name := range names {
		d.SeesIn(uitest.Dialog, name+" (approval without expiry)")
	}
	d.SeesIn(uitest.Dialog, "✓ bob can transfer ape-01")

	// A move to a step scrolls to it.
	d.Press("j")
	d.SeesIn(uitest.Dialog, "allowed: approval")
}

func TestWhoCanMintIsNotAskedOfATokenThatWasMinted(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Accounts")
	d.Keys("/", "erin", "enter", "W")
	d.Sees("who can mint as erin")
	d.DoesNotSee("minted already")
}
