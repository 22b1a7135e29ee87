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

// Run plays everything in a testdata folder on one store, which it shares
// out: each scenario has a part of it to itself.
func Run(t *testing.T, testdata fs.FS, db kv.DB) {
	part := 0
	next := func() *player {
		part++
		return &player{db: db, part: []byte(fmt.Sprintf("%04d", part))}
	}
	for _, s := range Scenarios(t, testdata) {
		t.Run(s.Name, func(t *testing.T) { next().scenario(t, s) })
	}
	for _, s := range Singles(t, testdata) {
		t.Run(s.Name, func(t *testing.T) { next().singles(t, s) })
	}
}

// player plays on a part of a store.
type player struct {
	db   kv.DB
	part []byte
	cw721.Contract
	env cw721.Env
}

// together is how many steps are committed at once: a store that syncs each
// commit to the disk would take minutes else.
const together = 50

func (p *player) scenario(t *testing.T, s Scenario) {
	p.Contract = cw721.Contract{Rules: s.Rules, Flavour: s.Flavour, Prefix: s.Prefix}
	p.env.Self = s.Self
	last := s.Steps[len(s.Steps)-1]
	if last.State == nil {
		t.Fatal("the file ends without a storage to compare with")
	}
	n := 0
	for steps := range slices.Chunk(s.Steps, together) {
		p.update(t, func(txn kv.Txn) {
			for _, step := range steps {
				if n++; step.State == nil {
					p.step(t, n, txn, step)
				}
			}
		})
	}
	if diff := cmp.Diff(last.State, kvtest.Dump(t, p.db, p.part)); diff != "" {
		t.Errorf("the storage differs at the end (-contract +engine):\n%s", diff)
	}
}

func (p *player) step(t *testing.T, n int, txn kv.Txn, s Step) {
	p.at(t, s.At.Height, s.At.Time)
	var answer []byte
	var err error
	switch {
	case s.Query != nil:
		answer, err = p.Query(txn, p.env, s.Query)
	case s.Execute != nil:
		answer, err = p.change(txn, p.Execute, s.As, s.Execute)
	default:
		if answer, err = p.change(txn, p.Instantiate, s.As, s.Instantiate); err == nil {
			p.env.Instantiator = s.As
		}
	}
	if complaint := s.Expect.compare(answer, err); complaint != "" {
		t.Errorf("step %d, as %s at %d: %s%s%s\n%s", n, s.As, s.At.Height, s.Instantiate, s.Execute, s.Query, complaint)
	}
}

func (p *player) singles(t *testing.T, s Single) {
	prefix, _ := cw721.AddressPrefix(s.Self)
	p.Contract, p.env.Self = cw721.Contract{Rules: s.Rules, Flavour: s.Flavour, Prefix: prefix}, s.Self
	for n, step := range s.Setup {
		p.at(t, step.Height, step.Time)
		run := p.Execute
		if step.Op == "instantiate" {
			run, p.env.Instantiator = p.Instantiate, step.As
		}
		p.update(t, func(txn kv.Txn) {
			answer, err := p.change(txn, run, step.As, step.Msg)
			if complaint := step.Result.compare(answer, err); complaint != "" {
				t.Fatalf("set-up, step %d: %s", n+1, complaint)
			}
		})
	}
	before := kvtest.Dump(t, p.db, p.part)
	for n, c := range s.Cases {
		var answer []byte
		var err error
		fault := p.db.View(func(r kv.Reader) error {
			r = kv.PrefixedReader(r, p.part)
			if c.Query != nil {
				answer, err = p.Query(r, p.env, []byte(*c.Query))
			} else {
				answer, err = p.change(kv.NewOverlay(r), p.Execute, c.As, []byte(*c.Execute))
			}
			return nil
		})
		if fault != nil {
			t.Fatal(fault)
		}
		if complaint := c.Result.compare(noBanner.ReplaceAll(answer, nil), err); complaint != "" {
			t.Errorf("case %d: %s\n%s", n+1, text(c.Execute)+text(c.Query), complaint)
		}
	}
	if diff := cmp.Diff(before, kvtest.Dump(t, p.db, p.part)); diff != "" {
		t.Errorf("trying the cases changed the storage:\n%s", diff)
	}
}

// noBanner is what the files of single messages leave out of the answers of
// v0.22.0: that a collection has no banner. The scenarios have it.
var noBanner = regexp.MustCompile(`"banner_url":null,|\{"key":"banner_url","value":"bnVsbA=="\},`)

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// at goes to a block.
func (p *player) at(t *testing.T, h cw721.Height, nanoseconds string) {
	at, err := strconv.ParseUint(nanoseconds, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	p.env.Block = cw721.Block{Height: h, Time: cw721.Time(at)}
}

type message = func(kv.Txn, cw721.Env, cw721.Info, []byte) (cw721.Response, error)

// change runs a message and keeps what it wrote unless it is refused.
func (p *player) change(txn kv.Txn, run message, as cw721.Address, raw []byte) ([]byte, error) {
	trial := kv.NewOverlay(txn)
	response, err := run(trial, p.env, cw721.Info{Sender: as}, raw)
	if err == nil {
		err = trial.Flush(txn)
	}
	return wire.Encode(response), err
}

func (p *player) update(t *testing.T, fn func(kv.Txn)) {
	t.Helper()
	kvtest.OK(t, p.db.Update(func(txn kv.Txn) error {
		fn(kv.Prefixed(txn, p.part))
		return nil
	}))
}

// compare says how an answer differs from the recorded one; "" when it does
// not.
func (a Answer) compare(answer []byte, err error) string {
	expected, got := compact(a.OK), string(answer)
	if err != nil {
		got = err.Error()
	}
	switch refusal := cw721.AsError(err); {
	case a.Error == nil && err == nil && got == expected:
		return ""
	case a.Error == nil:
	case refusal != nil && refusal.Kind == a.Error.Kind && (a.Error.Text == "" || refusal.Text == a.Error.Text):
		return ""
	default:
		expected = string(a.Error.Kind) + " " + a.Error.Text
	}
	return "expected: " + expected + "\n     got: " + got
}

// compact leaves out the blanks of a file that people can read.
func compact(text []byte) string {
	var b bytes.Buffer
	if len(text) == 0 || json.Compact(&b, text) != nil {
		return string(text)
	}
	return b.String()
}
