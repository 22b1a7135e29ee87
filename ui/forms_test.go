package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv/kvtest"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/uitest"
)

// The long texts that the forms of the following tests are filled with.
var (
	longID   = "00-" + strings.Repeat("interchain-apes-of-the-", 4) + "hub"
	stranger = string(chaintest.Address("nobody has ever given this account a name"))
	longText = strings.Repeat("a sentence of many words, and then ", 3) + "the end"
)

// longTexts returns a collection in which the first token has a long id and many grants to
// accounts without names.
func longTexts(t *testing.T) *chain.Chain {
	t.Helper()
	c := uitest.Crowded(t)
	uitest.Execute1(t, c, "minter", fmt.Sprintf(`{"mint":{"token_id":%q,"owner":"$alice","token_uri":"ipfs://%s"}}`, longID, strings.Repeat("bafy", 20)))
	for i := range 3 {
		spender := chaintest.Address(fmt.Sprint("a stranger ", i))
		uitest.Execute1(t, c, "alice", fmt.Sprintf(`{"approve":{"token_id":%q,"spender":%q,"expires":{"at_height":1103}}}`, longID, spender))
		uitest.Execute1(t, c, "alice", fmt.Sprintf(`{"approve_all":{"operator":%q,"expires":{"at_height":1103}}}`, spender))
	}
	return c
}

// fill types long texts into the fields of the top form, if there is one.
func fill(d *uitest.Driver) {
	dialogs := d.Model.Dialogs()
	action, isForm := dialogs[len(dialogs)-1].(*form.Action)
	if !isForm {
		return
	}
	texts := map[string]string{
		"recipient": stranger, "spender": stranger, "operator": stranger, "owner": stranger, "address": stranger,
		"payment_address": stranger, "new_owner": stranger, "minter": stranger, "as": stranger,
		"expires": "+10", "expiry": "+10", "to": "+100", "token_id": longID + "-2", "name": longText,
		"description": longText, "token_uri": "ipfs://" + strings.Repeat("bafy", 20), "amount": "1000000", "share": "5 %",
	}
	for name := range action.Form.Values() {
		if text, isKnown := texts[name]; isKnown {
			action.Form.SetValue(name, text)
		}
	}
	d.ReadAgain() // the form previews again
}

// seenForm is what a form shows while the focus goes over its fields and its text is scrolled.
type seenForm struct {
	fields  []string // the lines above the rule, one text for each view
	text    []string // the lines below the rule, each once
	verdict string   // the first of them
}

// readForm goes over all fields and through the text of the top dialog. It fails the test
// if a view does not show the footer, or not the first line below the rule.
func readForm(d *uitest.Driver, name string) (seen seenForm) {
	d.T.Helper()
	look := func() (text []string) {
		d.Fits()
		screen := strings.Split(ansi.Strip(d.Model.View()), "\n")
		var inside []string
		for _, line := range strings.Split(uitest.Dialog(screen), "\n") {
			inside = append(inside, strings.TrimSuffix(strings.TrimPrefix(line, "│"), "│"))
		}
		rule := slices.IndexFunc(inside, func(line string) bool { return strings.HasPrefix(line, " ──") })
		if rule < 0 {
			rule = len(inside) - 1
		}
		seen.fields = append(seen.fields, strings.Join(inside[1:rule], "\n"))
		if !strings.Contains(uitest.Footer(screen), "esc ") {
			d.T.Errorf("%s at %v: the footer is %q", name, d.Size, uitest.Footer(screen))
		}
		if rule+1 < len(inside) {
			text = inside[rule+1 : len(inside)-1]
		}
		switch {
		case len(text) == 0:
		case seen.verdict == "":
			seen.verdict = text[0][:16]
		case !strings.HasPrefix(text[0], seen.verdict):
			d.T.Errorf("%s at %v: %q is out of view:\n%s", name, d.Size, seen.verdict, strings.Join(screen, "\n"))
		}
		return text
	}

	// The fields are done when a view comes again, and the text when it scrolls no further.
	seen.text = look()
	for views := map[string]bool{}; !views[d.Model.View()]; look() {
		views[d.Model.View()] = true
		d.Press("shift+tab")
	}
	for before := ""; before != d.Model.View(); {
		before = d.Model.View()
		d.Press("pgdown")
		for _, line := range look() {
			if !slices.Contains(seen.text, line) {
				seen.text = append(seen.text, line)
			}
		}
	}
	d.Press("pgup", "pgup", "pgup", "pgup", "pgup", "pgup")
	return seen
}

// withoutBlanks returns a text without spaces and line ends, so that a wrapped text can be
// compared with one that is not.
func withoutBlanks(text string) string { return strings.Join(strings.Fields(text), "") }

// openNamed opens the explorer, presses keys, and carries out the command with a name. It
// returns nil unless the command opens a form.
func openNamed(t *testing.T, c *chain.Chain, keys []string, name string) *uitest.Driver {
	d := uitest.On(t, New, c, 200, 60)
	d.Press(keys...)
	commands := root(d).Commands()
	isNamed := func(command app.Command) bool { return command.Name == name && command.Do != nil }
	i := slices.IndexFunc(commands, isNamed)
	if i < 0 || commands[i].QueuedWrite {
		return nil
	}
	d.Run(commands[i].Do())
	if _, isPane := root(d).dialogs.top().(app.PaneDialog); !isPane {
		return nil
	}
	return d
}

// checkForm compares what a form says in a small terminal with what it says in a large one.
func checkForm(d *uitest.Driver, name string, sizes [][2]int) {
	d.T.Helper()
	whole := readForm(d, name)
	gap := regexp.MustCompile(`\s{2,}|\n`)
	pieces := gap.Split(strings.Join(whole.fields, "\n"), -1)
	slices.Sort(pieces)
	for _, size := range sizes {
		d.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		seen := readForm(d, name)
		text := withoutBlanks(strings.Join(seen.text, "\n"))
		for _, line := range whole.text {
			if !strings.Contains(text, withoutBlanks(line)) {
				d.T.Errorf("%s at %v does not show %q:\n%s", name, size, line, d.Screen())
			}
		}
		for _, piece := range slices.Compact(pieces) {
			// Examples in an empty field end with the last one that fits.
			if before, isExamples := strings.CutSuffix(piece, form.Examples(root(d).state.Clock)); isExamples {
				piece = before + "+10 blocks"
			}
			isShown := func(view string) bool {
				return strings.Contains(withoutBlanks(view), withoutBlanks(piece))
			}
			if !strings.Contains(piece, "…") && !slices.ContainsFunc(seen.fields, isShown) {
				d.T.Errorf("%s at %v does not show %q:\n%s", name, size, piece, d.Screen())
			}
		}
	}
}

// skipInShort skips a long test in which nothing runs side by side. With -short the tests
// look for races.
func skipInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing runs side by side here")
	}
}

func TestEveryFormShowsAllThatItSaysInEverySize(t *testing.T) {
	skipInShort(t)
	c := longTexts(t)
	tried := map[string]bool{}
	formCount := 0
	sizes := [][2]int{{60, 20}, {110, 32}}
	if kvtest.Times() > 1 {
		sizes = [][2]int{{60, 20}, {80, 24}, {90, 28}, {100, 30}, {110, 32}}
	}
	for _, keys := range []string{
		"1", "1 space j space", "2", "2 space j space", "3", "3 space j space", "5", "6", "7", "8",
		"4", "4 j", "4 j j", "4 j j j", "4 j j j j", "4 j j j j j", "4 j j j j j j", "4 j j j j j j j",
	} {
		d := uitest.On(t, New, c, 200, 60)
		d.Press(strings.Fields(keys)...)
		for _, command := range root(d).Commands() {
			if command.Name == "" || command.Do == nil || tried[command.Name] {
				continue
			}
			tried[command.Name] = true
			d := openNamed(t, c, strings.Fields(keys), command.Name)
			if d == nil {
				continue
			}
			formCount++
			checkForm(d, command.Name, [][2]int{{60, 20}})

			d = openNamed(t, c, strings.Fields(keys), command.Name)
			fill(d)
			checkForm(d, command.Name+", filled in,", sizes)
		}
	}
	if formCount < 40 {
		t.Errorf("only %d commands open a form", formCount)
	}

	for _, key := range []string{"c", "i"} { // a collection is created, or imported
		d := uitest.Empty(t, New, 200, 60, func(*chain.Chain, string, chain.Genesis, func(int)) ([]string, error) { return nil, nil })
		d.Press(key)
		checkForm(d, key+" of the welcome", [][2]int{{60, 20}})
		fill(d)
		d.Send(tea.WindowSizeMsg{Width: 200, Height: 60})
		checkForm(d, key+" of the welcome, filled in,", sizes)
	}
}
