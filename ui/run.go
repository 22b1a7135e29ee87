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

// askBound is how long the terminal has to answer questions about itself. Users
// don't notice it. A terminal that answers later gets the dark theme.
const askBound = 150 * time.Millisecond

// Run runs the explorer in the terminal until the user leaves it or ctx is done,
// and then closes every database that was opened. It fails without a terminal,
// with the error that kept the database from opening, and with a [*crash.Panic].
func Run(ctx context.Context, o app.Options) error {
	delayGarbageCollection()
	in, err := term.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out := os.Stdout

	// Start with the theme for an unknown background. The terminal's answer may change it.
	palette, err := themes.Lookup(o.ThemeName, themes.UnknownBackground)
	if err != nil {
		return err
	}
	o.ThemeOptions = themes.Options{
		Profile: termenv.NewOutput(out).EnvColorProfile(),
		NoColor: o.NoColor,
		ASCII:   lacksGlyphs(os.Getenv),
	}
	o.Theme = themes.New(palette, o.ThemeOptions)
	o.Copy = terminalClipboard(out, os.Getenv)

	// Every engine that is opened is noted, to be closed at the end.
	var engines engineRegistry
	o.Open = openEarly(engines.recording(o.Open))
	o.OpenDemo = engines.recording(o.OpenDemo)

	// Run the program until the user leaves it.
	m := New(o)
	m.askTerminal = func() tea.Msg { return terminalMsg{answers: in.Ask(out, askBound), out: out} }
	go widget.Safe(themes.GlyphEllipsis) // makes the table of widths before the first frame needs it
	err = runProgram(ctx, m, in, out)

	m.closeDialogs() // an engine closes only after its transactions
	m.keepForNextStart()
	if free := m.freePicture(); free != nil {
		free()
	}

	// A signal and a closed terminal are normal ends.
	wasStopped := errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil
	isTerminalGone := errors.Is(err, term.ErrGone) || errors.Is(err, syscall.EIO)
	if wasStopped || isTerminalGone {
		err = nil
	}
	return errors.Join(err, engines.closeAll(), m.openErr)
}

// delayGarbageCollection makes collections rare for the first second. The start
// leaves little garbage, and a collection takes the cores from the first frame:
// a tenth of the start, measured.
func delayGarbageCollection() {
	usual := debug.SetGCPercent(400)
	time.AfterFunc(time.Second, func() { debug.SetGCPercent(usual) })
}

// keepForNextStart keeps the last actor and the hidden columns. A failure only
// costs the user these choices, so it is ignored.
func (m *Model) keepForNextStart() {
	if actor := m.lastActor(); m.state.KeepActor != nil && actor != "" {
		_ = m.state.KeepActor(actor)
	}
	if m.state.KeepColumns != nil {
		_ = m.state.KeepColumns(m.hiddenColumns())
	}
}

// lastActor returns the name or address of the actor in the database's own
// collection; empty if the collection is only in memory.
func (m *Model) lastActor() string {
	own := m.databaseSession()
	if own.InMemory || own.Actor == "" {
		return ""
	}
	return cmp.Or(own.Names[own.Actor], string(own.Actor))
}

// runProgram runs the model with bubbletea until the user quits, the model panics, or
// ctx is done. It returns the panic as a [*crash.Panic], after the terminal is restored.
func runProgram(ctx context.Context, m *Model, in *term.Input, out *os.File) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g := &guard{model: m, stop: stop}
	jobs := term.NewJobs()
	hasMouse := !m.state.NoMouse
	options := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithAltScreen(),
		tea.WithInput(in),
		tea.WithOutput(out),
		tea.WithoutSignalHandler(), // signals end ctx
		tea.WithFPS(120),           // a frame waits for the next beat: at most 8 ms
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg { return filterMessage(jobs, msg) }),
	}
	if hasMouse {
		options = append(options, tea.WithMouseCellMotion())
	}

	// Run, and let ctrl+z suspend the program meanwhile.
	p := tea.NewProgram(g, options...)
	var suspending sync.WaitGroup
	suspending.Go(func() { // stops and resumes the program when the user presses ctrl+z
		jobs.Run(ctx, p, func() {
			if hasMouse {
				p.Send(tea.EnableMouseCellMotion()) // bubbletea forgets it
			}
		})
	})
	_, err := p.Run()
	stop()
	suspending.Wait() // or it could write to a terminal that was given back
	if broken := g.firstPanic.Load(); broken != nil {
		return broken
	}
	return err
}

// filterMessage gets every message before the model does, and returns the message for
// the model; nil for none. It suspends the program for a [tea.SuspendMsg] (ctrl+z), and
// restores keys that bubbletea reads as others.
func filterMessage(jobs *term.Jobs, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.SuspendMsg); !ok {
		return term.RestoreEscape(msg)
	}
	if !jobs.Suspend() {
		return app.NoticeMsg{Level: app.LevelWarn, Text: "there is no shell here that could resume the explorer, so it is not suspended"}
	}
	return nil
}

// terminalMsg brings the terminal's answers about itself.
type terminalMsg struct {
	answers term.Answers
	out     io.Writer
}

// adaptTo uses the terminal's answers: it chooses the theme for a light or a dark
// background, and lets pictures be sent to a terminal that can place them in text.
func (m *Model) adaptTo(msg terminalMsg) {
	if picture.HasPlaceholders(msg.answers.TerminalName) {
		m.state.SendPicture = func(data []byte) error {
			_, err := msg.out.Write(data)
			return err
		}
	}
	m.state.ThemeOptions.Terminal = msg.answers.Background
	palette, err := themes.Lookup(m.state.ThemeName, msg.answers.Background)
	if err == nil {
		m.state.Theme = themes.New(palette, m.state.ThemeOptions)
	}
}

// lacksGlyphs reports whether the terminal probably lacks the glyphs beyond
// ASCII: the console of Linux does, and so does a locale without UTF-8.
func lacksGlyphs(env func(string) string) bool {
	return env("TERM") == "linux" || term.NotUTF8(env)
}

// guard wraps the model and catches panics in Update, View and commands, so that
// the terminal is restored before the panic is reported. Bubbletea would print
// the panic over the screen.
type guard struct {
	model      tea.Model
	stop       func()                      // ends the program
	firstPanic atomic.Pointer[crash.Panic] // the first panic
}

// catch catches a panic and ends the program. It is called by defer.
func (g *guard) catch(where string) {
	if r := recover(); r != nil {
		g.firstPanic.CompareAndSwap(nil, crash.Caught(where, r))
		g.stop()
	}
}

// Init calls the model's Init.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch("starting")
	return g.guardCommand(g.model.Init())
}

// Update calls the model's Update.
func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.catch("taking a message")
	_, cmd = g.model.Update(msg) // the returned model is g.model itself
	return g, g.guardCommand(cmd)
}

// View calls the model's View. After a panic it draws nothing.
func (g *guard) View() string {
	defer g.catch("drawing the screen")
	if g.firstPanic.Load() != nil {
		return ""
	}
	return g.model.View()
}

// guardCommand returns a command that does the same as cmd. A panic in it, or in the
// commands that its message starts, is caught and ends the program. It returns nil for
// nil.
func (g *guard) guardCommand(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.catch("working in the background")
		return g.guardCommands(cmd())
	}
}

// guardCommands guards the commands of a batch or a sequence; any other message
// stays as it is. Both are slices of commands, and the type of a sequence is not
// exported.
func (g *guard) guardCommands(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	isCommands := v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]()
	if !isCommands {
		return msg
	}
	guarded := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		cmd, _ := v.Index(i).Interface().(tea.Cmd)
		guarded.Index(i).Set(reflect.ValueOf(g.guardCommand(cmd)))
	}
	return guarded.Interface()
}
