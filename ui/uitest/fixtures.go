package uitest

import (
	"bytes"
	_ "embed"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/demo"
)

// WithRules returns a small collection under a rule set, with alice and the creator.
func WithRules(t *testing.T, rules cw721.Rules) *chain.Chain {
	t.Helper()
	c := chaintest.Must(chaintest.InMemory())(t)
	g := chain.Genesis{Config: chain.Config{Rules: rules}, Clock: chain.Clock{Height: 10, Time: 1_795_262_400_000_000_000}}
	for _, name := range []string{"alice", "creator"} {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: chaintest.Address(name)})
	}
	chaintest.Must(c.Create(g, chaintest.Address("creator"), []byte(`{"name":"Apes","symbol":"APE","collection_info_extension":{"royalty_info":{"payment_address":"$creator","share":"0.05"}}}`)))(t)
	return c
}

// Each draw of rapid starts an explorer, so that tests of it draw fewer than rapid
// does by itself; -rapid.checks asks for more.
func init() {
	if err := flag.Set("rapid.checks", strconv.Itoa(15*kvtest.Times())); err != nil {
		panic(err)
	}
}

// Odd generates text that is likely to break a terminal.
var Odd = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{"\x1b]0;x\a", "日本語", "\u202etxet", "e\u0301\u0301", "👩‍👩‍👧", "\t\r\n", strings.Repeat("日", 5000), strings.Repeat("x", 10000), " "}),
)

// AllSizes are the sizes of terminals that the explorer is designed for.
var AllSizes = [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}}

// EveryKey lists the keys and texts that random tests draw from: every key that bubbletea
// knows, with and without alt, and text that users type.
var EveryKey = everyKey()

func everyKey() []string {
	keys := strings.Split("1 2 3 4 5 6 7 8 [ ] j k g G / x s v space . > e E P + = - T a w B f y u U N H I Q : ? m t p r b d o O i n L M R S C c h l W z Z 0 9 $ { } \" , é 日 😀", " ")
	for keyType := tea.KeyType(-128); keyType < 128; keyType++ {
		name := tea.Key{Type: keyType}.String()
		if name != "" && name != " " && keyType != tea.KeyRunes {
			keys = append(keys, name)
		}
	}
	for _, key := range slices.Clone(keys) {
		keys = append(keys, "alt+"+key)
	}
	return append(keys, "a b", "+10", "alice", "bob", "never", `{"burn":{"token_id":"ape-01"}}`)
}

// Sizes are the sizes of the golden views: one with panes side by side, and one with
// panes above each other.
var Sizes = [][2]int{{60, 20}, {120, 36}}

// Demo returns a copy of the demo, which is played once for all tests.
func Demo(t *testing.T) *chain.Chain {
	t.Helper()
	return demoOnce.copy(t, func(db kv.DB) error {
		_, err := demo.Open(func() (*chain.Chain, error) { return chain.Open(db) })
		return err
	})
}

// crowdedYAML is the scenario of [Crowded].
//
//go:embed crowded.yaml
var crowdedYAML []byte

// Crowded returns a copy of a collection of sixty tokens with many grants of every kind,
// odd ids and two contracts, at height 1,102. It is sealed as the demo is.
func Crowded(t *testing.T) *chain.Chain {
	t.Helper()
	return crowdedOnce.copy(t, func(db kv.DB) error {
		c := chaintest.Must(chain.Open(db))(t)
		reader := chaintest.Must(scenario.Open("crowded.yaml", bytes.NewReader(crowdedYAML)))(t)
		result := chaintest.Must(scenario.Run(t.Context(), reader, scenario.Options{Chain: c}))(t)
		if !result.OK() {
			t.Fatal(result.Mismatches[0])
		}
		return c.Seal()
	})
}

var demoOnce, crowdedOnce, fixtureOnce template

// template is a chain that is made once, and copied for each test.
type template struct {
	once sync.Once
	db   *kv.Memory
}

// copy returns a copy of the template. The first call makes the template with fill.
func (m *template) copy(t *testing.T, fill func(kv.DB) error) *chain.Chain {
	t.Helper()
	m.once.Do(func() {
		m.db = kv.NewMemory()
		chaintest.OK(t, fill(m.db))
	})
	return chaintest.Copy(t, m.db)
}

// Empty opens the explorer on an empty database.
func Empty[M Explorer](t *testing.T, create func(app.Options) M, w, h int, importing func(*chain.Chain, string, chain.Genesis, func(int)) ([]string, error)) *Driver {
	t.Helper()
	c := chaintest.Must(chaintest.InMemory())(t)
	d := start(t, c, w, h, func(o app.Options) Explorer {
		o.OpenDemo = func() (app.Engine, error) { return Demo(t), nil }
		o.ReadModule = func(path string) (*chain.Module, error) {
			code, err := os.ReadFile(path)
			return &chain.Module{File: filepath.Base(path), Code: code}, err
		}
		if importing != nil {
			o.Import = func(path string, g chain.Genesis, progress func(int)) ([]string, error) {
				return importing(c, path, g, progress)
			}
		}
		return create(o)
	})
	d.Run(d.Model.Init())
	return d
}
