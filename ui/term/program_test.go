package term

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	_ "ephemera/themes/early"
	"ephemera/ui/term/ptytest"
)

// The test binary runs itself as a small bubbletea program in a terminal. The
// variable holds how long the program waits for the background.
const programMode = "EPHEMERA_TERM_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programMode) == "" {
		os.Exit(m.Run())
	}
	bound, err := time.ParseDuration(os.Getenv(programMode))
	if err != nil {
		panic(err)
	}
	in, err := Open()
	if err == nil {
		_, err = tea.NewProgram(program{in: in, bound: bound, background: "asking"}, tea.WithInput(in), tea.WithAltScreen(),
			tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg { return RestoreEscape(msg) })).Run()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// clearKeys is typed to let the program forget its keys.
const clearKeys = "§"

// program shows the keys it got and what it learned of the background.
type program struct {
	in         *Input
	bound      time.Duration
	keys       []string
	background string
	name       string
}

type backgroundMsg Answers

func (p program) Init() tea.Cmd {
	return func() tea.Msg { return backgroundMsg(p.in.Ask(os.Stdout, p.bound)) }
}

func (p program) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case backgroundMsg:
		p.name = msg.TerminalName
		p.background = map[themes.Background]string{themes.DarkBackground: "dark", themes.LightBackground: "light", themes.UnknownBackground: "unknown"}[msg.Background]
	case tea.KeyMsg:
		if string(msg.Runes) == clearKeys {
			p.keys = nil
			return p, nil
		}
		for _, k := range Split(msg) {
			p.keys = append(p.keys, k.String())
			if k.String() == "q" {
				return p, tea.Quit
			}
		}
	}
	return p, nil
}

func (p program) View() string {
	return fmt.Sprintf("background %s %s\n%d keys\n%s.", p.background, p.name, len(p.keys), strings.Join(p.keys, " "))
}

func run(t *testing.T, o ptytest.Options) *ptytest.Term {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bound := ptytest.Hang // an answer that comes is waited for, however slow the machine
	if o.Silent {
		bound = 50 * time.Millisecond
	}
	cmd := exec.Command(exe)
	cmd.Env = []string{programMode + "=" + bound.String()}
	return ptytest.Start(t, o, cmd)
}

// Without themes/early something else asks first, and waits for 5.0 seconds. How
// long it took tells nothing on a busy machine; what was asked does.
func TestASilentTerminalDoesNotHoldUpTheFirstFrame(t *testing.T) {
	term := run(t, ptytest.Options{Silent: true})
	term.WaitFor("0 keys")
	if raw := term.Raw(); strings.Contains(raw, ptytest.SlowQuestion) {
		t.Errorf("the terminal was asked what holds up the first frame: %q", raw)
	}
	term.WaitFor("background unknown")
}

func TestTheBackgroundIsLearnedFromTheTerminal(t *testing.T) {
	for colour, want := range map[string]string{"#1e1e1e": "dark", "#fdf6e3": "light", "": "unknown"} {
		term := run(t, ptytest.Options{Background: colour})
		term.WaitFor("background "+want, "0 keys")
	}
}

func TestTheNameOfTheTerminalIsLearnedFromIt(t *testing.T) {
	run(t, ptytest.Options{Name: "kitty(0.42.1)", Background: "#1e1e1e"}).WaitFor("background dark kitty(0.42.1)", "0 keys")
	run(t, ptytest.Options{Name: "kitty(0.42.1)"}).WaitFor("background unknown kitty(0.42.1)", "0 keys")
}

func TestALateReplyIsNoKeyHoweverItComes(t *testing.T) {
	term := run(t, ptytest.Options{Silent: true})
	term.WaitFor("background unknown")
	for _, r := range replies {
		term.Type(r)
	}
	// In two pieces. Where every cut may fall is tested without a terminal.
	term.Type(replies[0][:9], replies[0][9:], "x")
	if screen := term.WaitFor("x."); !strings.Contains(screen, "1 keys") {
		t.Errorf("replies became keys:\n%s", screen)
	}
}

func TestKeysAmongRepliesAreKept(t *testing.T) {
	term := run(t, ptytest.Options{Silent: true})
	term.WaitFor("0 keys")
	term.Type("a" + replies[0] + ptytest.Up + replies[9] + "b" + replies[1] + ptytest.Enter)
	term.WaitFor("a up b enter.")
}

func TestFastTypingIsNotLost(t *testing.T) {
	term := run(t, ptytest.Options{})
	term.WaitFor("background")
	term.Type(strings.Repeat("j", 700))
	term.WaitFor("700 keys")
}

func TestALoneEscapeIsAKeyAtOnceAlsoWhileAReplyIsDue(t *testing.T) {
	for _, silent := range []bool{false, true} {
		term := run(t, ptytest.Options{Silent: silent})
		term.WaitFor("background unknown")
		term.Type(ptytest.Esc)
		term.WaitFor("esc.")
		term.Type("j")
		term.WaitFor("esc j.")
	}
}

func TestTheTerminalIsRawWhileTheProgramRunsAndItEndsCleanly(t *testing.T) {
	term := run(t, ptytest.Options{})
	term.WaitFor("background")
	term.Type(ptytest.CtrlC)
	term.WaitFor("ctrl+c.")
	term.Type("q")
	if code := term.WaitExit(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
}
