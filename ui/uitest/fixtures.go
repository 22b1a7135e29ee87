package uitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/demo"
	"ephemera/ui/widget"
)

// WithRules is a small collection under other rules.
func WithRules(t *testing.T, rules cw721.Rules) *chain.Chain {
	t.Helper()
	c, err := chain.Open(kv.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	g := chain.Genesis{Config: chain.Config{Rules: rules}, Clock: chain.Clock{Height: 10, Time: 1_795_262_400_000_000_000}}
	for _, name := range []string{"alice", "creator"} {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: AddressOf(t, name)})
	}
	_, err = c.Create(g, AddressOf(t, "creator"), []byte(`{"name":"Apes","symbol":"APE","collection_info_extension":{"royalty_info":{"payment_address":"$creator","share":"0.05"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Odd is text that has broken terminals before.
var Odd = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{"\x1b]0;x\a", "日本語", "\u202etxet", "e\u0301\u0301", "👩‍👩‍👧", "\t\r\n", strings.Repeat("日", 5000), strings.Repeat("x", 10000), " "}),
)

// AllSizes are the sizes that the explorer is made for.
var AllSizes = [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}}

// EveryKey is what random keys are drawn from: all that are bound somewhere,
// and what people type.
var EveryKey = append(strings.Split(
	"1 2 3 4 5 6 7 8 [ ] tab shift+tab j k g G ctrl+d ctrl+u enter esc / x s v space . > e E P + = - T a w B f y u U ctrl+r N H I Q : ? m t p r b d o O i n L M R S C c up down left right home end pgup pgdown backspace ctrl+l ctrl+e ctrl+p ctrl+n ctrl+o ctrl+x ctrl+y h l W z Z 0 9 $ { } \" , é 日 😀", " "),
	"a b", "+10", "alice", "bob", "never", "{\"burn\":{\"token_id\":\"ape-01\"}}")

// Sizes are those of the golden views: the one that is designed for, and the
// smallest, where the layout is another.
var Sizes = [][2]int{{60, 20}, {120, 36}}

func inMemory() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }

// Empty opens the explorer on an empty database.
func Empty[M Explorer](t *testing.T, create func(app.Options) M, w, h int, importing func(*chain.Chain, string, chain.Genesis, func(int)) error) *Driver {
	t.Helper()
	c, err := inMemory()
	if err != nil {
		t.Fatal(err)
	}
	d := &Driver{T: t, Chain: c, Size: widget.Box{W: w, H: h}}
	palette, err := themes.Lookup("dark", themes.DarkBackground)
	if err != nil {
		t.Fatal(err)
	}
	options := themes.Options{Profile: termenv.TrueColor, Terminal: themes.DarkBackground}
	o := app.Options{
		Open: func() (app.Engine, error) { return c, nil },
		Demo: func() (app.Engine, error) { return demo.Open(inMemory) },
		ReadModule: func(path string) (*chain.Module, error) {
			code, err := os.ReadFile(path)
			return &chain.Module{File: filepath.Base(path), Code: code}, err
		},
		Theme: themes.New(palette, options), ThemeOptions: options,
		Wall: func() time.Time { return time.Unix(1_795_262_400, 0).UTC() },
		After: func(_ time.Duration, msg tea.Msg) tea.Cmd {
			return func() tea.Msg { d.ticks = append(d.ticks, msg); return nil }
		},
	}
	if importing != nil {
		o.Import = func(path string, g chain.Genesis, progress func(int)) error { return importing(c, path, g, progress) }
	}
	d.Model = create(o)
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	d.Run(d.Model.Init())
	return d
}
