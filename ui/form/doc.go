// Package form makes dialogs out of fields: the form that sends one message and
// previews it, its batch over several tokens, choosers, questions, and how an
// expiry, a time or an account is typed.
//
// It knows no room. A form only says what it would send; whether that is allowed
// is asked of the engine, in a preview of the very message.
package form
