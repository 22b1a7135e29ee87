package cw721test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

// Run replays everything in a testdata folder on one store. Every scenario and every
// set of single messages has its own part of the keys.
func Run(t *testing.T, testdata fs.FS, db kv.DB) {
	partCount := 0
	newPlayer := func() *player {
		partCount++
		return &player{db: db, part: fmt.Appendf(nil, "%04d", partCount)}
	}
	for _, s := range Scenarios(t, testdata) {
		t.Run(s.Name, func(t *testing.T) { newPlayer().playScenario(t, s) })
	}
	for _, s := range Singles(t, testdata) {
		t.Run(s.Name, func(t *testing.T) { newPlayer().playSingles(t, s) })
	}
}

// player replays messages on one part of a store.
type player struct {
	db   kv.DB
	part []byte // the prefix of the part's keys
	RawContract
	env cw721.Env
}

// stepsPerCommit is how many steps share a transaction. A store that syncs every
// commit to the disk would take minutes with one step each.
const stepsPerCommit = 50

// playScenario replays a scenario and compares the storage at its end.
func (p *player) playScenario(t *testing.T, s Scenario) {
	p.Contract = cw721.Contract{Rules: s.Rules, Flavour: s.Flavour, Prefix: s.Prefix}
	p.env.Self = s.Self
	last := s.Steps[len(s.Steps)-1]
	if last.State == nil {
		t.Fatal("the scenario does not end with a storage")
	}

	n := 0
	for steps := range slices.Chunk(s.Steps, stepsPerCommit) {
		p.update(t, func(txn kv.Txn) {
			for _, step := range steps {
				n++
				if step.State == nil {
					p.playStep(t, n, txn, step)
				}
			}
		})
	}
	if diff := cmp.Diff(last.State, kvtest.Dump(t, p.db, p.part)); diff != "" {
		t.Errorf("the storage differs at the end (-contract +engine):\n%s", diff)
	}
}

// playStep sends the message of step n and compares the answer.
func (p *player) playStep(t *testing.T, n int, txn kv.Txn, s Step) {
	p.setBlock(t, s.At.Height, s.At.Time)
	var answer []byte
	var err error
	switch {
	case s.Query != nil:
		answer, err = p.Query(txn, p.env, s.Query)
	case s.Execute != nil:
		answer, err = p.change(txn, p.Execute, s.As, s.Execute)
	default:
		answer, err = p.change(txn, p.Instantiate, s.As, s.Instantiate)
		if err == nil {
			p.env.Instantiator = s.As
		}
	}
	if diff := s.Expect.diff(answer, err); diff != "" {
		t.Errorf("step %d, as %s at %d: %s%s%s\n%s", n, s.As, s.At.Height, s.Instantiate, s.Execute, s.Query, diff)
	}
}

// playSingles tries each message on the state after the set-up, and checks that none
// of them changes the storage.
func (p *player) playSingles(t *testing.T, s Single) {
	prefix, _ := cw721.AddressPrefix(s.Self)
	p.Contract = cw721.Contract{Rules: s.Rules, Flavour: s.Flavour, Prefix: prefix}
	p.env.Self = s.Self
	p.setUp(t, s)

	before := kvtest.Dump(t, p.db, p.part)
	for n, c := range s.Cases {
		var answer []byte
		var err error
		viewErr := p.db.View(func(r kv.Reader) error {
			r = kv.PrefixedReader(r, p.part)
			if c.Query != nil {
				answer, err = p.Query(r, p.env, []byte(*c.Query))
			} else {
				answer, err = p.change(kv.NewOverlay(r), p.Execute, c.As, []byte(*c.Execute))
			}
			return nil
		})
		if viewErr != nil {
			t.Fatal(viewErr)
		}
		if diff := c.Result.diff(absentBanner.ReplaceAll(answer, nil), err); diff != "" {
			t.Errorf("case %d: %s\n%s", n+1, orEmpty(c.Execute)+orEmpty(c.Query), diff)
		}
	}
	if diff := cmp.Diff(before, kvtest.Dump(t, p.db, p.part)); diff != "" {
		t.Errorf("trying the cases changed the storage:\n%s", diff)
	}
}

// setUp sends the messages that come before the single ones.
func (p *player) setUp(t *testing.T, s Single) {
	for n, step := range s.Setup {
		p.setBlock(t, step.Height, step.Time)
		run := p.Execute
		if step.Op == "instantiate" {
			run = p.Instantiate
			p.env.Instantiator = step.As
		}
		p.update(t, func(txn kv.Txn) {
			answer, err := p.change(txn, run, step.As, step.Msg)
			if diff := step.Result.diff(answer, err); diff != "" {
				t.Fatalf("set-up, step %d: %s", n+1, diff)
			}
		})
	}
}

// absentBanner matches what the files of single messages leave out of v0.22.0's
// answers: that a collection has no banner. The scenarios have it.
var absentBanner = regexp.MustCompile(`"banner_url":null,|\{"key":"banner_url","value":"bnVsbA=="\},`)

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// setBlock sets the block of the next message.
func (p *player) setBlock(t *testing.T, h cw721.Height, nanoseconds string) {
	n, err := strconv.ParseUint(nanoseconds, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	p.env.Block = cw721.Block{Height: h, Time: cw721.Time(n)}
}

// runFunc is [RawContract.Instantiate] or [RawContract.Execute].
type runFunc = func(kv.Txn, cw721.Env, cw721.Info, []byte) (cw721.Response, error)

// change runs a message and writes its changes to txn unless it is refused. It returns
// the response as JSON.
func (p *player) change(txn kv.Txn, run runFunc, sender cw721.Address, msg []byte) ([]byte, error) {
	overlay := kv.NewOverlay(txn)
	response, err := run(overlay, p.env, cw721.Info{Sender: sender}, msg)
	if err == nil {
		err = overlay.Flush(txn)
	}
	return wire.Encode(response), err
}

// update runs a function in a transaction over the player's part of the store.
func (p *player) update(t *testing.T, run func(kv.Txn)) {
	t.Helper()
	kvtest.OK(t, p.db.Update(func(txn kv.Txn) error {
		run(kv.PrefixedTxn(txn, p.part))
		return nil
	}))
}

// diff describes how an answer or an error differs from the recorded answer. It
// returns "" if they are the same.
func (a Answer) diff(answer []byte, err error) string {
	got := string(answer)
	if err != nil {
		got = err.Error()
	}

	if a.Error == nil {
		want := compactJSON(a.OK)
		if err == nil && got == want {
			return ""
		}
		return "want: " + want + "\n got: " + got
	}

	refusal := cw721.AsError(err)
	if refusal != nil && refusal.Kind == a.Error.Kind {
		isTextRecorded := a.Error.Text != ""
		if !isTextRecorded || refusal.Text == a.Error.Text {
			return ""
		}
	}
	return "want: " + string(a.Error.Kind) + " " + a.Error.Text + "\n got: " + got
}

// compactJSON returns JSON without the blanks of the files, and other texts as they
// are.
func compactJSON(text []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return string(text)
	}
	return b.String()
}
