package console

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen takes any message as JSON: what it would do shows while it is typed,
// and queries are answered at once.
type Screen struct {
	app.Tab
	box     widget.Box
	edit    editor
	typing  bool
	kind    messageKind
	problem *note // why the text is no message at all
	outcome *outcome
	sent    *chain.Receipt // of the message as it stands, once it was sent
	scroll  *widget.Scroll
	offers  []string
	at      jsonPlace
	recall  recall
	begins  *widget.Table // what an empty console offers

	// What is to be read: what a text would do, the tokens whose ids begin with
	// a text, and the messages of the history.
	tries, prefix *string
	lacks         bool
	asks          bool // what a compiled contract takes as both is a query
}

// New makes the screen, with an empty message.
func New() *Screen {
	return &Screen{Tab: app.NewTab(app.KindConsole, "Console"), edit: newEditor(), scroll: widget.NewScroll(), begins: newBeginnings(), recall: recall{at: -1}}
}

func (c *Screen) Typing() bool { return c.typing }

func (c *Screen) Resize(b widget.Box) {
	c.box = b
	_, below := c.split()
	c.scroll.Resize(below)
}

func (c *Screen) Refresh(st *app.State) {
	c.lacks = true
	if c.sent == nil || st.Revision > c.sent.Revision { // what was sent stays in view until something else happens
		c.sent = nil
		c.try(st)
	}
}

// consoleRead is what was read for the console.
type consoleRead struct {
	outcome *outcome // nil when nothing was tried
	begins  *string  // what the ids begin with; nil when none were looked for
	ids     []string
	past    []string // nil when they were not read
}

// Needs reads what the text would do, what the word under the caret may become,
// and earlier messages.
func (c *Screen) Needs(st *app.State) app.Read {
	tries, begins, lacks := c.tries, c.prefix, c.lacks
	if tries == nil && begins == nil && !lacks {
		return nil
	}
	c.tries, c.prefix, c.lacks = nil, nil, false
	asks := c.asks
	return func(v *chain.View, f app.Facts) (tea.Msg, error) {
		out := consoleRead{begins: begins}
		if tries != nil {
			out.outcome = tryMessage(v, f, *tries, asks)
		}
		var err error
		if begins != nil {
			if out.ids, err = readIDs(v, *begins); err != nil {
				return nil, err
			}
		}
		if lacks {
			out.past, err = earlierMessages(v)
		}
		return out, err
	}
}

// set puts a text into the editor, laid out to be read.
func (c *Screen) set(st *app.State, text string) {
	v := jsontext.Value(text)
	if v.Format(jsontext.WithIndent("  "), jsontext.Multiline(true), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true)) == nil {
		text = string(v)
	}
	c.edit.set(text)
	c.changed(st)
}

// changed follows a change of the text.
func (c *Screen) changed(st *app.State) {
	c.sent = nil
	c.try(st)
	c.complete(st)
}

func (c *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case consoleRead:
		c.applyRead(st, msg)
		if o := msg.outcome; o != nil && o.answer != nil {
			return func() tea.Msg { return app.QueriedMsg{Msg: []byte(o.text)} }
		}
	case app.ReadFailedMsg:
		c.outcome = &outcome{fault: msg.Err.Error()}
		c.show(st)
	case app.ExecutedMsg:
		c.executed(st, msg)
	case app.ConsoleMsg:
		return c.applyMessage(st, msg)
	case EditedMsg:
		return c.edited(st, msg)
	case draftedMsg:
		return runEditor(msg)
	case tea.MouseMsg:
		editor, _ := c.split()
		inside := msg.Y < editor.H+aboveEditor && msg.X < editor.W
		switch {
		case inside && c.empty() && widget.Clicked(msg):
			c.begins.Click(msg.Y - aboveEditor)
			c.show(st)
		case inside && c.empty() && c.begins.Update(msg):
			c.show(st)
		case widget.Clicked(msg):
			c.typing = inside
		default:
			c.scroll.Update(msg)
		}
	case tea.KeyMsg:
		return c.key(st, msg)
	}
	return nil
}

// applyRead shows what was read, as far as it is about what stands in the editor still.
func (c *Screen) applyRead(st *app.State, msg consoleRead) {
	if o := msg.outcome; o != nil && c.sent == nil && o.text == c.edit.value() {
		c.outcome, c.kind = o, o.kind
		c.show(st)
	}
	if c.typing && msg.begins != nil && *msg.begins == c.at.word {
		c.offers = msg.ids
	}
	if msg.past != nil {
		c.recall.past = msg.past
		c.list(st)
	}
}

func (c *Screen) key(st *app.State, msg tea.KeyMsg) tea.Cmd {
	if !c.typing {
		if c.empty() && c.begins.Update(msg) {
			c.show(st)
		} else {
			c.scroll.Update(msg)
		}
		return nil
	}
	if cmd, ok := app.Find(c.TypingCommands(st), msg); ok && !msg.Paste {
		return cmd.Do()
	}
	switch s := msg.String(); {
	case s == "up" && c.edit.first():
		return c.recalled(st, +1)
	case s == "down" && c.edit.last():
		return c.recalled(st, -1)
	}
	if c.edit.update(msg) {
		c.recall.at = -1
		c.changed(st)
	} else {
		c.complete(st)
	}
	return nil
}

// send sends an execute message; a query is answered already.
func (c *Screen) send(st *app.State) tea.Cmd {
	text := c.edit.value()
	switch {
	case strings.TrimSpace(text) == "":
		return app.Notify(app.LevelInfo, "there is nothing to send; t shows templates")
	case c.kind == compiledMessage:
		return app.Notify(app.LevelInfo, "the contract is being asked whether this is a query; ctrl+s sends it then")
	case c.kind == queryMessage:
		c.recall.add(text)
		return app.Notify(app.LevelInfo, "a query is answered while it is typed; nothing is sent")
	case c.kind == instantiateMessage:
		return app.Notify(app.LevelInfo, "there is a collection already: an instantiate message is only previewed")
	}
	c.recall.add(text)
	return app.Execute(st, c, []byte(text))
}

// executed takes what became of the message that was sent.
func (c *Screen) executed(st *app.State, msg app.ExecutedMsg) {
	if msg.From != any(c) || msg.Err != nil {
		return
	}
	c.sent = &msg.Receipt
	c.outcome = &outcome{kind: executeMessage, receipt: c.sent, other: msg.Receipt.Difference}
	c.outcome.explain(msg.Receipt.Refusal, nil, c.edit.value())
	c.show(st)
}

// copy offers the text in the forms that other tools take.
func (c *Screen) copy(st *app.State) tea.Cmd {
	text := c.edit.value()
	v := jsontext.Value(text)
	if v.Compact() == nil {
		text = string(v)
	}
	what := []app.CopyItem{{Name: "message as JSON", Text: text}}
	switch c.kind {
	case executeMessage:
		if c.outcome != nil && c.outcome.receipt != nil && len(c.outcome.receipt.Message) > 0 {
			text = string(c.outcome.receipt.Message) // names replaced
		}
		what = append(what, app.CopyItem{Name: "wasmd execute", Text: app.ExecuteLine(st, st.Actor, []byte(text))})
	case queryMessage:
		what = append(what, app.CopyItem{Name: "wasmd query", Text: app.QueryLine(st, []byte(text))})
		if c.outcome != nil && c.outcome.answer != nil {
			what = append(what, app.CopyItem{Name: "answer as JSON", Text: string(c.outcome.answer)})
		}
	}
	return form.OpenCopy(st, what)
}

// Commands are those while nothing is typed; typing takes every key.
func (c *Screen) Commands(st *app.State) []app.Command {
	return slices.Concat([]app.Command{
		app.Here("enter i", "type", "Type a message", func() tea.Cmd { return c.begin(st) }, "enter", "i"),
		app.Here("t ctrl+t", "templates", "Templates: a message to start from", func() tea.Cmd { return c.templates(st) }, "t", "ctrl+t"),
	}, c.always(st), []app.Command{
		app.Here("c", "clear", "Clear the message", func() tea.Cmd { c.set(st, ""); return nil }, "c"),
		app.Here("y", "copy", "Copy the message, the answer, a command line", func() tea.Cmd { return c.copy(st) }, "y"),
	}, app.Listed(app.GroupMove, c.scroll.Bindings()...))
}

// TypingCommands are those that work while the editor has the keys.
func (c *Screen) TypingCommands(st *app.State) []app.Command {
	templates := app.Key("ctrl+t", "templates", func() tea.Cmd { return c.templates(st) }, "ctrl+t")
	return append([]app.Command{
		app.Key("esc", "stop typing", func() tea.Cmd { c.typing, c.offers = false, nil; c.show(st); return nil }, "esc"),
		app.Key("tab", "complete", func() tea.Cmd { c.accept(st); return nil }, "tab"),
	}, slices.Insert(c.always(st), 1, templates)...)
}

// always are the commands that work whether something is typed or not. The last takes
// what a compiled contract knows as both as a query, or again as a message.
func (c *Screen) always(st *app.State) []app.Command {
	return []app.Command{
		app.Here("ctrl+s", "send", "Send the message", func() tea.Cmd { return c.send(st) }, "ctrl+s"),
		app.Here("ctrl+p", "earlier", "The message before", func() tea.Cmd { return c.recalled(st, +1) }, "ctrl+p"),
		app.Here("ctrl+n", "later", "The message after", func() tea.Cmd { return c.recalled(st, -1) }, "ctrl+n"),
		app.Here("ctrl+e", "$EDITOR", "Edit the message in $EDITOR", c.external, "ctrl+e"),
		app.Here("ctrl+x", "query or message", "Query or message, where it is both", func() tea.Cmd {
			c.asks, c.sent = !c.asks, nil
			c.try(st)
			return nil
		}, "ctrl+x").Unless(!st.Compiled, "only a compiled contract has such"),
	}
}

func (c *Screen) cast(st *app.State) cast {
	if id := st.LastSelection.Token; id != nil {
		return castOf(st, *id)
	}
	return castOf(st, "1")
}

// Subject is the token that the message is about.
func (c *Screen) Subject() app.Subject {
	if c.kind != executeMessage || c.outcome == nil || c.outcome.receipt == nil {
		return app.Subject{}
	}
	sent := c.outcome.receipt
	words := app.Words{Contract: cw721.Contract{Flavour: cw721.FlavourOnchain}}
	return app.Subject{Token: words.About(sent.Message).Token, Action: app.ActionOf(sent.Message), Account: sent.Sender}
}
