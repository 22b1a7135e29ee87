package cli

import (
	"ephemera/core/chain"
	"ephemera/core/chain/agenda"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// block is a block as it is written.
type block struct {
	Height cw721.Height `wire:"height"`
	Time   cw721.Time   `wire:"time"`
	// UTC is the time in RFC 3339, where a calendar holds it.
	UTC             string `wire:"utc,optional"`
	SecondsPerBlock uint64 `wire:"seconds_per_block"`
}

func blockOf(c chain.Clock) block {
	return block{c.Height, c.Time, chain.RFC3339(c.Time), c.SecondsPerBlock}
}

// end is something that ends, or has ended, as it is written.
type end struct {
	Kind        cw721.GrantKind  `wire:"kind"`
	Token       *string          `wire:"token"` // of an approval
	Owner       cw721.Address    `wire:"owner"`
	OwnerName   string           `wire:"owner_name,optional"`
	Spender     cw721.Address    `wire:"spender"`
	SpenderName string           `wire:"spender_name,optional"`
	Expires     cw721.Expiration `wire:"expires"`
}

func endOf(v *chain.View, e agenda.Entry) end {
	out := end{
		Kind: e.Kind, Expires: e.Expires,
		Owner: e.Owner, OwnerName: v.NameOf(e.Owner),
		Spender: e.Spender, SpenderName: v.NameOf(e.Spender),
	}
	if e.Kind == cw721.GrantApproval {
		out.Token = &e.Token // "" is an id, too
	}
	return out
}

// moment is where the clock is, what ended on the way there, and what is next.
type moment struct {
	Block     block    `wire:"block"`
	Ended     []end    `wire:"ended"`
	EndedMore bool     `wire:"ended_more,optional"`
	Next      wire.Raw `wire:"next"`
}

func momentOf(v *chain.View, m chain.Move) moment {
	now := moment{Block: blockOf(m.To), EndedMore: m.EndedMore}
	for _, e := range m.Ended {
		now.Ended = append(now.Ended, endOf(v, e))
	}
	if m.Next != nil {
		now.Next = wire.Compact(endOf(v, *m.Next))
	}
	return now
}
