// Package app holds what all rooms of the explorer share: the state, the
// interfaces of engines, screens, dialogs and commands, the messages between them,
// the queue of writes, and the words for people, tokens and times.
//
// It imports no room and no form. A room asks another for something with a
// message, which package ui routes. The package reads no file and draws no frame.
package app
