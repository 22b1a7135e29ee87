package ui

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"ephemera/themes"
	"ephemera/ui/term"
)

// Setup is what a person asked of the explorer, and where it runs.
type Setup struct {
	Options
	// ThemeName is a name of themes.Names, or auto, which asks the terminal.
	ThemeName string
	NoColor   bool
	NoMouse   bool
}

// askBound is how long the terminal has to tell its background. A person does
// not feel it, and a terminal across an ocean that is later still gets the
// theme for the dark.
const askBound = 150 * time.Millisecond

// Run runs the explorer in the terminal until the person leaves it. It fails
// when there is no terminal, or with what kept the database from opening.
func Run(ctx context.Context, s Setup) error {
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
	s.Theme = themes.New(palette, s.ThemeOptions)
	s.Copy = terminalClipboard(out, os.Getenv)
	m := New(s.Options)
	m.ask = func() tea.Msg { return backgroundMsg{s.ThemeName, in.Background(out, askBound)} }
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithAltScreen(), tea.WithInput(in), tea.WithOutput(out)}
	if !s.NoMouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	_, err = tea.NewProgram(m, options...).Run()
	if m.desk.Engine != nil {
		err = errors.Join(err, m.desk.Engine.Close())
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil // asked to stop from outside
	}
	return errors.Join(err, m.openErr)
}

// backgroundMsg says what the terminal told of its background.
type backgroundMsg struct {
	theme string
	back  themes.Background
}

// dress chooses the theme again, now that the background is known.
func (m *Model) dress(msg backgroundMsg) {
	m.desk.ThemeOptions.Terminal = msg.back
	palette, err := themes.Lookup(msg.theme, msg.back)
	if err == nil {
		m.desk.Theme = themes.New(palette, m.desk.ThemeOptions)
	}
}

// poorFont tells whether the terminal is likely to lack the glyphs: one that
// says that it does not speak UTF-8, and the console of Linux.
func poorFont(env func(string) string) bool {
	if env("TERM") == "linux" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}
