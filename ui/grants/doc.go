// Package grants is the screens of approvals and of operators: what was given to
// whom, and when it expires.
//
// It pages the index by expiry of core/chain/expiry, and must never scan tokens
// for it.
package grants
