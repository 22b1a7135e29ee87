// Package ui is the explorer: the screens on which people look at a collection,
// act as anyone, and move the clock.
//
// One [Model] is the root. It owns what every screen shares (the [Desk]), the
// screens, a stack of dialogs, and the order in which messages reach them:
// ctrl+c, the top dialog, a field that is being typed in, keys of the whole
// program, keys of the screen. What is typed while a key still opens its dialog
// waits for the dialog.
//
// Three rules keep it quick and safe:
//
//   - Update never waits. What reads or writes the engine is a tea.Cmd that
//     captures values; what writes goes through one queue, so that two keys
//     pressed in a row happen in that order.
//   - An answer carries the revision that it saw, and an older one is dropped.
//   - Every view fills the box that it is given and no more.
//
// Keys are commands: what a key does, what help shows and what the palette
// offers come from the same [Command], so they cannot differ.
//
// The package must never know how the engine stores anything: it talks to the
// [Engine] interface, which *chain.Chain satisfies.
package ui
