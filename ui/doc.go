// Package ui is the root of the explorer: the model that bubbletea runs, the
// layout with header, clock and footer, the stack of dialogs, and the routing of
// messages between the rooms. It is the only package that sees every room, and
// it never knows how a chain stores anything: it talks to [app.Engine], which
// *chain.Chain satisfies.
//
// # Who may call whom
//
//	main ── ui (root) ──┬── tokens     grants   collection  history  console
//	                    └── accounts   lessons  inspect     start
//	                            │  a room: a screen or a family of dialogs, with its
//	                            │  tests and golden views beside it
//	                          form      forms over actions, questions, choosers, batches
//	                            │
//	                          app       State, Engine, Screen, Dialog, Command, Read,
//	                            │       messages, the write queue, phrases
//	                    widget  themes  core
//
// Imports follow these lines downwards and nothing else; a test in ui/cli holds
// it. No room imports another: what one asks of another is a message of app that
// the root routes ([app.ShowTokenMsg], [app.OperatorFormMsg], [app.QueriedMsg]).
// Only the root changes the [app.State]; rooms read it.
//
// # What runs where
//
// Update and View run on bubbletea's goroutine, never wait and do no I/O. What
// reads or writes the chain is a tea.Cmd, which runs on another goroutine and
// knows only what it captured.
//
//   - Reading for a screen: the root asks Needs after every message. What it
//     gives runs in one View of the chain, together with the facts in the header
//     and the clock where those are out of date, so that everything on the screen
//     is of one revision. One such reading is under way at a time.
//   - Reading for a dialog: [app.State.Ask]. The [app.Answer] names the engine that
//     was read and the dialog that asked; the root hands it to nobody else, and
//     drops it when either is gone.
//   - Writing: [app.State.Write] and what builds on it ([app.Execute],
//     [app.Advance]) queue, so that two keys pressed in a row happen in that order.
//     Every screen and dialog hears of the outcome, unless the engine was left.
//
// Keys go to ctrl+c, the top dialog, a field that is being typed in, commands,
// the screen. Keys that arrive while something that they may be about is under
// way wait for it; keys.go says which keys wait for what. A key, its line of help
// and its entry in the palette are one [app.Command], so they cannot differ.
//
// # How to add
//
//   - a screen: a package with a type that is an [app.Screen]; a Kind in
//     app/screen.go; a line in screens.go, which gives it its tab and its key.
//   - a command of a screen: an entry in its Commands. One that is there
//     everywhere goes into commands.go.
//   - a form: form.NewAction with a function that makes a form.Result of what was
//     typed. For a message that is Result.Fill, and preview, refusals and sending
//     come with it; for anything else Result.Do.
//   - a dialog: a type that is an [app.Dialog], opened by [app.OpenDialog].
//   - what only some screens or dialogs have: an optional interface of app. A
//     screen can be an [app.Lister], [app.SubjectScreen] or [app.TypingScreen], a
//     dialog an [app.Typist], [app.Lister], [app.Closer] or [app.FullScreen].
//   - work that keys don't wait for: [app.Background].
//   - a list over the whole terminal, with what is known of its rows: a
//     [form.Browser].
//   - a view that is opened from every screen: a line in subject.go.
//   - a theme: a palette in themes/builtin.go.
//
// Tests drive the whole explorer through uitest, which presses keys and looks at
// what a person sees. `go test ./ui/... -run LooksAsKept -update` writes the
// golden views anew.
package ui
