package ui

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// drive runs the explorer without a terminal: every command is run at once and
// its message fed back, so that a test reads as what a person does and sees.
type drive struct {
	t     *testing.T
	model explorer
	size  widget.Box
	chain *chain.Chain
	ticks []tea.Msg // what would come after a while
	quit  bool
	held  *[]tea.Msg // where set, what was read waits here for next
}

// explorer is what is driven: the root of the explorer.
type explorer interface {
	tea.Model
	State() *Desk
	Screens() []Screen
	Dialogs() []Dialog
	Redraw() string  // the frame, drawn anew
	Reread() tea.Cmd // reads everything that is shown once more
}

// newDrive opens the explorer on the fixture, in a terminal of w×h.
func newDrive[M explorer](t *testing.T, create func(Options) M, w, h int) *drive {
	t.Helper()
	return driveOn(t, create, fixture(t), w, h)
}

func driveOn[M explorer](t *testing.T, create func(Options) M, c *chain.Chain, w, h int) *drive {
	t.Helper()
	d := startOn(t, create, c, w, h)
	d.run(d.model.Init())
	return d
}

// startOn starts the explorer and opens nothing yet.
func startOn[M explorer](t *testing.T, create func(Options) M, c *chain.Chain, w, h int) *drive {
	t.Helper()
	d := &drive{t: t, chain: c, size: widget.Box{W: w, H: h}}
	options := themes.Options{Profile: termenv.TrueColor, Terminal: themes.DarkBackground}
	palette, err := themes.Lookup("dark", themes.DarkBackground)
	if err != nil {
		t.Fatal(err)
	}
	d.model = create(Options{
		Open:  func() (Engine, error) { return c, nil },
		Theme: themes.New(palette, options), ThemeOptions: options,
		InMemory: true, Actor: "alice",
		Scratch: func() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) },
		Save:    func(_ string, _ bool, write func(io.Writer) error) error { return write(io.Discard) },
		Wall:    func() time.Time { return time.Unix(1_795_262_400, 0).UTC() },
		After: func(_ time.Duration, msg tea.Msg) tea.Cmd {
			return func() tea.Msg { d.ticks = append(d.ticks, msg); return nil }
		},
	})
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// send hands a message to the explorer and runs everything that comes of it.
func (d *drive) send(msg tea.Msg) {
	d.t.Helper()
	if _, ok := msg.(tea.QuitMsg); ok {
		d.quit = true
		return
	}
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		d.size = widget.Box{W: size.Width, H: size.Height}
	}
	_, cmd := d.model.Update(msg)
	d.run(cmd)
}

// run runs a command to its end, batches and sequences in order.
func (d *drive) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	msg := cmd()
	if msg == nil {
		return
	}
	// tea's batches and sequences are both slices of commands; the second has
	// no exported name.
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			d.run(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	if _, ok := msg.(interface{ IsRead() }); ok && d.held != nil {
		*d.held = append(*d.held, msg)
		return
	}
	d.send(msg)
}

// next hands over what was read first of what is held back.
func (d *drive) next() {
	d.t.Helper()
	if len(*d.held) == 0 {
		d.t.Fatal("nothing was read")
	}
	msg := (*d.held)[0]
	*d.held = (*d.held)[1:]
	d.send(msg)
}

var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "backspace": tea.KeyBackspace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"home": tea.KeyHome, "end": tea.KeyEnd, "delete": tea.KeyDelete, "space": tea.KeySpace, "ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD,
	"ctrl+u": tea.KeyCtrlU, "ctrl+r": tea.KeyCtrlR, "ctrl+l": tea.KeyCtrlL, "ctrl+e": tea.KeyCtrlE, "ctrl+p": tea.KeyCtrlP, "ctrl+n": tea.KeyCtrlN,
	"ctrl+s": tea.KeyCtrlS, "ctrl+a": tea.KeyCtrlA, "ctrl+k": tea.KeyCtrlK, "ctrl+w": tea.KeyCtrlW, "ctrl+o": tea.KeyCtrlO, "ctrl+t": tea.KeyCtrlT,
}

func keyMsg(name string) tea.KeyMsg {
	if k, ok := named[name]; ok {
		msg := tea.KeyMsg{Type: k}
		if k == tea.KeySpace {
			msg.Runes = []rune{' '}
		}
		return msg
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// press presses keys one after the other, by the names that bubbletea gives.
func (d *drive) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.send(keyMsg(k))
	}
}

// types types a text letter by letter.
func (d *drive) types(text string) {
	d.t.Helper()
	for _, r := range text {
		if r == ' ' {
			d.press("space")
			continue
		}
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// to shows a screen by its name.
func (d *drive) to(name string) {
	d.t.Helper()
	for i, s := range d.model.Screens() {
		if s.Name() == name {
			d.press(fmt.Sprint(i + 1))
			return
		}
	}
	d.t.Fatalf("there is no screen named %s", name)
}

// wait lets everything happen that was to come after a while.
func (d *drive) wait() {
	d.t.Helper()
	ticks := d.ticks
	d.ticks = nil
	for _, msg := range ticks {
		d.send(msg)
	}
}

// screen is what a person sees, without colours.
func (d *drive) screen() string {
	d.t.Helper()
	shown := d.model.View()
	if shown != d.model.Redraw() {
		d.t.Fatalf("the frame is not drawn anew:\n%s\n-- now\n%s", ansi.Strip(shown), ansi.Strip(d.model.Redraw()))
	}
	return ansi.Strip(shown)
}

// given changes what the explorer shows from outside of it.
func (d *drive) given(change func(*Desk)) {
	change(d.model.State())
	d.model.Update(nil) // the frame is drawn anew after each message
}

func (d *drive) sees(texts ...string) {
	d.t.Helper()
	screen := d.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			d.t.Fatalf("the screen does not show %q:\n%s", text, screen)
		}
	}
}

func (d *drive) doesNotSee(texts ...string) {
	d.t.Helper()
	screen := d.screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			d.t.Fatalf("the screen shows %q:\n%s", text, screen)
		}
	}
}

// fits fails when a line is not exactly as wide, or the frame not as high, as
// the terminal.
func (d *drive) fits() {
	d.t.Helper()
	if why := misfit(d.model.View(), d.size); why != "" {
		d.t.Fatalf("%s:\n%s", why, d.screen())
	}
}

func misfit(view string, b widget.Box) string {
	lines := strings.Split(view, "\n")
	if len(lines) != b.H {
		return fmt.Sprintf("the frame has %d lines in a terminal of %d", len(lines), b.H)
	}
	for i, l := range lines {
		if w := widget.Width(l); w != b.W {
			return fmt.Sprintf("line %d is %d cells wide in a terminal of %d", i+1, w, b.W)
		}
	}
	return ""
}

// actAs changes the acting account through the screen.
func (d *drive) actAs(name string) {
	d.t.Helper()
	d.press("a")
	d.types(name)
	d.press("enter")
	d.sees("as ● " + name)
}

// readAgain lets the explorer read what may have changed behind its back.
func (d *drive) readAgain() {
	d.t.Helper()
	d.run(d.model.Reread())
}

// do sends a message past the screen, for the setting of a scene.
func (d *drive) do(who, msg string) {
	d.t.Helper()
	execute1(d.t, d.chain, who, msg)
	d.readAgain()
}

func addressOf(t *testing.T, name string) cw721.Address {
	t.Helper()
	a, err := chain.AddressFor("cosmos", name, cw721.AccountBytes)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func execute1(t *testing.T, c *chain.Chain, who, msg string) {
	t.Helper()
	r, err := c.Execute(addressOf(t, who), []byte(msg))
	if err != nil || r.Refusal != nil {
		t.Fatalf("%s: %v %v", msg, err, r.Refusal)
	}
}

// fixture is a small collection: twenty-four tokens of alice, bob and carol at
// height 1,102; ape-04 (alice) is bob's until height 1,110; dave is operator of
// alice without end, erin of bob until 12:40; the minter role is offered to
// carol until height 1,150. market takes what it is sent, vault does not.
func fixture(t *testing.T) *chain.Chain {
	t.Helper()
	c, err := chain.Open(kv.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	g := chain.Genesis{
		Config: chain.Config{About: "test"},
		Clock:  chain.Clock{Height: 1102, Time: 1_795_262_405_000_000_000},
	}
	for _, name := range []string{"alice", "bob", "carol", "creator", "dave", "erin", "minter"} {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: addressOf(t, name)})
	}
	_, err = c.Create(g, addressOf(t, "creator"), []byte(`{"name":"Interchain Apes","symbol":"APE","minter":"$minter","creator":"$creator",
		"collection_info_extension":{"description":"apes","royalty_info":{"payment_address":"$creator","share":"0.05"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]chain.Receiver{"market": chain.ReceiverAccepts, "vault": chain.ReceiverRejects} {
		if _, err := c.SetReceiver(name, r); err != nil {
			t.Fatal(err)
		}
	}
	owners := []string{"alice", "bob", "carol"}
	for i := range 24 {
		execute1(t, c, "minter", fmt.Sprintf(`{"mint":{"token_id":"ape-%02d","owner":"$%s","token_uri":"ipfs://bafy/%d.json"}}`, i+1, owners[i%3], i+1))
	}
	execute1(t, c, "alice", `{"approve":{"token_id":"ape-04","spender":"$bob","expires":{"at_height":1110}}}`)
	execute1(t, c, "alice", `{"approve":{"token_id":"ape-07","spender":"$carol","expires":{"at_time":"1795264800000000000"}}}`)
	execute1(t, c, "alice", `{"approve_all":{"operator":"$dave"}}`)
	execute1(t, c, "bob", `{"approve_all":{"operator":"$erin","expires":{"at_time":"1795264800000000000"}}}`)
	execute1(t, c, "minter", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$carol","expiry":{"at_height":1150}}}}`)
	if err := c.Seal(); err != nil {
		t.Fatal(err)
	}
	return c
}
