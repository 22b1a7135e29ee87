package cli

import (
	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// block is a block as it is written.
type block struct {
	Height cw721.Height `wire:"height"`
	Time   cw721.Time   `wire:"time"`
	// UTC is the time in RFC 3339, where a calendar holds it.
	UTC string `wire:"utc,optional"`
	// SecondsPerBlock is told with the block of the clock alone.
	SecondsPerBlock uint64 `wire:"seconds_per_block,optional"`
}

func blockOf(b cw721.Block) block {
	return block{Height: b.Height, Time: b.Time, UTC: chain.RFC3339(b.Time)}
}

func clockOf(c chain.Clock) block {
	b := blockOf(c.Block())
	b.SecondsPerBlock = c.SecondsPerBlock
	return b
}

// end is something that ends, or has ended, as it is written.
type end struct {
	Kind        cw721.GrantKind  `wire:"kind"`
	TokenID     *string          `wire:"token_id"` // of an approval
	Owner       cw721.Address    `wire:"owner"`
	OwnerName   string           `wire:"owner_name,optional"`
	Spender     cw721.Address    `wire:"spender"`
	SpenderName string           `wire:"spender_name,optional"`
	Expires     cw721.Expiration `wire:"expires"`
}

func endOf(v *chain.View, e expiry.Entry) end {
	out := end{
		Kind: e.Kind, Expires: e.Expires,
		Owner: e.Owner, OwnerName: v.NameOf(e.Owner),
		Spender: e.Spender, SpenderName: v.NameOf(e.Spender),
	}
	if e.Kind == cw721.GrantApproval {
		out.TokenID = &e.Token // "" is an id, too
	}
	return out
}

// moment is where the clock is, what ended on the way there, and what is next.
type moment struct {
	Block     block `wire:"block"`
	Ended     []end `wire:"ended"`
	EndedMore bool  `wire:"ended_more,optional"`
	Next      *end  `wire:"next"`
}

func momentOf(v *chain.View, m chain.Move) moment {
	now := moment{Block: clockOf(m.To), EndedMore: m.EndedMore}
	for _, e := range m.Ended {
		now.Ended = append(now.Ended, endOf(v, e))
	}
	if m.Next != nil {
		next := endOf(v, *m.Next)
		now.Next = &next
	}
	return now
}
