package ui

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// Setup is what a person asked of the explorer, and where it runs.
type Setup struct {
	app.Options
	// ThemeName is a name of themes.Names, or auto, which asks the terminal.
	ThemeName string
	NoColor   bool
	NoMouse   bool
}

// askBound is how long the terminal has to tell its background. A person does
// not feel it, and a terminal across an ocean that is later still gets the
// theme for the dark.
const askBound = 150 * time.Millisecond

// Run runs the explorer in the terminal until the person leaves it or ctx is
// over, and closes every database that was opened. It fails when there is no
// terminal, with what kept the database from opening, and with a [*crash.Panic].
func Run(ctx context.Context, s Setup) error {
	// The start leaves little to collect, and collecting it would take the cores
	// away from what the first frame waits for.
	usual := debug.SetGCPercent(400)
	time.AfterFunc(time.Second, func() { debug.SetGCPercent(usual) })
	in, err := term.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out := os.Stdout
	s.ThemeOptions = themes.Options{
		Profile: termenv.NewOutput(out).EnvColorProfile(),
		NoColor: s.NoColor,
		ASCII:   poorFont(os.Getenv),
	}
	palette, err := themes.Lookup(s.ThemeName, themes.UnknownBackground)
	if err != nil {
		return err
	}
	var engines keeper
	s.Open, s.Demo = openNow(engines.keep(s.Open)), engines.keep(s.Demo)
	go widget.Safe(themes.GlyphEllipsis) // the first rune beyond Latin makes a table of widths, for which no frame should wait
	s.Theme = themes.New(palette, s.ThemeOptions)
	s.Copy = terminalClipboard(out, os.Getenv)
	m := New(s.Options)
	m.ask = func() tea.Msg { return backgroundMsg{s.ThemeName, in.Background(out, askBound)} }
	err = run(ctx, m, in, out, !s.NoMouse)
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil || errors.Is(err, term.ErrGone) || errors.Is(err, syscall.EIO) {
		err = nil // asked to stop from outside, or left alone
	}
	return errors.Join(err, engines.close(), m.openErr)
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
				return msg
			}
			if !jobs.Suspend() {
				return app.SayMsg{Level: app.LevelWarn, Text: "no shell could bring the explorer back here, so it goes on"}
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

// backgroundMsg says what the terminal told of its background.
type backgroundMsg struct {
	theme string
	back  themes.Background
}

// dress chooses the theme again, now that the background is known.
func (m *Model) dress(msg backgroundMsg) {
	m.state.ThemeOptions.Terminal = msg.back
	palette, err := themes.Lookup(msg.theme, msg.back)
	if err == nil {
		m.state.Theme = themes.New(palette, m.state.ThemeOptions)
	}
}

// poorFont tells whether the terminal is likely to lack the glyphs: one that
// says that it does not speak UTF-8, and the console of Linux.
func poorFont(env func(string) string) bool {
	return env("TERM") == "linux" || term.NotUTF8(env)
}
