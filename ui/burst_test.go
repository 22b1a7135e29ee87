package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"ephemera/core/kv/kvtest"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// burstPhrases are what people type: a key, or keys that belong together.
var burstPhrases = []string{
	"j", "j", "k", "G", "g", "down", "up", "pgdown", "ctrl+d", "tab", "shift+tab", "esc", "esc", "enter", "space",
	"1", "2", "3", "4", "5", "6", "7", "8", "]", "[", "ctrl+o",
	".", ".", ">", "e", "E", "u", "u", "U", "ctrl+r", "f", "x", "s", "i", "h", "l", "left", "right",
	"w", "w enter", "B", "L", "S", "v", "v down enter", "?", "? c l o c k enter", "? j", "y", "ctrl+l",
	"t b o b enter", "t c a r o l tab", "p d a v e tab + 1 0 enter", "p e r i n enter", "m z 1 enter", "m", "r", "r enter", "b", "b enter", "d", "O", "o",
	"a b o b enter", "a c a r enter", "a z o e enter enter", "a esc",
	"/ b o b enter", "/ o w n e r : c a r o l enter", "/ a p e - 0 enter", "/ esc", "/ backspace",
	": a p e - 1 2 enter", ": e x p o esc", ": u n d o enter", ": t i m e l enter",
	"T + 3 enter", "T h 1 1 4 0 enter", "7 enter", "7 enter esc N", "N", "H", "Q", "c", "n", "D",
}

// burstKeys draws keys, at least n.
func burstKeys(rng *rand.Rand, n int) (keys []string) {
	for len(keys) < n {
		phrase := strings.Fields(burstPhrases[rng.IntN(len(burstPhrases))])
		keys = append(keys, phrase...)
	}
	return keys[:n]
}

// state returns what a user could notice. It leaves out the widths of
// columns: a column is as wide as the widest cell that was shown, and a burst may
// skip a frame.
func (t *typist) state() string {
	st := t.model.state
	state := fmt.Sprintf("head %d, revision %d, as %s", st.Head, st.Revision, st.Actor)
	for line := range strings.Lines(ansi.Strip(t.model.View())) {
		state += "\n" + strings.Join(strings.Fields(line), " ")
	}
	return state
}

// refuses reports whether a key can do nothing now. Such a key drops the keys
// that wait behind it.
func (t *typist) refuses(key string) bool {
	m := t.model
	if len(m.dialogs.open) > 0 || !m.state.HasCollection() || m.screen().Typing() {
		return false
	}
	commands := m.Commands()
	_, found := app.FindCommand(commands, uitest.Key(key))
	return !found && app.DisabledReason(commands, uitest.Key(key)) != ""
}

// typeSlowly types keys up to the first that is refused, and lets everything
// finish after each. It returns the keys that it typed.
func (t *typist) typeSlowly(keys []string) []string {
	for i, key := range keys {
		if t.refuses(key) {
			return keys[:i]
		}
		t.send(uitest.Key(key))
		t.runAll()
	}
	return keys
}

// joinLetters joins some letters that follow each other into one message, as a slow
// line delivers them.
func joinLetters(rng *rand.Rand, keys []string) (all []tea.KeyMsg) {
	for _, key := range keys {
		msg := uitest.Key(key)
		last := len(all) - 1
		if last >= 0 && msg.Type == tea.KeyRunes && all[last].Type == tea.KeyRunes && rng.IntN(3) > 0 {
			all[last].Runes = append(all[last].Runes[:len(all[last].Runes):len(all[last].Runes)], msg.Runes...)
			continue
		}
		all = append(all, msg)
	}
	return all
}

// burstMode is a way in which keys can outrun the commands.
type burstMode struct {
	name     string
	anyOrder bool // the commands run in any order
	mixed    bool // some commands run between the keys
	joins    bool // several letters arrive in one message
}

var burstModes = []burstMode{
	{name: "commands in order"},
	{name: "commands in any order", anyOrder: true},
	{name: "commands between the keys", anyOrder: true, mixed: true},
	{name: "several letters in a message", anyOrder: true, mixed: true, joins: true},
}

// typeBurst types keys faster than the commands run, and then runs all commands.
func (t *typist) typeBurst(keys []string, mode burstMode, rng *rand.Rand) {
	if mode.anyOrder {
		t.choose = rng.IntN
	}
	messages := make([]tea.KeyMsg, len(keys))
	for i, key := range keys {
		messages[i] = uitest.Key(key)
	}
	if mode.joins {
		messages = joinLetters(rng, keys)
	}

	for _, msg := range messages {
		for mode.mixed && len(t.commands) > 0 && rng.IntN(2) == 0 {
			t.runOne()
		}
		t.send(msg)
	}
	t.runAll()
}

func TestKeysTypedInABurstHaveTheSameEffectAsOneByOne(t *testing.T) {
	seeds := kvtest.Many(20)
	differ := 0
	for seed := range uint64(seeds) {
		keys := burstKeys(rand.New(rand.NewPCG(seed, 1)), 30)
		slow := newTypist(t, uitest.Fixture(t))
		keys = slow.typeSlowly(keys)
		want := slow.state()

		for _, mode := range burstModes {
			fast := newTypist(t, uitest.Fixture(t))
			fast.typeBurst(keys, mode, rand.New(rand.NewPCG(seed, 2)))

			if got := fast.state(); got != want {
				differ++
				t.Logf("seed %d, %s: %s end in\n%s\n-- one by one\n%s", seed, mode.name, strings.Join(keys, " "), got, want)
			}
		}
	}

	bursts := seeds * len(burstModes)
	t.Logf("%d of %d bursts differ", differ, bursts)
	if mayDiffer := bursts / 2_000; differ > mayDiffer { // a cell cut by a dialog above it
		t.Errorf("%d bursts differ, want at most %d", differ, mayDiffer)
	}
}
