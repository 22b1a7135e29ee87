// Package console is the screen on which messages are typed as JSON, with
// completion, templates, what was sent before, and a person's own editor.
//
// It parses no message: what one means, and whether it is one, core/cw721 says.
package console
