package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/accounts"
	"ephemera/ui/app"
	"ephemera/ui/collection"
	"ephemera/ui/console"
	"ephemera/ui/grants"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
	"ephemera/ui/lessons"
	"ephemera/ui/picture"
	"ephemera/ui/tokens"
	"ephemera/ui/widget"
)

// screenSet holds the screens of a chain, which one is shown, and where "back" goes to.
type screenSet struct {
	all     []app.Screen // in the order of their keys
	current int          // the index in all of the one that is shown
	trail   []app.Screen // the screens that "back" returns to, the latest last
	box     widget.Box   // the box that the screens were given
}

// newScreens returns new screens. hiddenTitles holds, by the name of a screen, the titles of the
// columns that the user has hidden.
func newScreens(book *lessons.Book, hiddenTitles map[string][]string) screenSet {
	screens := []app.Screen{
		tokens.New(),
		grants.NewApprovals(),
		grants.NewOperators(),
		collection.New(),
		history.New(),
		console.New(),
		lessons.New(book),
		accounts.New(),
	}
	for _, screen := range screens {
		if lister, ok := screen.(app.Lister); ok {
			lister.List().HideColumns(hiddenTitles[screen.Name()])
		}
	}
	return screenSet{all: screens}
}

// fit gives all screens their box.
func (s *screenSet) fit(box widget.Box) {
	if s.box == box {
		return
	}
	s.box = box
	for _, screen := range s.all {
		screen.Resize(box)
	}
}

// shown returns the screen that is shown. If the storage of the contract cannot be decoded,
// it returns a screen that says so in place of one that reads the storage.
func (s *screenSet) shown(state *app.State) app.Screen {
	screen := s.all[s.current]
	readsStorage := screen.Kind() <= app.KindCollection // the kinds up to it show what is stored
	if state.UnreadableReason != "" && readsStorage {
		return unreadableScreen{Screen: screen, box: s.box}
	}
	return screen
}

// subject returns what is under the cursor of the screen that is shown, such as a token. It
// is empty if the screen has nothing under a cursor.
func (s *screenSet) subject(state *app.State) app.Subject {
	if screen, ok := s.shown(state).(app.SubjectScreen); ok {
		return screen.Subject()
	}
	return app.Subject{}
}

// choose shows the screen at an index, which the user has chosen by its key or tab. The
// command "back" does not return from it.
func (s *screenSet) choose(state *app.State, index int) tea.Cmd {
	s.trail = nil
	return s.show(state, index)
}

// followLink shows a screen that something on the current screen links to. The command
// "back" returns from it to the current screen.
func (s *screenSet) followLink(state *app.State, kind app.Kind) tea.Cmd {
	index := slices.IndexFunc(s.all, func(screen app.Screen) bool { return screen.Kind() == kind })
	if index != s.current {
		s.trail = append(s.trail, s.all[s.current])
	}
	return s.show(state, index)
}

// goBack shows the screen from which the last link was followed.
func (s *screenSet) goBack(state *app.State) tea.Cmd {
	lastIndex := len(s.trail) - 1
	origin := s.trail[lastIndex]
	s.trail = s.trail[:lastIndex]
	return s.show(state, slices.Index(s.all, origin))
}

// show changes to the screen at an index, and keeps in the state what was under the cursor of
// the screen before. The screen reads what has changed since it was shown.
func (s *screenSet) show(state *app.State, index int) tea.Cmd {
	if subject := s.subject(state); !subject.Empty() {
		state.LastSelection = subject
	}

	// The screen of tokens shows pictures, which take memory of the terminal. They are freed
	// when that screen is left.
	var free tea.Cmd
	if s.all[s.current].Kind() == app.KindTokens && index != s.current {
		free = freePicture(state)
	}
	s.current = index
	screen := s.all[index]
	if state.HasCollection() {
		screen.Refresh(state)
	}
	return tea.Batch(free, screen.Update(state, app.ShownMsg{}))
}

// freePicture returns the command that asks the terminal to free the memory of the pictures
// of tokens. It returns nil for a terminal that cannot show pictures.
func freePicture(state *app.State) tea.Cmd {
	send := state.SendPicture
	if send == nil {
		return nil
	}
	state.PicturesFreed++
	return func() tea.Msg {
		_ = send([]byte(picture.DeleteSequence())) // if this fails, the terminal is gone
		return nil
	}
}

// hiddenColumns returns the titles of the hidden columns of each screen, by the screen's
// name. Screens without hidden columns are left out.
func (s *screenSet) hiddenColumns() map[string][]string {
	hiddenTitles := map[string][]string{}
	for _, screen := range s.all {
		lister, isList := screen.(app.Lister)
		if !isList {
			continue
		}
		if titles := lister.List().Hidden(); len(titles) > 0 {
			hiddenTitles[screen.Name()] = titles
		}
	}
	return hiddenTitles
}

// unreadableScreen is shown in place of a screen whose data cannot be decoded, because a
// compiled contract stores it in an unknown layout. There is nothing to read and to type.
type unreadableScreen struct {
	app.Screen // the screen that cannot be shown
	box        widget.Box
}

func (unreadableScreen) Refresh(*app.State)                 {}
func (unreadableScreen) NextRead(*app.State) app.Read       { return nil }
func (unreadableScreen) Update(*app.State, tea.Msg) tea.Cmd { return nil }
func (unreadableScreen) Typing() bool                       { return false }

// Commands returns the command that shows the raw storage, which works without decoding.
func (unreadableScreen) Commands(state *app.State) []app.Command {
	return []app.Command{storageCommand(func() tea.Cmd {
		return inspect.OpenStorage(state, app.Subject{})
	})}
}

// View draws the reason why the storage cannot be decoded, and what still works.
func (u unreadableScreen) View(state *app.State) string {
	data := strings.ToLower(u.Name()) // such as "tokens"
	reason := "\n" + state.UnreadableReason + ": the " + data + " cannot be read from it.\n\n"
	advice := "S shows its records with their keys decoded. Console, History and Accounts, the clock, undo, branches and scenarios work as always."

	const maxTextWidth = 76
	textWidth := max(min(u.box.W-2, maxTextWidth), 1)
	lines := widget.Wrap(reason+advice, textWidth)
	for i, line := range lines {
		lines[i] = " " + state.Theme.Render(themes.Text, line)
	}
	return widget.Fill(strings.Join(lines, "\n"), u.box)
}
