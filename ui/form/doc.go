// Package form makes dialogs out of fields: the form that sends one message and
// previews it, its batch over several tokens, choosers, questions, and how an
// expiry, a time or an account is typed.
//
// It knows no room. A form only says what it would send; whether that is allowed
// is asked of the engine, in a preview of the very message.
//
// A room makes a form from fields (AccountField, ExpiryField, [widget.Field]) and a function
// that reads their values into a [Result]. So a new field of one form belongs in its room, a
// new kind of value in a file of its own beside account.go and expiry.go, and what all forms
// do in form.go (keys, enter), review.go (preview) and formview.go.
package form
