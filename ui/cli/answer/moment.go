// Package answer has the parts that the JSON answers of several commands share: a
// block, an expiry, a node of the history, a refusal. Each notion has the same member
// name in every answer, which is the contract's own if the contract has one (owner,
// spender, sender, token_id, expires). Beside an address stands the name of its account
// (owner_name). A member without a value is left out. Programs read these members, so
// their names never change.
package answer

import (
	"math"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// Block is a block, in JSON.
type Block struct {
	Height cw721.Height `wire:"height"`
	Time   cw721.Time   `wire:"time"`
	// UTC is the time in RFC 3339; empty after the year 2262.
	UTC string `wire:"utc,optional"`
	// SecondsPerBlock is set by [ClockOf] alone.
	SecondsPerBlock uint64 `wire:"seconds_per_block,optional"`
}

// BlockOf returns a block for an answer, without the seconds per block.
func BlockOf(b cw721.Block) Block {
	written := Block{Height: b.Height, Time: b.Time}
	if uint64(b.Time) <= math.MaxInt64 {
		written.UTC = time.Unix(0, int64(b.Time)).UTC().Format(time.RFC3339Nano)
	}
	return written
}

// ClockOf returns the block of a clock, with its seconds per block.
func ClockOf(clock chain.Clock) Block {
	block := BlockOf(clock.Block())
	block.SecondsPerBlock = clock.SecondsPerBlock
	return block
}

// Expiry is a grant with its expiry, in JSON. The grant may have expired.
type Expiry struct {
	Kind        cw721.GrantKind  `wire:"kind"`
	TokenID     *string          `wire:"token_id"` // nil unless the grant is an approval
	Owner       cw721.Address    `wire:"owner"`
	OwnerName   string           `wire:"owner_name,optional"`
	Spender     cw721.Address    `wire:"spender"`
	SpenderName string           `wire:"spender_name,optional"`
	Expires     cw721.Expiration `wire:"expires"`
}

// ExpiryOf returns a grant for an answer. The names of its accounts are those of the view.
func ExpiryOf(v *chain.View, entry expiry.Entry) Expiry {
	out := Expiry{
		Kind:        entry.Kind,
		Owner:       entry.Owner,
		OwnerName:   v.NameOf(entry.Owner),
		Spender:     entry.Spender,
		SpenderName: v.NameOf(entry.Spender),
		Expires:     entry.Expires,
	}
	if entry.Kind == cw721.GrantApproval {
		out.TokenID = &entry.Token // present even if the id is empty
	}
	return out
}
