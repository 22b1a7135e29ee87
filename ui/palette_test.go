package ui

import (
	"io"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
	"ephemera/ui/widget"
)

// withFiles opens the explorer where nothing but what the collection itself forbids is disabled.
func withFiles(t *testing.T) *uitest.Driver {
	d := uitest.New(t, New, 120, 36)
	d.Given(func(state *app.State) {
		state.InMemory = false
		state.Backup = func(string, bool) error { return nil }
		state.Export = func(*chain.View, io.Writer, bool) error { return nil }
		state.Save = func(string, bool, func(io.Writer) error) error { return nil }
	})
	return d
}

// paletteItems returns what the palette lists on a screen.
func paletteItems(t *testing.T, d *uitest.Driver, screen string) []widget.Item {
	t.Helper()
	d.To(screen)
	d.Press(":")
	dialogs := d.Model.Dialogs()
	items := dialogs[len(dialogs)-1].(*palette).items
	d.Press("esc")
	return items
}

// firstFound returns the titles of the first items that a search finds. A greyed one is marked.
func firstFound(items []widget.Item, text string, count int) (titles []string) {
	chooser := widget.NewChooser(items...)
	chooser.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}) // searched once
	var ids []string
	for range count {
		item, found := chooser.Current()
		if !found || slices.Contains(ids, item.ID) {
			break
		}
		ids = append(ids, item.ID)
		title := item.Title
		if item.Disabled {
			title = "· " + title
		}
		titles = append(titles, title)
		chooser.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
	return titles
}

// suffices has the commands whose own words are enough to find them, or that must not be listed
// on other screens.
var suffices = []string{
	"Scroll the", "Go to this", "Go to the tokens that this", "The other list of grants", "Copy this", "Copy the message",
	"Rename this snapshot", "Delete the name of this snapshot", "Type a message", "Templates", "Send the message",
	"The message before", "The message after", "Edit the message", "Query or message", "Clear the message",
	"Play this lesson", "Show the lessons", "Play the tasks again", "Choose the learner", "Act as this account",
	"Follow this line", "Other views", "Find a lesson", "Find a field", "Go to Operators", "Show or hide expired", "Lesson: ", "Commands: ",
}

func TestEveryPhraseFindsItsCommandFirstAndEveryCommandHasPhrases(t *testing.T) {
	skipInShort(t)
	d := withFiles(t)
	screenOf := map[string]string{} // by the name of the command, the first screen that has it
	phrasesOf := map[string]string{}
	for _, screen := range root(d).screens.all {
		d.To(screen.Name())
		for _, command := range root(d).Commands() {
			if _, seen := screenOf[command.Name]; !seen {
				screenOf[command.Name] = screen.Name()
				phrasesOf[command.Name] = command.Phrases
			}
		}
	}
	itemsOn := map[string][]widget.Item{}
	for _, screen := range root(d).screens.all {
		itemsOn[screen.Name()] = paletteItems(t, d, screen.Name())
	}

	for name, screen := range screenOf {
		needsNone := name == "" || slices.ContainsFunc(suffices, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
		if needsNone != (phrasesOf[name] == "") {
			t.Errorf("%q has the phrases %q", name, phrasesOf[name])
		}
		if phrasesOf[name] == "" {
			continue
		}
		for phrase := range strings.SplitSeq(phrasesOf[name], ", ") {
			if phrase != strings.ToLower(strings.TrimSpace(phrase)) || phrase == "" {
				t.Errorf("%q of %q is no phrase in small letters", phrase, name)
			}
			found := firstFound(itemsOn[screen], phrase, 1000)
			isGreyed := slices.Contains(found, "· "+name)
			if isGreyed { // it comes first of the greyed ones
				found = slices.DeleteFunc(found, func(title string) bool { return !strings.HasPrefix(title, "· ") })
			}
			if len(found) == 0 {
				t.Errorf("on %s %q finds nothing", screen, phrase)
				continue
			}
			// If the command that was found has the phrase too, the order of the commands decides.
			first := strings.TrimPrefix(found[0], "· ")
			if first != name && !slices.Contains(strings.Split(phrasesOf[first], ", "), phrase) {
				t.Errorf("on %s %q does not find %q first, but %.3q", screen, phrase, name, found)
			}
		}
	}
}

func TestThePaletteFindsWhatStrangersType(t *testing.T) {
	items := paletteItems(t, withFiles(t), "Tokens")
	for _, c := range []struct{ text, want string }{
		{"compare", "Branches"}, {"diff", "Branches"}, {"rewind", "Undo"}, {"expire", "Clock: to the next expiry"},
		{"expires", "Clock: to the next expiry"}, {"gift", "Transfer this token"}, {"lend", "Approve a spender"},
		{"royalties", "Go to Collection"}, {"royalty", "Go to Collection"}, {"who owns", "Go to Tokens"},
		{"sell", "Transfer this token"}, {"sell token", "Transfer this token"}, {"give", "Transfer this token"},
		{"give token", "Transfer this token"}, {"allow", "Approve a spender"}, {"permission", "Why: who"},
		{"permissions", "Why: who"}, {"delete", "Burn this token"}, {"destroy", "Burn this token"},
		{"create", "Mint a token"}, {"new", "Mint a token"}, {"new token", "Mint a token"}, {"time", "Clock: set"},
		{"wait", "Clock: one block on"}, {"fast forward", "Clock: ten blocks on"}, {"back", "Undo"}, {"go back", "Undo"},
		{"history", "Go to History"}, {"save", "Export"}, {"export", "Export"}, {"quit", "Quit"}, {"exit", "Quit"},
		{"theme", "Theme"}, {"colour", "Theme"}, {"colors", "Theme"}, {"dark mode", "Theme"}, {"name", "Go to Collection"},
		{"supply", "Go to Collection"}, {"sign in", "Act as somebody else"}, {"login", "Act as somebody else"},
		{"wallet", "Act as somebody else"}, {"switch", "Act as somebody else"}, {"switch user", "Act as somebody else"},
		{"why not", "Why: who"}, {"hack", "Who can"}, {"risk", "Who can"}, {"steal", "Who can"},
		{"operator", "Grant an operator"}, {"setApprovalForAll", "Grant an operator"}, {"revoke", "Revoke an approval"},
		{"cancel approval", "Revoke an approval"}, {"search", "Filter this list"}, {"find", "Filter this list"},
		{"sort", "Sort by id"}, {"help", "Help"}, {"shortcuts", "Help"}, {"undo", "Undo"}, {"redo", "Redo"},
		{"tutorial", "Go to Lessons"}, {"learn", "Go to Lessons"}, {"people", "Go to Accounts"},
		{"snapshot", "Go to History"}, {"pause", "Clock: play or pause"}, {"timeline", "Timeline"},
		{"picture", "Update this token"}, {"nft", "Go to Tokens"}, {"clipboard", "Copy: ids"}, {"json", "Export"},
		{"all", "Select everything"}, {"renew", "Go to Approvals"}, {"backup", "Backup"}, {"tomorrow", "Clock: set"},
		{"lend my nft", "Approve a spender"}, {"revoke all", "Revoke an operator"}, {"undo all", "Undo"}, {"undo last", "Undo"},
		{"where is my token", "Filter this list"}, {"who can steal it", "Who can"}, {"change picture", "Update this token"},
		{"batch mint", "Mint a token"}, {"remove approval", "Revoke an approval"}, {"log out", "Act as somebody else"},
		{"hotkeys", "Help"}, {"swap", "Transfer this token"}, {"checkpoint", "Go to History"}, {"expiration", "Clock: to the next"},
	} {
		found := firstFound(items, c.text, 3)
		if !slices.ContainsFunc(found, func(title string) bool { return strings.HasPrefix(title, c.want) }) {
			t.Errorf("%q finds %q, not %q", c.text, found, c.want)
		}
	}
}

func TestWhatCannotBeDoneComesLastInThePaletteAndSaysWhy(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	for _, text := range []string{"", "create", "import", "lesson"} {
		found := firstFound(paletteItems(t, d, "Tokens"), text, 1000)
		isGreyed := func(title string) bool { return strings.HasPrefix(title, "· ") }
		first := slices.IndexFunc(found, isGreyed)
		if first < 0 {
			t.Fatalf("%q finds nothing that cannot be done: %q", text, found)
		}
		if i := slices.IndexFunc(found[first:], func(title string) bool { return !isGreyed(title) }); i >= 0 {
			t.Errorf("%q finds %q behind %q", text, found[first+i], found[first])
		}
	}

	before := root(d).state.Revision
	d.Keys(":", "create a coll", "enter")
	d.Sees("needs an empty database: ephemera")
	if len(d.Model.Dialogs()) > 0 || root(d).state.Revision != before {
		t.Error("a greyed entry did something")
	}
}
