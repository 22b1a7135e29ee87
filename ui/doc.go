// Package ui is the root of the explorer: the model that bubbletea runs, the
// layout, the open dialogs, and the routing of messages between the rooms. No
// other package sees every room. It reaches a chain only through [app.Engine].
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
// Imports follow these lines downwards; a test in ui/cli checks that. A room asks
// another for something with a message of app, such as [app.ShowTokenMsg], which
// the root routes. Only the root changes the [app.State]; rooms read it.
//
// # Where to find what
//
// The [Model] hands messages to its parts and draws them. The parts don't know it.
//
//	model.go      the Model, and the routing of messages
//	opening.go    which chain is shown: the user's own, or that of a lesson
//	press.go      what a key does
//	mouse.go      what the mouse does
//	outcome.go    what is said of the outcome of a write
//	commands.go   the commands that work everywhere; files.go, those that write a file
//	choosers.go   the lists that these open: views, texts to copy, columns, themes
//	view.go       the frame
//
//	keys.go       the keys that wait; target.go, what gets them
//	reading.go    reading the facts and what the screen needs
//	notices.go    the notices
//	screens.go    the screens, and going from one to another
//	dialogs.go    the open dialogs, and their places; layout.go, the places of the rest
//	clock.go      the clock: moving and playing; clockform.go, clockhead.go, lanes.go
//	header.go, footer.go, help.go, palette.go
//	run.go        the program in the terminal; engines.go, the databases that it closes
//
// # What runs where
//
// Update and View run on bubbletea's goroutine. They never wait and do no I/O.
// What reads or writes the chain is a tea.Cmd. It runs on another goroutine, so it
// must not use the State.
//
//   - Reading for a screen: the root calls NextRead after every message. It runs the
//     returned Read in one View of the chain, together with the facts for the
//     header and the clock if they are out of date, so that everything on the
//     screen is of one revision. One such reading runs at a time.
//   - Reading for a dialog: [app.State.Ask]. The [app.Answer] names the engine that
//     was read and the dialog that asked. The root drops it if either is gone.
//   - Writing: [app.State.Write] and what uses it ([app.ExecuteAs], [app.Advance]).
//     Writes queue, so that two keys pressed in a row act in their order. Every
//     screen and dialog gets the outcome, unless another engine is shown by then.
//
// A key goes to the top dialog, or else to the field with the focus, a command, or
// the screen. Keys that arrive while the explorer is busy wait; see keys.go. A key,
// its line of help and its entry in the palette are one [app.Command], so they
// cannot differ.
//
// # How to add
//
//   - a screen: a package with a type that is an [app.Screen]; a Kind in
//     app/screen.go; a line in screens.go, which gives it a tab and a key.
//   - a command of a screen: an entry in its Commands. A command that works
//     everywhere goes into commands.go.
//   - a form: form.NewMessage with a function that makes a message of the typed
//     values, which is sent with preview and refusals; form.NewAction does anything
//     else.
//   - a dialog: a type that is an [app.Dialog], opened by [app.OpenDialog].
//   - what only some screens or dialogs can do: an optional interface of app. A
//     screen can be an [app.Lister], [app.SubjectScreen] or
//     [app.TypingScreen] or [app.PaneScreen], a dialog an [app.Typist], [app.Lister],
//     [app.Closer], [app.PaneDialog] or [app.FullScreen].
//   - work that keys don't wait for: [app.Background].
//   - a list over the whole terminal with the details of its rows: a
//     [form.Browser].
//   - a view that opens from every screen: a line in choosers.go.
//   - a theme: a palette in themes/builtin.go.
//
// Tests drive the whole explorer through uitest, which presses keys and looks at
// the frames. Most tests are stories: steps in testdata/stories.txtar, which
// uitest.Stories plays. `go test ./ui/... -run LooksAsKept -update` writes the golden views
// again.
package ui
