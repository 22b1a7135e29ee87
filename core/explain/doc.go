// Package explain reads a chain for people: why a message passes or is refused
// and what would change that, who may do what with a token, what one message
// does right around the expiry of a grant, which grants surprise, and what changes
// of the records mean in words.
//
// It asks a [chain.View], whose decisions come from the code that executes messages. The
// package must never decide by itself, and it must never change anything.
//
// A rule, a message or an action of the contract has its words in package cw721, beside the
// rule. Other changes belong here:
//
//   - a kind of grant or permission: grantTexts in grant.go, [PermissionKinds] in permission.go
//   - what could reverse a decision: change.go, which tries each change before it is shown
//   - a reason to be surprised by a grant: a [Danger] in dangling.go, found there if the
//     records show it, and in danglinghistory.go if only the history does
//   - a record of the contract: describe.go, or describeinfo.go if it is about the collection
//   - a form of a moment that people type: moment.go, or package human if it needs no chain
package explain
