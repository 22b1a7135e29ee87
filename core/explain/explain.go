// Package explain reads a chain for people: why a message passes or is refused
// and what would change that, who may do what with a token, what one message
// does right around the expiry of a grant, which grants surprise, and what changes
// of the records mean in words.
//
// It asks a [chain.View], whose decisions come from the code that executes messages. The
// package must never decide by itself, and it must never change anything.
package explain
