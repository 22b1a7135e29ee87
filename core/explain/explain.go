// Package explain reads a chain for people: why a message passes or is refused
// and what would change that, who may do what with a token, what one message
// does right around the expiry of a grant, which grants surprise, and what changes
// of the records mean in words.
//
// All of it is asked of a [chain.View]: the decisions are the contract's own,
// made by the code that executes. The package must never decide by itself, nor
// change anything.
package explain
