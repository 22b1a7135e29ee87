// Package tokens is the screen of the tokens, with its filter and search, one
// token in full, and the forms that send messages about tokens.
//
// It decides nothing about permission: it shows what core/explain says.
package tokens
