package inspect

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// storage lists the contract's records as they are, with their keys taken apart:
// all of them, those of a token, or those that name an account.
type storage struct {
	list   app.MasterDetail
	scopes []scope
	at     int // the scope that is shown
	box    widget.Box
	shown  string // the key of the record in the detail
}

// scope is which records are shown.
type scope struct {
	name  string
	keeps func(key, value []byte) bool
}

// recordsMsg brings records.
type recordsMsg struct {
	page widget.Page
	err  error
}

// OpenStorage opens the records about s, or all where that is nothing.
func OpenStorage(st *app.State, s app.Subject) tea.Cmd {
	x := &storage{list: app.NewMasterDetail(52,
		widget.Column{Title: "KEY", Width: 20, Flex: 1}, widget.Column{Title: "BYTES", Width: 7, Right: true, Drop: 1})}
	x.list.Table.Empty = "no record is about it"
	if s.Token != nil {
		x.scopes = append(x.scopes, scope{"token " + app.Brief(*s.Token), func(key, _ []byte) bool {
			parts := chain.KeyParts(key)
			return len(parts) > 1 && slices.Contains(parts[1:], *s.Token)
		}})
	}
	if s.Account != "" {
		x.scopes = append(x.scopes, scope{st.Call(s.Account), func(key, value []byte) bool {
			return bytes.Contains(key, []byte(s.Account)) || bytes.Contains(value, []byte(s.Account))
		}})
	}
	x.scopes = append(x.scopes, scope{"all records", func(_, _ []byte) bool { return true }})
	return app.OpenDialogThen(x, x.load(st))
}

// load reads what the list lacks.
func (x *storage) load(st *app.State) tea.Cmd {
	req, ok := x.list.Table.Want()
	if !ok {
		return nil
	}
	keeps, facts := x.scopes[x.at].keeps, st.Facts
	return st.Ask(x, func(e app.Engine) tea.Msg {
		var msg recordsMsg
		msg.err = e.View(func(v *chain.View) (err error) {
			msg.page, err = widget.Load(req, func(s widget.Scan) (rows []widget.Row, err error) {
				for r, err := range v.RecordsFrom(s.From, s.Inclusive, s.Back) {
					if err != nil || len(rows) == s.N {
						return rows, err
					}
					if keeps(r.Key, r.Value) {
						rows = append(rows, widget.Row{Key: string(r.Key), About: string(r.Value), Cells: []widget.Line{
							widget.Plain(facts.RecordKey(r.Key)), widget.In(themes.Muted, fmt.Sprint(len(r.Value))),
						}})
					}
				}
				return rows, nil
			})
			msg.page = app.Positioned(req, msg.page)
			return err
		})
		return msg
	})
}

// Resize takes the box inside the frame, less a line for the scope.
func (x *storage) Resize(b widget.Box) {
	x.box = b
	_, rest := widget.FrameInner(b).SplitTop(1)
	x.list.Resize(rest)
}

// Whole has it take the whole terminal.
func (x *storage) Whole() {}

func (x *storage) Commands(*app.State) []app.Command {
	keys := app.Listed(app.GroupHere, app.Bind("esc", "close", "esc", "q"), app.Bind("y", "copy key and value", "y"))
	if len(x.scopes) > 1 {
		keys = append(keys, app.Listed(app.GroupHere, app.Bind("s", "other records", "s"))...)
	}
	return append(keys, x.list.Commands()...)
}

func (x *storage) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case recordsMsg:
		if msg.err != nil {
			x.list.Table.Fail(msg.err.Error())
		} else {
			x.list.Table.Set(msg.page)
		}
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		x.list.Table.Reload()
		x.shown = ""
	case tea.KeyMsg:
		switch s := msg.String(); {
		case s == "q", s == "esc" && !x.list.InDetail:
			return nil, true
		case s == "s":
			x.at = (x.at + 1) % len(x.scopes)
			x.list.Table.Restart()
		case s == "y":
			if r, ok := x.list.Table.Cursor(); ok {
				return app.CopyText(st, app.CopyItem{Name: "record", Text: fmt.Sprintf("%X\n%s", r.Key, r.About)}), false
			}
		default:
			if c, ok := app.Find(x.list.Commands(), msg); ok {
				return c.Do(), false
			}
			x.list.Move(msg)
		}
	case tea.MouseMsg:
		msg.Y--
		x.list.Move(msg)
	}
	x.tell()
	return x.load(st), false
}

// tell puts the record under the cursor beside the list.
func (x *storage) tell() {
	r, ok := x.list.Table.Cursor()
	if !ok {
		x.list.Scroll.Set(nil)
	}
	if !ok || r.Key == x.shown {
		return
	}
	x.shown = r.Key
	lines := []widget.Line{widget.In(themes.Title, r.Cells[0].String())}
	if name := cw721.RecordName([]byte(r.Key)); name != "record" {
		lines = append(lines, widget.In(themes.Muted, name))
	}
	lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("%X", r.Key)), widget.Plain(""))
	x.list.Scroll.Set(append(lines, widget.JSONLines(r.About.(string))...))
}

func (x *storage) View(st *app.State) string {
	head := widget.In(themes.Strong, x.scopes[x.at].name).And(themes.Muted, "  "+x.list.Table.Position())
	if len(x.scopes) > 1 {
		head = head.And(themes.Key, "  s ").And(themes.Muted, x.scopes[(x.at+1)%len(x.scopes)].name)
	}
	body := strings.Join([]string{head.Fit(st.Theme, widget.FrameInner(x.box).W), x.list.View(st)}, "\n")
	return widget.Frame(st.Theme, "Raw storage", body, true, x.box)
}
