// Package answer is how answers are written in JSON: a block, an expiry, a node of the
// history, a refusal. A notion has one name in all of them, the contract's own where
// it has one (owner, spender, sender, token_id, expires); an address has its
// account's name beside it (owner_name); what there is not is left out. Programs read
// these members, so a name here never changes. The package knows the core alone.
package answer

import (
	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// Block is a block as it is written.
type Block struct {
	Height cw721.Height `wire:"height"`
	Time   cw721.Time   `wire:"time"`
	// UTC is the time in RFC 3339, where a calendar holds it.
	UTC string `wire:"utc,optional"`
	// SecondsPerBlock is told with the block of the clock alone.
	SecondsPerBlock uint64 `wire:"seconds_per_block,optional"`
}

// BlockOf writes a block, with its time as a date too.
func BlockOf(b cw721.Block) Block {
	return Block{Height: b.Height, Time: b.Time, UTC: chain.RFC3339(b.Time)}
}

// ClockOf is [BlockOf] with the seconds per block.
func ClockOf(c chain.Clock) Block {
	b := BlockOf(c.Block())
	b.SecondsPerBlock = c.SecondsPerBlock
	return b
}

// Expiry is something that expires, or has expired, as it is written.
type Expiry struct {
	Kind        cw721.GrantKind  `wire:"kind"`
	TokenID     *string          `wire:"token_id"` // of an approval
	Owner       cw721.Address    `wire:"owner"`
	OwnerName   string           `wire:"owner_name,optional"`
	Spender     cw721.Address    `wire:"spender"`
	SpenderName string           `wire:"spender_name,optional"`
	Expires     cw721.Expiration `wire:"expires"`
}

// ExpiryOf writes a grant that expires, with the names that a view has.
func ExpiryOf(v *chain.View, e expiry.Entry) Expiry {
	out := Expiry{
		Kind: e.Kind, Expires: e.Expires,
		Owner: e.Owner, OwnerName: v.NameOf(e.Owner),
		Spender: e.Spender, SpenderName: v.NameOf(e.Spender),
	}
	if e.Kind == cw721.GrantApproval {
		out.TokenID = &e.Token // "" is an id, too
	}
	return out
}
