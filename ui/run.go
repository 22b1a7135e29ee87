package ui

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/crash"
	"ephemera/ui/picture"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// askBound is how long the terminal has to tell its background. A person does
// not feel it, and a terminal across an ocean that is later still gets the
// theme for the dark.
const askBound = 150 * time.Millisecond

// Run runs the explorer in the terminal until the person leaves it or ctx is
// over, and closes every database that was opened. It fails when there is no
// terminal, with what kept the database from opening, and with a [*crash.Panic].
func Run(ctx context.Context, o app.Options) error {
	// The start leaves little to collect, and collecting it would take the cores
	// away from what the first frame waits for: a tenth of the start, measured.
	usual := debug.SetGCPercent(400)
	time.AfterFunc(time.Second, func() { debug.SetGCPercent(usual) })
	in, err := term.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out := os.Stdout
	o.ThemeOptions = themes.Options{
		Profile: termenv.NewOutput(out).EnvColorProfile(),
		NoColor: o.NoColor,
		ASCII:   poorFont(os.Getenv),
	}
	palette, err := themes.Lookup(o.ThemeName, themes.UnknownBackground)
	if err != nil {
		return err
	}
	var engines keeper
	o.Open, o.OpenDemo = openNow(engines.keep(o.Open)), engines.keep(o.OpenDemo)
	go widget.Safe(themes.GlyphEllipsis) // the first rune beyond Latin makes a table of widths, for which no frame should wait
	o.Theme = themes.New(palette, o.ThemeOptions)
	o.Copy = terminalClipboard(out, os.Getenv)
	m := New(o)
	m.ask = func() tea.Msg { return answersMsg{o.ThemeName, in.Ask(out, askBound), out} }
	err = run(ctx, m, in, out, !o.NoMouse)
	m.closeDialogs() // an engine waits for whoever still reads it
	if who := m.lastActor(); o.KeepActor != nil && who != "" {
		_ = o.KeepActor(who) // nothing that anybody would miss
	}
	if o.KeepColumns != nil {
		_ = o.KeepColumns(m.hiddenColumns()) // nor that
	}
	if m.state.SendPicture != nil {
		_ = m.state.SendPicture([]byte(picture.Forget())) // a terminal that has gone has no picture either
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil || errors.Is(err, term.ErrGone) || errors.Is(err, syscall.EIO) {
		err = nil // asked to stop from outside, or left alone
	}
	return errors.Join(err, engines.close(), m.openErr)
}

// lastActor is who acts in the collection of the database, outside of any lesson;
// empty where that is only in memory.
func (m *Model) lastActor() string {
	at := m.state.Session
	if m.home != nil {
		at = m.home.session
	}
	if at.InMemory || at.Actor == "" {
		return ""
	}
	return cmp.Or(at.Names[at.Actor], string(at.Actor))
}

// run runs a model in a terminal.
func run(ctx context.Context, m tea.Model, in *term.Input, out *os.File, mouse bool) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g := &guard{model: m, stop: stop}
	jobs := term.NewJobs()
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithAltScreen(), tea.WithInput(in), tea.WithOutput(out),
		tea.WithoutSignalHandler(), // ctx ends with the signals
		tea.WithFPS(120),           // a frame waits for the next beat: at most 8 ms
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			if _, ok := msg.(tea.SuspendMsg); !ok {
				return term.RestoreEscape(msg)
			}
			if !jobs.Suspend() {
				return app.NoticeMsg{Level: app.LevelWarn, Text: "no shell could bring the explorer back here, so it goes on"}
			}
			return nil
		}),
	}
	if mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	p := tea.NewProgram(g, options...)
	var suspending sync.WaitGroup
	suspending.Go(func() {
		jobs.Run(ctx, p, func() {
			if mouse {
				p.Send(tea.EnableMouseCellMotion()) // bubbletea forgets it
			}
		})
	})
	_, err := p.Run()
	stop()
	suspending.Wait() // else it could write to a terminal that was given back
	if broken := g.caught.Load(); broken != nil {
		return broken
	}
	return err
}

// answersMsg says what the terminal told of itself.
type answersMsg struct {
	theme   string
	answers term.Answers
	out     io.Writer
}

// dress chooses the theme again, now that the background is known, and how
// pictures are drawn.
func (m *Model) dress(msg answersMsg) {
	if picture.HasPlaceholders(msg.answers.Name) {
		m.state.SendPicture = func(b []byte) error {
			_, err := msg.out.Write(b)
			return err
		}
	}
	m.state.ThemeOptions.Terminal = msg.answers.Background
	palette, err := themes.Lookup(msg.theme, msg.answers.Background)
	if err == nil {
		m.state.Theme = themes.New(palette, m.state.ThemeOptions)
	}
}

// poorFont tells whether the terminal is likely to lack the glyphs: one that
// says that it does not speak UTF-8, and the console of Linux.
func poorFont(env func(string) string) bool {
	return env("TERM") == "linux" || term.NotUTF8(env)
}

// guard stands around the model and catches its panics, in Update, in View and
// in commands, so that the terminal is given back before anything is said.
// Bubbletea catches them too, but prints them over the screen, and tells
// nobody what they were.
type guard struct {
	model tea.Model
	// stop ends the program; the guard calls it for the first panic.
	stop func()
	// caught is the first panic.
	caught atomic.Pointer[crash.Panic]
}

// catch is to be deferred around whatever may panic.
func (g *guard) catch(where string) {
	if r := recover(); r != nil {
		g.caught.CompareAndSwap(nil, crash.Caught(where, r))
		g.stop()
	}
}

// Init is the model's.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch("starting")
	return g.cmd(g.model.Init())
}

// Update is the model's.
func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.catch("taking a message")
	_, cmd = g.model.Update(msg) // it is a pointer, and gives itself
	return g, g.cmd(cmd)
}

// View is the model's. Nothing of what a broken model draws is of use.
func (g *guard) View() string {
	defer g.catch("drawing the screen")
	if g.caught.Load() != nil {
		return ""
	}
	return g.model.View()
}

// cmd guards a command, and those that it gives.
func (g *guard) cmd(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.catch("working in the background")
		return g.commands(cmd())
	}
}

// commands guards the commands in a batch or a sequence. Both are slices of
// commands, and the second has no exported name.
func (g *guard) commands(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	guarded := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		cmd, _ := v.Index(i).Interface().(tea.Cmd)
		guarded.Index(i).Set(reflect.ValueOf(g.cmd(cmd)))
	}
	return guarded.Interface()
}
