// Package accounts is the screen of the address book: the accounts with names,
// what each owns and was granted, the forms for them, and the choice of who acts.
//
// Addresses are text of the contract's world: no key of a wallet ever comes here.
package accounts
