package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/crash"
	"ephemera/ui/picture"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// askTimeLimit is how long the explorer waits until the terminal has answered questions about
// itself, such as the colour of its background. It is too short for users to notice. If the
// answer comes later, the explorer uses the dark theme.
const askTimeLimit = 150 * time.Millisecond

// Run runs the explorer in the terminal until the user quits or ctx is done, and then closes
// every database that was opened. It fails if there is no terminal, or if the database could
// not be opened or closed. If the explorer has panicked, the error is a [*crash.Panic].
func Run(ctx context.Context, options app.Options) error {
	// Make garbage collections rare during the first second. The start leaves little garbage, but
	// a collection would delay the first frame by a tenth of the time that the start takes.
	usualPercent := debug.SetGCPercent(400)
	time.AfterFunc(time.Second, func() { debug.SetGCPercent(usualPercent) })

	in, err := term.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out := os.Stdout

	// Start with the theme for an unknown background. The terminal's answer may change it.
	palette, err := themes.Lookup(options.ThemeName, themes.UnknownBackground)
	if err != nil {
		return err
	}
	options.ThemeOptions = themes.Options{
		Profile: termenv.NewOutput(out).EnvColorProfile(),
		NoColor: options.NoColor,
		ASCII:   lacksGlyphs(os.Getenv),
	}
	options.Theme = themes.New(palette, options.ThemeOptions)
	options.Copy = terminalClipboard(out, os.Getenv)

	// Remember every engine that is opened, to close it at the end.
	var engines engineRegistry
	options.Open = openEarly(engines.recordingOpener(options.Open))
	options.OpenDemo = engines.recordingOpener(options.OpenDemo)

	// Run the program until the user quits. Meanwhile, the first call of Safe makes the
	// table of character widths before the first frame needs it.
	m := New(options)
	m.askTerminal = func() tea.Msg {
		return terminalMsg{answers: in.Ask(out, askTimeLimit), out: out}
	}
	go widget.Safe(themes.GlyphEllipsis)
	err = runProgram(ctx, m, in, out)

	// Closing the dialogs ends their searches, whose transactions would delay the closing of
	// the engines.
	m.dialogs.closeAll()
	m.keepChoicesForNextStart()
	if free := freePicture(m.state); free != nil {
		free()
	}

	// A signal and a closed terminal are normal ends and no errors.
	wasStopped := errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil
	isTerminalGone := errors.Is(err, term.ErrGone) || errors.Is(err, syscall.EIO)
	if wasStopped || isTerminalGone {
		err = nil
	}
	return errors.Join(err, engines.closeAll(), m.openErr)
}

// keepChoicesForNextStart stores the last actor in the user's own collection and the hidden
// columns for the next start of the program. It ignores a failure, which only costs the user
// these choices.
func (m *Model) keepChoicesForNextStart() {
	session := m.ownSession()
	actor := cmp.Or(session.Names[session.Actor], string(session.Actor))
	if m.state.KeepActor != nil && actor != "" && !session.InMemory {
		_ = m.state.KeepActor(actor)
	}
	if m.state.KeepColumns != nil {
		_ = m.state.KeepColumns(m.screens.hiddenColumns())
	}
}

// runProgram runs the model with bubbletea until the user quits, the model panics, or
// ctx is done. It restores the terminal before it returns. If the model has panicked, the
// error is a [*crash.Panic].
func runProgram(ctx context.Context, m *Model, in *term.Input, out *os.File) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()

	// Every message passes the filter before the guarded model gets it. For ctrl+z, the filter
	// suspends the program. It also corrects keys that bubbletea has mistaken for others.
	guardedModel := &guard{model: m, stop: stop}
	jobs := term.NewJobs()
	filter := func(_ tea.Model, msg tea.Msg) tea.Msg {
		if _, isSuspend := msg.(tea.SuspendMsg); !isSuspend {
			return term.RestoreEscape(msg)
		}
		if !jobs.Suspend() {
			const text = "there is no shell here that could resume the explorer, so it is not suspended"
			return app.NoticeMsg{Level: app.LevelWarn, Text: text}
		}
		return nil
	}

	hasMouse := !m.state.NoMouse
	options := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithAltScreen(),
		tea.WithInput(in),
		tea.WithOutput(out),
		tea.WithoutSignalHandler(), // signals end ctx
		tea.WithFPS(120),           // a frame waits for the next beat: at most 8 ms
		tea.WithFilter(filter),
	}
	if hasMouse {
		options = append(options, tea.WithMouseCellMotion())
	}

	// While the program runs, another goroutine suspends it when the user presses ctrl+z,
	// and resumes it afterwards.
	program := tea.NewProgram(guardedModel, options...)
	var suspending sync.WaitGroup
	suspending.Go(func() {
		jobs.Run(ctx, program, func() {
			if hasMouse {
				program.Send(tea.EnableMouseCellMotion()) // bubbletea does not do it again
			}
		})
	})
	_, err := program.Run()

	// Wait for that goroutine, which could otherwise write to the restored terminal.
	stop()
	suspending.Wait()
	if firstPanic := guardedModel.firstPanic.Load(); firstPanic != nil {
		return firstPanic
	}
	return err
}

// terminalMsg brings what the terminal has answered about itself.
type terminalMsg struct {
	answers term.Answers
	out     io.Writer // writes to the terminal
}

// adaptToTerminal adapts the explorer to the terminal. It chooses the theme for a light
// or a dark background. If the terminal can draw pictures at places in the text, it turns
// them on.
func (m *Model) adaptToTerminal(msg terminalMsg) {
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

// lacksGlyphs reports whether the terminal can probably draw only ASCII characters. That is
// so for the console of Linux, and if the locale does not use UTF-8. getenv returns
// an environment variable.
func lacksGlyphs(getenv func(string) string) bool {
	return getenv("TERM") == "linux" || term.LacksUTF8(getenv)
}

// terminalClipboard returns a function that copies a text to the clipboard by a request to the
// terminal (OSC 52), so it also works over ssh. It fails for a text longer than
// [app.MaxCopyBytes], and if out cannot be written.
//
// The programs screen and tmux are terminals within a terminal. For screen, the request is
// wrapped so that the outer terminal gets it. For tmux, both forms are written, because its
// settings decide which of them works.
func terminalClipboard(out io.Writer, getenv func(string) string) func(string) error {
	return func(text string) error {
		if len(text) > app.MaxCopyBytes {
			return fmt.Errorf(
				"copy: %d bytes are more than terminals take (%d)",
				len(text), app.MaxCopyBytes,
			)
		}

		sequence := osc52.New(text)
		request := sequence.String()
		switch {
		case getenv("TMUX") != "":
			request += sequence.Tmux().String()
		case strings.HasPrefix(getenv("TERM"), "screen"):
			request = sequence.Screen().String()
		}
		_, err := io.WriteString(out, request)
		return err
	}
}

// guard is a model that wraps another one and catches the panics in its Update, View and
// commands. Without it, bubbletea would print a panic over the screen. With it, the panic is
// reported after the terminal is restored.
type guard struct {
	model      tea.Model
	stop       func()                      // ends the program
	firstPanic atomic.Pointer[crash.Panic] // the first panic; nil if there was none
}

// catch catches a panic, keeps it if it is the first one, and ends the program. activity is
// what the program was doing. catch must be called by defer.
func (g *guard) catch(activity string) {
	if cause := recover(); cause != nil {
		g.firstPanic.CompareAndSwap(nil, crash.Caught(activity, cause))
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

// guardCommand returns a command that does the same as cmd, but whose panics are caught and
// end the program. If cmd brings a batch of other commands, they are guarded as well. It
// returns nil if cmd is nil.
func (g *guard) guardCommand(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.catch("working in the background")
		return g.guardCommands(cmd())
	}
}

// guardCommands guards the commands in a message that is a batch or a sequence of commands.
// It returns any other message unchanged.
func (g *guard) guardCommands(msg tea.Msg) tea.Msg {
	// Both kinds of message are slices of commands. Only reflection can recognize a
	// sequence, because bubbletea does not export its type.
	commands := reflect.ValueOf(msg)
	isSlice := commands.Kind() == reflect.Slice
	isCommands := isSlice && commands.Type().Elem() == reflect.TypeFor[tea.Cmd]()
	if !isCommands {
		return msg
	}

	// Make a message of the same type with guarded commands.
	guardedCommands := reflect.MakeSlice(commands.Type(), commands.Len(), commands.Len())
	for i := range commands.Len() {
		cmd, _ := commands.Index(i).Interface().(tea.Cmd)
		guardedCmd := g.guardCommand(cmd)
		guardedCommands.Index(i).Set(reflect.ValueOf(guardedCmd))
	}
	return guardedCommands.Interface()
}
