package ui

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// console takes any message as JSON: what it would do shows while it is typed,
// and queries are answered at once.
type console struct {
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

	// What is to be read: what a text would do, the tokens whose ids begin with
	// a text, and the messages of the history.
	tries, begins *string
	lacks         bool
}

func newConsole() *console {
	return &console{edit: newEditor(), scroll: widget.NewScroll(), recall: recall{at: -1}}
}

// Kind is [KindConsole].
func (c *console) Kind() Kind { return KindConsole }

// Name is the word on the tab.
func (c *console) Name() string { return "Console" }

func (c *console) Typing() bool { return c.typing }

func (c *console) Resize(b widget.Box) {
	c.box = b
	_, below := c.split()
	c.scroll.Resize(below)
}

func (c *console) Refresh(d *Desk) {
	c.lacks = true
	if c.sent == nil || d.Revision > c.sent.Revision { // what was sent stays in view until something else happens
		c.sent = nil
		c.try()
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
func (c *console) Needs(d *Desk) Read {
	tries, begins, lacks := c.tries, c.begins, c.lacks
	if tries == nil && begins == nil && !lacks {
		return nil
	}
	c.tries, c.begins, c.lacks = nil, nil, false
	return func(v *chain.View, f Facts) (tea.Msg, error) {
		out := consoleRead{begins: begins}
		if tries != nil {
			out.outcome = tryMessage(v, f, *tries)
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
func (c *console) set(d *Desk, text string) {
	v := jsontext.Value(text)
	if v.Format(jsontext.WithIndent("  "), jsontext.Multiline(true), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true)) == nil {
		text = string(v)
	}
	c.edit.set(text)
	c.changed(d)
}

// changed follows a change of the text.
func (c *console) changed(d *Desk) {
	c.sent = nil
	c.try()
	c.complete(d)
}

func (c *console) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case consoleRead:
		c.take(d, msg)
	case readFailedMsg:
		c.outcome = &outcome{fault: msg.err.Error()}
		c.scroll.Set(c.lines(d))
	case executedMsg:
		c.executed(d, msg)
	case editedMsg:
		return c.edited(d, msg)
	case draftedMsg:
		return runEditor(msg)
	case tea.MouseMsg:
		editor, _ := c.split()
		if msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress {
			c.typing = msg.Y < editor.H && msg.X < editor.W
			return nil
		}
		c.scroll.Update(msg)
	case tea.KeyMsg:
		return c.key(d, msg)
	}
	return nil
}

// take takes what was read, as far as it is about what stands in the editor still.
func (c *console) take(d *Desk, msg consoleRead) {
	if o := msg.outcome; o != nil && c.sent == nil && o.text == c.edit.value() {
		c.outcome = o
		c.scroll.Set(c.lines(d))
	}
	if c.typing && msg.begins != nil && *msg.begins == c.at.word {
		c.offers = msg.ids
	}
	if msg.past != nil {
		c.recall.past = msg.past
	}
}

func (c *console) key(d *Desk, msg tea.KeyMsg) tea.Cmd {
	if !c.typing {
		c.scroll.Update(msg)
		return nil
	}
	if !msg.Paste {
		for _, cmd := range c.typingCommands(d) {
			if cmd.Do != nil && matches(msg, cmd) {
				return cmd.Do()
			}
		}
		switch msg.String() {
		case "up":
			if c.edit.first() {
				return c.earlier(d)
			}
		case "down":
			if c.edit.last() {
				return c.later(d)
			}
		}
	}
	if c.edit.update(msg) {
		c.recall.at = -1
		c.changed(d)
	} else {
		c.complete(d)
	}
	return nil
}

func matches(msg tea.KeyMsg, c Command) bool {
	_, ok := find([]Command{c}, msg)
	return ok
}

// send sends an execute message; a query is answered already.
func (c *console) send(d *Desk) tea.Cmd {
	text := c.edit.value()
	switch {
	case strings.TrimSpace(text) == "":
		return say(levelInfo, "there is nothing to send; t shows templates")
	case c.kind == queryMessage:
		c.recall.add(text)
		return say(levelInfo, "a query is answered while it is typed; nothing is sent")
	case c.kind == instantiateMessage:
		return say(levelInfo, "there is a collection already: an instantiate message is only previewed")
	}
	c.recall.add(text)
	return execute(d, c, []byte(text))
}

// executed takes what became of the message that was sent.
func (c *console) executed(d *Desk, msg executedMsg) {
	if msg.from != any(c) || msg.err != nil {
		return
	}
	c.sent = &msg.receipt
	c.outcome = &outcome{kind: executeMessage, receipt: c.sent}
	c.outcome.explain(msg.receipt.Refusal, nil, c.edit.value())
	c.scroll.Set(c.lines(d))
}

// copy offers the text in the forms that other tools take.
func (c *console) copy(d *Desk) tea.Cmd {
	text := c.edit.value()
	v := jsontext.Value(text)
	if v.Compact() == nil {
		text = string(v)
	}
	what := []copying{{"message as JSON", text}}
	switch c.kind {
	case executeMessage:
		if c.outcome != nil && c.outcome.receipt != nil && len(c.outcome.receipt.Message) > 0 {
			text = string(c.outcome.receipt.Message) // names replaced
		}
		what = append(what, copying{"wasmd execute", executeLine(d, d.Actor, []byte(text))})
	case queryMessage:
		what = append(what, copying{"wasmd query", queryLine(d, []byte(text))})
		if c.outcome != nil && c.outcome.answer != nil {
			what = append(what, copying{"answer as JSON", string(c.outcome.answer)})
		}
	}
	return openCopy(d, what)
}

// Commands are those while nothing is typed; typing takes every key.
func (c *console) Commands(d *Desk) []Command {
	return append([]Command{
		{bind("enter i", "type", "enter", "i"), "Type a message", groupHere, func() tea.Cmd { c.typing = true; c.complete(d); return nil }},
		{bind("t ctrl+t", "templates", "t", "ctrl+t"), "Templates: a message to start from", groupHere, func() tea.Cmd { return c.templates(d) }},
		{bind("ctrl+s", "send", "ctrl+s"), "Send the message", groupHere, func() tea.Cmd { return c.send(d) }},
		{bind("ctrl+p", "earlier", "ctrl+p"), "The message before", groupHere, func() tea.Cmd { return c.earlier(d) }},
		{bind("ctrl+n", "later", "ctrl+n"), "The message after", groupHere, func() tea.Cmd { return c.later(d) }},
		{bind("ctrl+e", "$EDITOR", "ctrl+e"), "Edit the message in $EDITOR", groupHere, func() tea.Cmd { return c.external() }},
		{bind("c", "clear", "c"), "Clear the message", groupHere, func() tea.Cmd { c.set(d, ""); return nil }},
		{bind("y", "copy", "y"), "Copy the message, the answer, a command line", groupHere, func() tea.Cmd { return c.copy(d) }},
	}, listed(groupMove, c.scroll.Bindings()...)...)
}

// typingCommands are those that work while the editor has the keys.
func (c *console) typingCommands(d *Desk) []Command {
	return []Command{
		{bind("esc", "stop typing", "esc"), "", groupHere, func() tea.Cmd { c.typing, c.offers = false, nil; return nil }},
		{bind("tab", "complete", "tab"), "", groupHere, func() tea.Cmd { c.accept(d); return nil }},
		{bind("ctrl+s", "send", "ctrl+s"), "", groupHere, func() tea.Cmd { return c.send(d) }},
		{bind("ctrl+t", "templates", "ctrl+t"), "", groupHere, func() tea.Cmd { return c.templates(d) }},
		{bind("ctrl+p", "earlier", "ctrl+p"), "", groupHere, func() tea.Cmd { return c.earlier(d) }},
		{bind("ctrl+n", "later", "ctrl+n"), "", groupHere, func() tea.Cmd { return c.later(d) }},
		{bind("ctrl+e", "$EDITOR", "ctrl+e"), "", groupHere, func() tea.Cmd { return c.external() }},
	}
}

func (c *console) templates(d *Desk) tea.Cmd {
	id := "1"
	if d.Looked.Token != nil {
		id = *d.Looked.Token
	}
	return openTemplates(func(d *Desk, t template) tea.Cmd {
		c.typing = true
		c.set(d, t.fill(castOf(d, id)))
		return nil
	})
}

// Subject is the token that the message is about.
func (c *console) Subject() Subject {
	if c.kind != executeMessage || c.outcome == nil || c.outcome.receipt == nil {
		return Subject{}
	}
	s := Subject{Action: actionOf(c.outcome.receipt.Message), Account: c.outcome.receipt.Sender}
	if id, ok := (words{contract: cw721.Contract{Flavour: cw721.FlavourOnchain}}).tokenIn(c.outcome.receipt.Message); ok {
		s.Token = &id
	}
	return s
}
