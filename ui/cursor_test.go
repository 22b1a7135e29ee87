package ui

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
	"ephemera/ui/app"
	"ephemera/ui/grants"
	"ephemera/ui/tokens"
	"ephemera/ui/uitest"
	"ephemera/ui/widget"
)

// cursorPhrases are what people type in lists: a key, or keys that belong together.
var cursorPhrases = []string{
	"j", "j j j", "k", "G", "g", "pgdown", "pgup", "ctrl+d", "tab", "esc", "esc",
	"1", "1", "2", "2", "3", "5", "8", "4", "s", "s", "x", "f", ".", ">", "e", "e", "E", "u", "u", "U", "u U",
	"space", "space space", "shift+down", "shift+up", "V", "space j j V", "*",
	"/ b o b enter", "/ a l i c e", "/ o w n e r : c a r o l enter", "/ s p e n d e r : b o b enter",
	"/ e x p i r e s < 1 0 enter", "/ 0 0 3 enter", "/ z z z enter", "/ z z esc", "/ a p e - 0 0 4 esc", "/ 1", "/ esc", "/ backspace enter",
	"/ c a n : b o b enter", "/ c l o c k enter", "/ r e f u s e d enter", "/ i t r a n s f e r", "/ ctrl+u enter",
	"t b o b enter", "t c a r o l enter", "t c a r o l enter u", "b enter", "b enter u", "r enter", "r enter u", "p d a v e tab + 1 0 enter",
	"p e r i n enter", "p enter", "d m a r k e t enter", "i esc", "w esc", "W esc", "o d a v e tab + 5 enter", "O enter",
	"a b o b enter", "a c a r o l enter", "a a l i c e enter", "n m a r k e d enter", "enter", "v", "v j j esc", "B j j . esc", "S j j j esc",
	": a p e - 0 0 1 2 enter", "T + 3 enter",
}

// A cursorWatcher watches the cursors of all lists while keys are typed and readings arrive
// late. It knows no rule of the lists but the one of the design: no reading moves a cursor to
// another row while its row is still listed, and an action is about the row under the cursor.
type cursorWatcher struct {
	*typist
	log      []string        // the keys and the messages so far
	faults   []string        // what was wrong
	linked   map[string]bool // the rows to which links lead
	moves    map[string]bool // the lists in which a key that moves waits for rows
	actedOn  string          // what was under the cursor when the key of an action came; "" if none did
	opened   int             // the dialogs whose action was compared
	followed int             // the readings over which a cursor was watched
}

func newCursorWatcher(t *testing.T, size widget.Box) *cursorWatcher {
	w := &cursorWatcher{typist: newTypist(t, manyRows(t)), linked: map[string]bool{}, moves: map[string]bool{}}
	w.send(tea.WindowSizeMsg{Width: size.W, Height: size.H})
	for i, screen := range w.model.screens.all {
		switch screen := screen.(type) {
		case *tokens.Screen:
			w.model.screens.all[i] = watchedTokens{screen, w}
		case *grants.Screen:
			w.model.screens.all[i] = watchedGrants{screen, w}
		}
	}
	w.runAll()
	w.updated = w.watch
	return w
}

// manyRows returns the crowded collection with so many tokens and grants more that no list
// holds all its rows.
func manyRows(t *testing.T) *chain.Chain {
	t.Helper()
	c := uitest.Crowded(t)
	for i := range 120 {
		id := fmt.Sprintf("more-%03d", i)
		uitest.Execute1(t, c, "minter", `{"mint":{"token_id":"`+id+`","owner":"$minter"}}`)
		approve := fmt.Sprintf(`{"approve":{"token_id":"%s","spender":"$bob","expires":{"at_height":%d}}}`, id, 1110+7*i%300)
		uitest.Execute1(t, c, "minter", approve)
	}
	return c
}

// These screens tell the watcher when an action begins.
type (
	watchedTokens struct {
		*tokens.Screen
		watcher *cursorWatcher
	}
	watchedGrants struct {
		*grants.Screen
		watcher *cursorWatcher
	}
)

func (s watchedTokens) Commands(state *app.State) []app.Command {
	return s.watcher.watchCommands(s.List(), s.Screen.Commands(state), "t", "p", "r", "d", "b", "i")
}

func (s watchedGrants) Commands(state *app.State) []app.Command {
	return s.watcher.watchCommands(s.List(), s.Screen.Commands(state), "r", "p")
}

func (w *cursorWatcher) watchCommands(list *widget.Table, commands []app.Command, keys ...string) []app.Command {
	for i, command := range commands {
		if command.Do == nil || len(command.Binding.Keys()) == 0 || !slices.Contains(keys, command.Binding.Keys()[0]) || len(list.MarkedKeys()) > 0 {
			continue
		}
		commands[i].Do = func() tea.Cmd {
			row, _ := list.Cursor()
			w.actedOn = row.Key
			return command.Do()
		}
	}
	return commands
}

// lists returns all lists, by their names.
func (w *cursorWatcher) lists() map[string]*widget.Table {
	lists := map[string]*widget.Table{}
	for _, screen := range w.model.screens.all {
		if lister, isLister := screen.(app.Lister); isLister {
			lists[screen.Name()] = lister.List()
		}
	}
	for i, dialog := range w.model.dialogs.open {
		if lister, isLister := dialog.(app.Lister); isLister {
			lists[fmt.Sprintf("dialog %d, %p", i, dialog)] = lister.List()
		}
	}
	return lists
}

func keyUnderCursor(list *widget.Table) string {
	row, _ := list.Cursor()
	return row.Key
}

// grantOfKey returns the grant of a row, or of a row of Tokens a grant with the token alone.
func grantOfKey(key string) cw721.Grant {
	if !strings.Contains(key, "\x00") {
		return cw721.Grant{Token: key}
	}
	return app.GrantOfKey(key)
}

func holdsKey(list *widget.Table, key string) bool {
	return slices.ContainsFunc(list.RowsFromTop(), func(row widget.Row) bool { return row.Key == key })
}

// isListed tells whether a list has the row of a key, also if its table doesn't hold it. It
// doesn't tell for a row that is not held and that a filter may leave out.
func (w *cursorWatcher) isListed(name string, list *widget.Table, key string) (isListed bool) {
	if holdsKey(list, key) {
		return true
	}
	if name != w.model.screen().Name() || w.model.state.HideExpired {
		return false
	}
	mayBeFiltered := func(command app.Command) bool { // esc shows all, or goes back
		return slices.Contains(command.Binding.Keys(), "esc")
	}
	if w.model.screen().Typing() || slices.ContainsFunc(w.model.screen().Commands(w.model.state), mayBeFiltered) {
		return false
	}
	heading, _, _ := strings.Cut(ansi.Strip(w.model.screen().View(w.model.state)), "\n")
	_ = w.model.state.Engine.View(func(view *chain.View) error {
		grant := grantOfKey(key)
		token, exists, err := view.Token(grant.Token)
		isOlder := view.Revision != w.model.state.Revision
		switch {
		case isOlder || !exists:
		case name == "Tokens":
			isListed = len(token.Approvals) > 0 || !strings.Contains(heading, "soonest")
		case name == "Approvals":
			isListed = token.Owner == grant.Owner && slices.ContainsFunc(token.Approvals, func(approval cw721.Approval) bool {
				return approval.Spender == grant.Spender
			})
		}
		return err
	})
	return isListed
}

// watch compares the cursors before and after a message.
func (w *cursorWatcher) watch(msg tea.Msg) func() {
	before := map[string]string{}
	behind := map[string][]string{} // the keys in view below the cursor
	for name, list := range w.lists() {
		before[name] = keyUnderCursor(list)
		for _, row := range list.InView() {
			behind[name] = append(behind[name], row.Key)
		}
		behind[name] = behind[name][1+slices.Index(behind[name], before[name]):]
	}
	typed := slices.Clone(w.model.keys.waiting)
	if key, isKey := msg.(tea.KeyMsg); isKey {
		typed = append(typed, key)
	}
	dialogs := len(w.model.dialogs.open)
	moved := maps.Clone(w.moves)
	w.noteLink(msg)
	return func() {
		w.log = append(w.log, fmt.Sprintf("%T", msg))
		if len(w.model.dialogs.open) > dialogs && w.actedOn != "" {
			w.compareAction()
		}
		_, isMouse := msg.(tea.MouseMsg)
		link, isLink := msg.(app.ShowTokenMsg)
		isLink = isLink && link.ID == "" // to the first row of a filter
		pressed := typed[:max(0, len(typed)-len(w.model.keys.waiting))]
		isMove := isMouse || isLink || slices.ContainsFunc(pressed, func(key tea.KeyMsg) bool {
			return strings.Contains(" j k g G pgup pgdown ctrl+d space shift+up shift+down ", " "+key.String()+" ") || key.String() == " "
		})
		for name, list := range w.lists() {
			w.moves[name] = list.Loading() && (w.moves[name] || isMove)
		}
		if len(pressed) > 0 || isMouse {
			return // a person may move the cursor
		}
		for name, list := range w.lists() {
			old, isKnown := before[name]
			key := keyUnderCursor(list)
			followsNow := name == "History" && key == fmt.Sprint(w.model.state.Head)
			switch {
			case !isKnown || old == "":
			case key == old:
				w.followed++
			case w.linked[key] || followsNow || moved[name]:
			case !w.isListed(name, list, old):
				next := slices.IndexFunc(behind[name], func(key string) bool { return holdsKey(list, key) })
				isNextByKey := name == "Tokens" && key > old && !slices.ContainsFunc(list.RowsFromTop(), func(row widget.Row) bool {
					return row.Key > old && row.Key < key
				})
				if next >= 0 && key != behind[name][next] && !isNextByKey {
					w.fault("in %s a %T moves the cursor from %q, which is gone, to %q, and not to the next, %q", name, msg, old, key, behind[name][next])
				}
			default:
				w.fault("in %s a %T moves the cursor from %q to %q, though the first is still listed", name, msg, old, key)
			}
		}
	}
}

// noteLink remembers the row to which a link leads.
func (w *cursorWatcher) noteLink(msg tea.Msg) {
	switch msg := msg.(type) {
	case app.ShowTokenMsg:
		w.linked[msg.ID] = true
	case app.ShowAccountMsg:
		w.linked[msg.Name] = true
	case app.ShowGrantMsg:
		w.linked[app.GrantKey(msg.Grant)] = true
	}
}

// compareAction compares the form that an action has opened with the row that had the cursor.
func (w *cursorWatcher) compareAction() {
	grant := grantOfKey(w.actedOn)
	name := grant.Token
	otherwise := "Act as" // the question that comes first if the grant is another account's
	if grant.Kind == cw721.GrantOperator {
		name = w.model.state.Names[grant.Spender]
		otherwise += " " + w.model.state.Names[grant.Owner]
	}
	w.actedOn = ""
	view := ansi.Strip(w.model.dialogs.top().View(w.model.state))
	if len(name) > 12 {
		return // shortened
	}
	w.opened++
	if !strings.Contains(view, name) && !strings.Contains(view, otherwise) {
		w.fault("the action on %q is about something else:\n%s", name, view)
	}
}

func (w *cursorWatcher) fault(format string, values ...any) {
	log := w.log[max(0, len(w.log)-30):]
	w.faults = append(w.faults, fmt.Sprintf(format, values...)+"\n  after "+strings.Join(log, " "))
}

// play types phrases, clicks, lets others act, and lets commands end in any order between them.
func (w *cursorWatcher) play(rng *rand.Rand, count int) {
	w.choose = rng.IntN
	for range count {
		switch rng.IntN(14) {
		case 0:
			w.click(rng)
		case 1:
			w.actBehind(rng)
		case 2, 3, 4, 5:
			w.log = append(w.log, "[esc]")
			w.send(uitest.Key("esc"))
		default:
			phrase := cursorPhrases[rng.IntN(len(cursorPhrases))]
			w.log = append(w.log, "["+phrase+"]")
			for _, key := range strings.Fields(phrase) {
				w.runSome(rng)
				w.send(uitest.Key(key))
			}
		}
		if rng.IntN(3) == 0 {
			w.runAll()
		}
		if len(w.faults) > 0 {
			return
		}
	}
	w.runAll()
}

func (w *cursorWatcher) runSome(rng *rand.Rand) {
	for len(w.commands) > 0 && rng.IntN(3) > 0 {
		w.runOne()
	}
}

func (w *cursorWatcher) click(rng *rand.Rand) {
	msg := tea.MouseMsg{X: rng.IntN(40), Y: 4 + rng.IntN(14), Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
	if rng.IntN(2) == 0 {
		msg.Button = tea.MouseButtonWheelDown
	}
	w.log = append(w.log, fmt.Sprintf("[click %d %d %v]", msg.X, msg.Y, msg.Button))
	w.send(msg)
}

// actBehind lets another program change the collection, and lets the explorer see it.
func (w *cursorWatcher) actBehind(rng *rand.Rand) {
	token := fmt.Sprintf("ape-%04d", 1+rng.IntN(60))
	messages := []string{
		`{"transfer_nft":{"token_id":"` + token + `","recipient":"$carol"}}`,
		`{"approve":{"token_id":"` + token + `","spender":"$frank","expires":{"at_height":1107}}}`,
		`{"revoke_all":{"operator":"$dave"}}`,
		`{"burn":{"token_id":"` + token + `"}}`,
		`{"mint":{"token_id":"` + token + `a","owner":"$bob"}}`,
	}
	message := messages[rng.IntN(len(messages))]
	who := chaintest.Address([]string{"alice", "bob", "carol", "minter"}[rng.IntN(4)])
	approval := grantOfKey(keyUnderCursor(w.lists()["Approvals"]))
	if approval.Kind != "" && rng.IntN(2) == 0 { // the approval under the cursor gets another place
		who = approval.Owner
		message = fmt.Sprintf(`{"approve":{"token_id":%q,"spender":%q,"expires":{"at_height":%d}}}`, approval.Token, approval.Spender, 1110+rng.IntN(300))
	}
	w.log = append(w.log, fmt.Sprintf("[%s %s]", who, message))
	if c, isChain := w.model.state.Engine.(*chain.Chain); isChain {
		_, _ = c.Execute(who, []byte(message)) // a refusal is in the history too
	}
	w.model.reading.hasStaleFacts = true
	w.send(nil)
}

func TestNoReadingMovesTheCursorAndAnActionIsAboutItsRow(t *testing.T) {
	t.Chdir(t.TempDir())
	seeds := kvtest.Many(6)
	phrases := kvtest.Many(150)
	opened, followed := 0, 0
	for seed := range uint64(seeds) {
		size := uitest.AllSizes[1+seed%3]
		w := newCursorWatcher(t, widget.Box{W: size[0], H: size[1]})
		w.play(rand.New(rand.NewPCG(seed, 7)), phrases)
		for _, fault := range w.faults {
			t.Errorf("seed %d: %s", seed, fault)
		}
		opened += w.opened
		followed += w.followed
	}
	t.Logf("%d forms were compared, and %d times a cursor was followed over a message", opened, followed)
	if opened < 2*seeds || followed < 100*seeds {
		t.Error("the keys open too few forms, or move too little")
	}
}

func TestTheCursorOfHistoryStaysOnNowUnlessItWasMoved(t *testing.T) {
	skipInShort(t)
	seeds := kvtest.Many(5)
	onNow := 0
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 8))
		w := newCursorWatcher(t, widget.Box{W: 80, H: 24})
		w.choose = rng.IntN
		press := func(keys ...string) {
			for _, key := range keys {
				w.log = append(w.log, "["+key+"]")
				w.send(uitest.Key(key))
				w.runSome(rng)
			}
		}
		isOnNow := func() bool {
			w.runAll()
			for len(w.model.dialogs.open) > 0 || w.model.screen().Name() != "History" {
				press("esc", "5")
				w.runAll()
			}
			return keyUnderCursor(w.lists()["History"]) == fmt.Sprint(w.model.state.Head)
		}
		press([]string{"u", "."}[rng.IntN(2)], "5")
		wantsNow := true // the screen opens on the head, even if newer nodes were undone
		for range 40 {
			before := keyUnderCursor(w.lists()["History"])
			switch rng.IntN(10) {
			case 0, 1:
				press([]string{"j", "k", "j", "G", "g", "pgdown"}[rng.IntN(6)])
				wantsNow = isOnNow()
				continue
			case 2:
				press("enter")
				wantsNow = true
			case 3:
				w.actBehind(rng)
			case 4:
				press("1", "b", "enter", "5")
			case 5:
				press("1", "u", ".", "5")
			default:
				press([]string{"u", "u", "U", ".", "e", "u"}[rng.IntN(6)])
			}
			switch {
			case wantsNow && !isOnNow():
				t.Fatalf("seed %d: the cursor is on %s and now is #%d, after %s", seed, keyUnderCursor(w.lists()["History"]), w.model.state.Head, strings.Join(w.log, " "))
			case wantsNow:
				onNow++
				if !strings.Contains(ansi.Strip(w.model.View()), "▸ ●") {
					t.Fatalf("seed %d: now is out of view:\n%s", seed, ansi.Strip(w.model.View()))
				}
			case !wantsNow && keyUnderCursor(w.lists()["History"]) != before:
				t.Fatalf("seed %d: the cursor left %s for %s", seed, before, keyUnderCursor(w.lists()["History"]))
			}
			wantsNow = isOnNow()
		}
	}
	if onNow < 5*seeds {
		t.Errorf("the cursor was on now only %d times", onNow)
	}
}

func TestAFilterThatIsHalfTypedDoesNotMoveTheCursor(t *testing.T) {
	for screen, filter := range map[string]string{"1": "expires<90m", "2": "expires<90m", "5": "ape-02"} {
		d := uitest.New(t, New, 120, 36)
		d.Press(screen)
		list := root(d).target().list()
		isWanted := func() bool {
			key := keyUnderCursor(list)
			return key == "3" || strings.HasSuffix(key, "ape-07") // 3 has minted ape-02
		}
		for range 60 {
			if !isWanted() {
				d.Press("j")
			}
		}
		before := keyUnderCursor(list)
		d.Keys("/", filter, "enter")
		if after := keyUnderCursor(list); !isWanted() || after != before {
			t.Errorf("the cursor was on %q and is on %q:\n%s", before, after, d.Screen())
		}
	}
}

func TestARangeHasExactlyTheRowsBetweenItsEnds(t *testing.T) {
	skipInShort(t)
	seeds := kvtest.Many(3)
	c := manyRows(t)
	var ids []string // in the order of the list
	chaintest.OK(t, c.View(func(view *chain.View) error {
		for token, err := range view.Tokens("", cw721.Walk{}) {
			if err != nil {
				return err
			}
			ids = append(ids, token.ID)
		}
		return nil
	}))
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 9))
		typist := newTypist(t, c)
		cursor := 0
		var marked []string // the last selected one is the last
		mark := func(i int) {
			if !slices.Contains(marked, ids[i]) {
				marked = append(marked, ids[i])
			}
		}
		for range 60 {
			key := []string{"j", "j", "k", "pgdown", "pgdown", "pgup", "G", "g", "space", "shift+down", "shift+up", "V", "V", "esc"}[rng.IntN(14)]
			typist.send(uitest.Key(key))
			typist.runAll()
			before := cursor
			cursor = slices.Index(ids, keyUnderCursor(typist.model.target().list()))
			switch key {
			case "space":
				if i := slices.Index(marked, ids[before]); i >= 0 {
					marked = slices.Delete(marked, i, i+1)
					break
				}
				mark(before)
			case "shift+down", "shift+up":
				mark(before)
				mark(cursor)
			case "V":
				first := cursor
				if len(marked) > 0 {
					first = slices.Index(ids, marked[len(marked)-1])
				}
				for ; first != cursor; first += max(-1, min(1, cursor-first)) {
					mark(first)
				}
				mark(cursor)
			case "esc":
				marked = nil
			}
			if got := typist.model.target().list().MarkedKeys(); !slices.Equal(got, marked) {
				t.Fatalf("seed %d: after %s at %d these are selected:\n%q, want\n%q", seed, key, cursor, got, marked)
			}
		}
	}
}

func TestARangeThatCannotBeReadSaysWhy(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("space", "j")
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.Press("V")
	d.Sees("nothing was selected: the last selected row is gone, or more than 2,000 rows away")
	for i := range 2100 {
		uitest.Execute1(t, d.Chain, "minter", fmt.Sprintf(`{"mint":{"token_id":"x-%04d","owner":"$bob"}}`, i))
	}
	d.ReadAgain()
	d.Press("esc", "g", "space", "G", "V")
	d.Sees("1 selected", "or more than 2,000 rows away")
	d.Press("esc", "V", "g", "V")
	d.Sees("1 selected", "or more than 2,000 rows away")
}

func TestTheRowBehindOneThatIsGoneGetsTheCursor(t *testing.T) {
	for _, keys := range []string{"", "/ a p e enter", "/ o w n e r : a l i c e enter", "s", "2"} {
		d := uitest.On(t, New, uitest.Crowded(t), 120, 36)
		d.Press(strings.Fields(keys)...)
		d.Press("j", "j")
		list := root(d).target().list()
		rows := list.InView()
		at := slices.IndexFunc(rows, func(row widget.Row) bool { return row.Key == keyUnderCursor(list) })
		id := grantOfKey(rows[at].Key).Token
		next := slices.IndexFunc(rows[at:], func(row widget.Row) bool { return !strings.HasSuffix(row.Key, id) })
		token := chaintest.Must(chain.Read(d.Chain, func(view *chain.View) (chain.Token, error) {
			token, _, err := view.Token(id)
			return token, err
		}))(t)
		_, err := d.Chain.Execute(token.Owner, []byte(`{"burn":{"token_id":"`+id+`"}}`))
		chaintest.OK(t, err)
		d.ReadAgain()
		if got := keyUnderCursor(list); got != rows[at+next].Key {
			t.Errorf("after %q, %q was gone and %q got the cursor, want %q", keys, id, got, rows[at+next].Key)
		}
	}
}
