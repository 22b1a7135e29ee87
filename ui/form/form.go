package form

import (
	"cmp"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Action is a dialog with fields. Below the fields it previews what enter would do: for a
// message its outcome, its JSON and the changes in the storage. If enter fails, the form stays
// open with everything that was typed.
type Action struct {
	title string
	Form  *widget.Form
	sheet *widget.Sheet
	build func(st *app.State, values map[string]string) Result

	Verb        string // names what enter does; empty for a form that sends a message
	MissingText string // is shown while a required field is empty, in place of the usual text
	// Sender is the sender of the message. Empty is the actor, the account that the user
	// acts as. The last field of the form changes it.
	Sender cw721.Address
	// OnChange, which can be nil, is called after a field was changed.
	OnChange func(form *widget.Form, field string)
	// ProgressText, which can be nil, describes the work that enter has started, such as "writing…".
	ProgressText func() string
	// RedrawEvery is the time after which the text of ProgressText is drawn again. With 0
	// it is drawn once, and typed keys wait for the work.
	RedrawEvery time.Duration

	box              widget.Box
	result           Result          // what build has made of the typed values
	lastReviewNumber int             // the number of the latest preview that was asked for
	receipt          *chain.Receipt  // the latest preview; nil if there is none
	consequences     []widget.Line   // the lines of the latest [Result.Consequences]
	denial           *denial         // the missing permission of the sender; nil if none is missing
	failure          Problem         // why enter failed; empty after a field was changed
	isWorking        bool            // the work that enter has started is not done
	newAccounts      []chain.Account // the user agreed to add them together with the message
	// touchedFields holds the names of the fields that the user has edited. The problems
	// of a field that is empty and not touched are hidden until isSubmitted is set.
	touchedFields map[string]bool
	isSubmitted   bool // enter was pressed
}

// The messages that a form sends to itself.
type (
	// previewMsg brings the preview that [Action.Review] has asked for.
	previewMsg struct {
		reviewNumber int           // an older preview than the latest one is dropped
		receipt      chain.Receipt // the outcome of the message
		denial       *denial       // the missing permission of the sender; nil if none is missing
		consequences []widget.Line // the lines of [Result.Consequences]
		err          error         // why there is no preview
	}
	// workingMsg makes a form show the progress of its work again.
	workingMsg struct{ form *Action }
)

// senderField is the name of the field with the sender.
const senderField = "sender"

// NewAction returns a form that does what build makes of the typed values. build runs in Update
// after every change, so it must not use the engine.
func NewAction(
	title string,
	build func(*app.State, map[string]string) Result,
	fields ...widget.Field,
) *Action {
	form := widget.NewForm(fields...)
	return &Action{
		title:         title,
		Form:          form,
		sheet:         widget.NewSheet(form),
		build:         build,
		touchedFields: map[string]bool{},
	}
}

// NewMessage returns a form that sends the message that read makes of the input. Like build
// of [NewAction], read runs in Update after every change. If it returns nil, the form sends
// no message itself, and the Then of the input opens the batch that sends several.
func NewMessage(title string, read func(*Input) cw721.ExecuteMsg, fields ...widget.Field) *Action {
	return NewAction(title, func(state *app.State, values map[string]string) Result {
		input := &Input{State: state, Values: values}
		msg := read(input)
		if msg != nil && len(input.Problems) == 0 {
			input.Msg = cw721.Encode(msg)
			input.msgToSend = msg
		}
		return input.Result
	}, fields...)
}

// TokenTitle returns the title of a form about a token, with room for the sender.
func TokenTitle(what, id string) string { return what + " " + app.ShortTokenName(id) }

// Open returns the command that opens a form. The form opens together with its first
// preview, so that it does not change its shape right after it opens. A form without a
// verb sends a message, and so gets a field for the sender.
func Open(state *app.State, action *Action) tea.Cmd {
	if action.Verb == "" {
		sender := cmp.Or(action.Sender, state.Actor)
		action.Form.Add(FilledAccountField(state, senderField, "Sender", sender))
	}
	preview := action.Review(state)
	if preview == nil {
		return app.OpenDialog(action)
	}
	return func() tea.Msg {
		answer := preview().(app.Answer)
		return app.OpenAnsweredMsg{Dialog: action, Answer: answer}
	}
}

// HasInput reports whether the user has edited a field.
func (a *Action) HasInput() bool { return len(a.touchedFields) > 0 }

// Typing reports whether letters go to a field.
func (a *Action) Typing() bool { return a.Form.Typing() }

// BesideList marks the form as an [app.PaneDialog].
func (a *Action) BesideList() {}

// Resize gives the form its largest box.
func (a *Action) Resize(box widget.Box) { a.box = box }

// Commands lists the keys of the form. A form that sends a message also opens it in the console,
// and explains a missing permission.
func (a *Action) Commands(state *app.State) []app.Command {
	if a.Verb != "" {
		return SheetKeys(a.sheet, a.Verb, "cancel")
	}
	submitText := "send"
	if a.result.Then != nil { // enter opens a batch, which shows each message before it sends any
		submitText = "preview"
	}
	commands := SheetKeys(a.sheet, submitText, "cancel")
	commands = append(commands, app.KeysForHelp(app.GroupHere, app.Bind("ctrl+t", "open in the console", "ctrl+t"))...)
	return append(commands, a.denialCommands(state)...)
}

// denialCommands returns the commands that work while the sender lacks a permission. One explains
// the refusal. The other changes the sender to an account that has the permission, and also
// the actor if the actor was the sender.
func (a *Action) denialCommands(state *app.State) []app.Command {
	if a.denial == nil {
		return nil
	}
	why := app.DialogCommand("ctrl+y", "why", func() tea.Cmd {
		return app.Send(app.WhyMsg{
			Token:   state.SubjectOfMessage(a.result.Msg).Token,
			Account: a.Sender,
			Action:  app.ActionNameOf(a.result.Msg),
		})
	})
	sender := a.denial.allowedSender
	if sender == "" {
		return []app.Command{why}
	}
	actAs := app.DialogCommand("ctrl+x", "act as "+state.DisplayName(sender), func() tea.Cmd {
		isActor := a.Sender == state.Actor
		a.Form.SetValue(senderField, state.InputText(sender))
		review := a.Review(state)
		if !isActor {
			return review
		}
		return tea.Batch(review, app.Send(app.ActAsMsg{Address: sender}))
	})
	return []app.Command{why, actAs}
}

// SheetKeys labels the keys enter and esc of a form, and lists all its keys.
func SheetKeys(sheet *widget.Sheet, submitText, cancelText string) []app.Command {
	sheet.Form.Keys.Submit.SetHelp("enter", submitText)
	sheet.Form.Keys.Cancel.SetHelp("esc", cancelText)
	return app.KeysForHelp(app.GroupHere, sheet.Bindings()...)
}

// Update handles previews, the outcome of what enter has started, keys and the mouse.
// When the facts of the chain have changed, it previews again.
func (a *Action) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, mustClose bool) {
	switch msg := msg.(type) {
	case previewMsg:
		if msg.reviewNumber == a.lastReviewNumber {
			a.showPreview(state, msg)
		}
	case app.ExecutedMsg:
		return a.storeOutcome(msg)
	case WorkOutcome:
		return a.finishWork(state, msg)
	case workingMsg:
		if msg.form == a && a.isWorking {
			return app.After(a.RedrawEvery, msg), false
		}
	case app.FactsChangedMsg:
		if !a.isWorking {
			return a.Review(state), false // the outcome may be another now
		}
	case tea.KeyMsg:
		return a.pressKey(state, msg)
	case tea.MouseMsg:
		if !a.isWorking {
			return a.updateFields(state, msg)
		}
	}
	return nil, false
}

// pressKey handles a key. While the work that enter started is under way, all keys are ignored,
// because that work cannot be stopped. ctrl+t opens the message in the console.
func (a *Action) pressKey(state *app.State, msg tea.KeyMsg) (tea.Cmd, bool) {
	if a.isWorking {
		return nil, false
	}
	if msg.Type == tea.KeyCtrlT && a.result.msgToSend != nil {
		consoleMsg := app.ConsoleMsg{Text: string(a.result.Msg)}
		return app.GoTo(app.KindConsole, consoleMsg), true
	}
	if command, isBound := app.FindCommand(a.denialCommands(state), msg); isBound {
		return command.Do(), false
	}
	return a.updateFields(state, msg)
}

// updateFields hands a key or a click to the fields, and previews the form again if that changes a
// value. Enter submits the form, and esc closes it.
func (a *Action) updateFields(state *app.State, msg tea.Msg) (tea.Cmd, bool) {
	field := a.Form.Focused()
	event := a.sheet.Update(msg)
	if _, isMouse := msg.(tea.MouseMsg); isMouse {
		field = a.Form.Focused() // a click moves the focus before it changes a value
	}

	switch event {
	case widget.FormChange:
		a.touchedFields[field] = true
		a.failure = Problem{} // the failure was about the values before
		if a.OnChange != nil {
			a.OnChange(a.Form, field)
		}
		return a.Review(state), false
	case widget.FormCancel:
		return nil, true
	case widget.FormSubmit:
		return a.submit(state)
	}
	return nil, false
}

// submit does what the form is for. If the typed values have problems, it only asks about a typed
// name that no account has, or moves the focus to the first field with a problem.
func (a *Action) submit(state *app.State) (tea.Cmd, bool) {
	problems := a.result.Problems
	if len(problems) == 0 {
		return a.carryOut(state)
	}
	if askAboutName := a.askForNewAccount(state); askAboutName != nil {
		return askAboutName, false
	}
	a.isSubmitted = true
	a.Form.Focus(problems[0].Field)
	return a.Review(state), false
}

// carryOut does the one thing that the result is for. A form that writes or reads stays open until
// that is done.
func (a *Action) carryOut(state *app.State) (tea.Cmd, bool) {
	result := a.result
	switch {
	case result.Then != nil:
		return result.Then(a.formState(state)), true
	case result.msgToSend != nil:
		a.isWorking = true
		return app.ExecuteAs(a.formState(state), a, a.Sender, result.Msg), false
	case result.Read != nil:
		a.isWorking = true
		return state.Ask(a, func(engine app.Engine) tea.Msg { return result.Read(engine) }), false
	case result.Do == nil: // the result does nothing
		return nil, true
	}

	// A form that shows its progress lets keys through while it works.
	a.isWorking = true
	write := state.Write(func(engine app.Engine) tea.Msg {
		return app.Answer{Engine: engine, Asker: a, Msg: result.Do(engine)}
	})
	if a.RedrawEvery == 0 {
		return write, false
	}
	return tea.Batch(app.After(a.RedrawEvery, workingMsg{a}), app.Background(write)), false
}

// finishWork takes the outcome of the work that enter has started. Without an error the form
// closes. Otherwise it shows the error under the field that it names: a refusal has a Field,
// and the text "file: it exists" names the field "file". Any other is shown under msg.Field.
func (a *Action) finishWork(state *app.State, msg WorkOutcome) (tea.Cmd, bool) {
	a.isWorking = false
	if msg.Err == nil {
		return msg.Then, true
	}
	a.isSubmitted = true
	a.failure = Problem{Field: msg.Field, Text: msg.Err.Error()}
	if refusal := cw721.AsError(msg.Err); refusal != nil {
		a.failure = Problem{Field: LastPart(refusal.Field), Text: refusal.Text}
	} else if field, text, isNamed := strings.Cut(a.failure.Text, ": "); isNamed && a.hasField(field) {
		a.failure = Problem{Field: field, Text: text}
	}
	a.Form.SetShown(msg.ShowField, true)
	a.Form.Focus(a.failure.Field)
	return a.Review(state), false
}

// storeOutcome takes the outcome of the form's message, and closes the form if the message was
// carried out.
func (a *Action) storeOutcome(msg app.ExecutedMsg) (tea.Cmd, bool) {
	if msg.From != any(a) {
		return nil, false
	}
	a.isWorking = false
	if msg.Err != nil {
		a.failure = Problem{Text: msg.Err.Error()}
		return nil, false
	}
	a.receipt = &msg.Receipt
	return nil, msg.Receipt.Refusal == nil
}
