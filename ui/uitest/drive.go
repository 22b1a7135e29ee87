package uitest

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// Driver runs the explorer without a terminal. It runs every command at once and sends
// its message back, so that a test reads as what a user does and sees.
type Driver struct {
	T     *testing.T
	Model Explorer
	Size  widget.Box
	Chain *chain.Chain
	Quit  bool // the explorer has quit
	// Tap, which can be nil, is called with every message before the explorer.
	Tap func(tea.Msg)
	// Held, if it is not nil, collects what was read until Next sends it.
	Held *[]tea.Msg

	timed      []tea.Msg // the messages of timers; Wait sends them
	background []tea.Cmd // commands that keys don't wait for; they run last
	depth      int       // the number of commands that are running
}

// Explorer is the root of the explorer.
type Explorer interface {
	tea.Model
	State() *app.State
	Dialogs() []app.Dialog
	Reread() tea.Cmd // reads everything on the screen again
}

// New opens the explorer on the fixture, in a terminal of w×h.
func New[M Explorer](t *testing.T, create func(app.Options) M, w, h int) *Driver {
	t.Helper()
	return On(t, create, Fixture(t), w, h)
}

// On opens the explorer on a chain.
func On[M Explorer](t *testing.T, create func(app.Options) M, c *chain.Chain, w, h int) *Driver {
	t.Helper()
	d := Start(t, create, c, w, h)
	d.Run(d.Model.Init())
	return d
}

// Start starts the explorer on a chain and does not open the chain yet.
func Start[M Explorer](t *testing.T, create func(app.Options) M, c *chain.Chain, w, h int) *Driver {
	t.Helper()
	return start(t, c, w, h, func(o app.Options) Explorer {
		o.MemoryOnly = true
		o.FirstActor = "alice"
		o.Save = func(_ string, _ bool, write func(io.Writer) error) error { return write(io.Discard) }
		return create(o)
	})
}

func start(t *testing.T, c *chain.Chain, w, h int, create func(app.Options) Explorer) *Driver {
	t.Helper()
	d := &Driver{T: t, Chain: c, Size: widget.Box{W: w, H: h}}
	o := app.Options{
		Open: func() (app.Engine, error) { return c, nil },
	}
	WithFixedLook(t, &o)
	d.Model = create(o)
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// WithFixedLook sets the dark theme, a time of day that stands still, and the built-in
// lessons.
func WithFixedLook(t *testing.T, o *app.Options) {
	t.Helper()
	o.Scratch = chaintest.InMemory
	o.Lessons = lesson.All
	o.ThemeOptions = themes.Options{Profile: termenv.TrueColor, Terminal: themes.DarkBackground}
	palette := chaintest.Must(themes.Lookup("dark", themes.DarkBackground))(t)
	o.Theme = themes.New(palette, o.ThemeOptions)
	o.WallTime = func() time.Time { return time.Unix(1_795_262_400, 0).UTC() }
}

// Send sends a message to the explorer and runs every command that follows.
func (d *Driver) Send(msg tea.Msg) {
	d.T.Helper()
	if _, ok := msg.(tea.QuitMsg); ok {
		d.Quit = true
		return
	}
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		d.Size = widget.Box{W: size.Width, H: size.Height}
	}
	if d.Tap != nil {
		d.Tap(msg)
	}
	_, cmd := d.Model.Update(msg)
	d.Run(cmd)
}

// runBackground runs the background commands if no other command is running.
func (d *Driver) runBackground() {
	d.T.Helper()
	for d.depth == 0 && len(d.background) > 0 {
		cmd := d.background[0]
		d.background = d.background[1:]
		d.Run(cmd)
	}
}

// Run runs a command to its end, batches and sequences in order.
func (d *Driver) Run(cmd tea.Cmd) {
	d.T.Helper()
	if cmd == nil {
		return
	}
	defer d.runBackground()
	d.depth++
	defer func() { d.depth-- }()
	msg := cmd()
	if msg == nil {
		return
	}
	switch msg := msg.(type) {
	case app.BackgroundMsg:
		d.background = append(d.background, msg.Cmd)
		return
	case app.TimerMsg:
		d.timed = append(d.timed, msg.Msg)
		return
	}

	// tea's batches and sequences are both slices of commands; the second has
	// no exported name.
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			d.Run(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	if fmt.Sprintf("%T", msg) == "ui.readMsg" && d.Held != nil {
		*d.Held = append(*d.Held, msg)
		return
	}
	d.Send(msg)
}

// Next sends the oldest message in Held.
func (d *Driver) Next() {
	d.T.Helper()
	if len(*d.Held) == 0 {
		d.T.Fatal("nothing was read")
	}
	msg := (*d.Held)[0]
	*d.Held = (*d.Held)[1:]
	d.Send(msg)
}

// Key returns the press of a key by its name, or of a letter, with or without "alt+"
// before it.
func Key(name string) tea.KeyMsg {
	plainName, hasAlt := strings.CutPrefix(name, "alt+")
	if plainName == "space" {
		plainName = " "
	}
	msg := term.Key(plainName)
	msg.Alt = hasAlt
	return msg
}

// Press presses keys one after the other, by the names that bubbletea gives.
func (d *Driver) Press(keys ...string) {
	d.T.Helper()
	for _, k := range keys {
		d.Send(Key(k))
	}
}

// Types types a text letter by letter.
func (d *Driver) Types(text string) {
	d.T.Helper()
	for _, r := range text {
		if r == ' ' {
			d.Press("space")
			continue
		}
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// Paste pastes a text.
func (d *Driver) Paste(text string) {
	d.T.Helper()
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// Keys presses keys by their names, and types every other text.
func (d *Driver) Keys(keysAndTexts ...string) {
	d.T.Helper()
	for _, k := range keysAndTexts {
		isText := Key(k).Type == tea.KeyRunes
		if isText {
			d.Types(k)
		} else {
			d.Press(k)
		}
	}
}

// screenNames are the names of the screens in the order of their keys.
var screenNames = []string{"Tokens", "Approvals", "Operators", "Collection", "History", "Console", "Lessons", "Accounts"}

// To shows a screen by its name.
func (d *Driver) To(name string) {
	d.T.Helper()
	i := slices.Index(screenNames, name)
	if i < 0 {
		d.T.Fatalf("there is no screen named %s", name)
	}
	d.Press(fmt.Sprint(i + 1))
}

// Wait lets all timers end that are running.
func (d *Driver) Wait() {
	d.T.Helper()
	timed := d.timed
	d.timed = nil
	for _, msg := range timed {
		d.Send(msg)
	}
}

// Screen returns the frame without colours. It fails the test if the frame is out of
// date.
func (d *Driver) Screen() string {
	d.T.Helper()
	shown := d.Model.View()
	_, cmd := d.Model.Update(nil) // the next View draws the frame again
	if cmd == nil && d.Model.View() != shown {
		d.T.Fatalf("the frame is out of date:\n%s\n-- now\n%s", ansi.Strip(shown), ansi.Strip(d.Model.View()))
	}
	d.Run(cmd)
	return ansi.Strip(shown)
}

// Given changes the state behind the explorer's back.
func (d *Driver) Given(change func(*app.State)) {
	change(d.Model.State())
	d.Model.Update(nil) // the next View draws the frame again
}

// Sees fails the test unless the screen shows every text.
func (d *Driver) Sees(texts ...string) {
	d.T.Helper()
	d.SeesIn(wholeScreen, texts...)
}

// wholeScreen is the [Part] of all lines.
func wholeScreen(lines []string) string { return strings.Join(lines, "\n") }

// DoesNotSee fails the test if the screen shows one of the texts.
func (d *Driver) DoesNotSee(texts ...string) {
	d.T.Helper()
	d.DoesNotSeeIn(wholeScreen, texts...)
}

// Fits fails the test unless the frame is exactly as large as the terminal.
func (d *Driver) Fits() {
	d.T.Helper()
	if why := Misfit(d.Model.View(), d.Size); why != "" {
		d.T.Fatalf("%s:\n%s", why, d.Screen())
	}
}

// Misfit says how a view differs in size from its box; empty if it does not.
func Misfit(view string, b widget.Box) string {
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

// ActAs changes the actor by keys.
func (d *Driver) ActAs(name string) {
	d.T.Helper()
	d.Press("a")
	d.Types(name)
	d.Press("enter")
	d.Sees("as ● " + name)
}

// ReadAgain lets the explorer read everything again, after a change behind its back.
func (d *Driver) ReadAgain() {
	d.T.Helper()
	d.Run(d.Model.Reread())
}

// Do sends a message behind the explorer's back, and lets the explorer read it.
func (d *Driver) Do(who, msg string) {
	d.T.Helper()
	Execute1(d.T, d.Chain, who, msg)
	d.ReadAgain()
}

// Execute1 sends a message, and fails the test if it is refused.
func Execute1(t *testing.T, c *chain.Chain, who, msg string) {
	t.Helper()
	r, err := c.Execute(chaintest.Address(who), []byte(msg))
	if err != nil || r.Refusal != nil {
		t.Fatalf("%s: %v %v", msg, err, r.Refusal)
	}
}

// Fixture is a small collection: twenty-four tokens of alice, bob and carol at
// height 1,102; ape-04 (alice) is bob's until height 1,110; dave is operator of
// alice without expiry, erin of bob until 12:40; the minter role is offered to
// carol until height 1,150. market takes what it is sent, vault does not.
func Fixture(t *testing.T) *chain.Chain {
	t.Helper()
	return fixtureOnce.copy(t, func(db kv.DB) error { return makeFixture(t, db) })
}

func makeFixture(t *testing.T, db kv.DB) error {
	t.Helper()
	c := chaintest.Must(chain.Open(db))(t)
	g := chain.Genesis{
		Config: chain.Config{About: "test"},
		Clock:  chain.Clock{Height: 1102, Time: 1_795_262_405_000_000_000},
	}
	for _, name := range []string{"alice", "bob", "carol", "creator", "dave", "erin", "minter"} {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: chaintest.Address(name)})
	}
	chaintest.Must(c.Create(g, chaintest.Address("creator"), []byte(`{"name":"Interchain Apes","symbol":"APE","minter":"$minter","creator":"$creator",
		"collection_info_extension":{"description":"apes","royalty_info":{"payment_address":"$creator","share":"0.05"}}}`)))(t)
	for name, r := range map[string]chain.Receiver{"market": chain.ReceiverAccepts, "vault": chain.ReceiverRejects} {
		chaintest.Must(c.SetReceiver(name, r))(t)
	}
	owners := []string{"alice", "bob", "carol"}
	for i := range 24 {
		Execute1(t, c, "minter", fmt.Sprintf(`{"mint":{"token_id":"ape-%02d","owner":"$%s","token_uri":"ipfs://bafy/%d.json"}}`, i+1, owners[i%3], i+1))
	}
	Execute1(t, c, "alice", `{"approve":{"token_id":"ape-04","spender":"$bob","expires":{"at_height":1110}}}`)
	Execute1(t, c, "alice", `{"approve":{"token_id":"ape-07","spender":"$carol","expires":{"at_time":"1795264800000000000"}}}`)
	Execute1(t, c, "alice", `{"approve_all":{"operator":"$dave"}}`)
	Execute1(t, c, "bob", `{"approve_all":{"operator":"$erin","expires":{"at_time":"1795264800000000000"}}}`)
	Execute1(t, c, "minter", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$carol","expiry":{"at_height":1150}}}}`)
	return c.Seal()
}
