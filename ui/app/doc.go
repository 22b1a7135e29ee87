// Package app is what every room of the explorer shares: the state that the root
// owns, the engine that it speaks to, screens, dialogs and commands, the messages
// between them, the queue of writes, and how people, tokens and times are written.
//
// It knows no room and no form, and must never learn of one: what one room asks
// of another is a message that the root routes. It reads no disk and draws no frame.
package app
