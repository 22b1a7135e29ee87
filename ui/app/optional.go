package app

import "ephemera/ui/widget"

// What follows are optional interfaces. The root looks for them in screens and
// dialogs; a type that lacks one behaves as the comment says.

// Typist is a dialog with text fields. Typing reports whether letters go to a
// field now. Without it, no dialog is typed in.
type Typist interface {
	Typing() bool
}

// TypingScreen lists the keys that work while its text field has the focus.
// Without it, the footer lists the commands of the screen.
type TypingScreen interface {
	Screen
	TypingCommands(*State) []Command
}

// Lister is a screen or a dialog with a list. Moving in a list that has rows
// waits for nothing that is read for the row under the cursor, and no key waits for
// a search that the list goes on with.
type Lister interface {
	List() *widget.Table
}

// SubjectScreen reports what is under its cursor. Without it, why and the other
// views open without a subject.
type SubjectScreen interface {
	Subject() Subject
}

// Closer is a dialog with work under way, which Close ends.
type Closer interface {
	Close()
}

// FullScreen marks a dialog that takes the whole terminal except for the line of
// the keys. Other dialogs are centred.
type FullScreen interface {
	FullScreen()
}
