// Package collection is the screen of the collection itself: its fields, the
// roles of minter and creator, the royalty, and the forms that change them.
//
// Who may change what is core/explain's to say, never this package's.
package collection
