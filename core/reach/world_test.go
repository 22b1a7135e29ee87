package reach

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// world is a chain in memory: height 1,000, five seconds a block, alice owns
// rose.
type world struct {
	t testing.TB
	c *chain.Chain
}

var people = []string{"creator", "alice", "bob", "carol", "dave", "erin"}

func address(name string) cw721.Address {
	size := cw721.AccountBytes
	if strings.HasSuffix(name, "market") {
		size = cw721.ContractBytes
	}
	a, err := chain.AddressFor("cosmos", name, size)
	if err != nil {
		panic(err)
	}
	return a
}

func newWorld(t testing.TB) *world { return worldUnder(t, cw721.RulesStandard) }

func worldUnder(t testing.TB, rules cw721.Rules) *world {
	t.Helper()
	c := chaintest.Must(chain.Open(kv.NewMemory()))(t)
	g := chain.Genesis{Config: chain.Config{Rules: rules}, Clock: chain.Clock{Height: 1000, Time: 1_000_000e9}}
	for _, name := range people {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: address(name)})
	}
	chaintest.Must(c.Create(g, address("creator"), []byte(`{"name":"Apes","symbol":"APE"}`)))(t)
	w := &world{t, c}
	w.do("creator mint rose alice")
	return w
}

// do plays lines of what people do: "alice approve bob rose 1100",
// "alice approve_all bob", "alice transfer bob rose", "creator offer-minter bob
// 1100", "bob accept-minter", "clock 1050". An expiration is a height, or a
// time in seconds as "t1000600".
func (w *world) do(lines string) *world {
	w.t.Helper()
	for line := range strings.Lines(lines) {
		word := append(strings.Fields(line), "", "", "", "", "")
		if word[0] == "" {
			continue
		}
		if word[0] == "clock" {
			h := cw721.Height(number(word[1]))
			v := chain.ClockStep{Blocks: uint64(h) - uint64(w.clock().Height)}
			chaintest.Must(w.c.Advance(v))(w.t)
			continue
		}
		r := chaintest.Must(w.c.Execute(address(word[0]), cw721.Encode(message(word[1:]))))(w.t)
		if r.Refusal != nil {
			w.t.Fatalf("%s: %v", line, r.Refusal)
		}
	}
	return w
}

func message(word []string) cw721.ExecuteMsg {
	who := cw721.Address("")
	if word[1] != "" {
		who = address(word[1])
	}
	switch word[0] {
	case "mint":
		return &cw721.Mint{TokenID: word[1], Owner: address(word[2])}
	case "transfer":
		return &cw721.TransferNft{Recipient: who, TokenID: word[2]}
	case "approve":
		return &cw721.Approve{Spender: who, TokenID: word[2], Expires: expiration(word[3])}
	case "revoke":
		return &cw721.Revoke{Spender: who, TokenID: word[2]}
	case "approve_all":
		return &cw721.ApproveAll{Operator: who, Expires: expiration(word[2])}
	case "revoke_all":
		return &cw721.RevokeAll{Operator: who}
	case "burn":
		return &cw721.Burn{TokenID: word[1]}
	case "offer-minter":
		return &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(who, expiration(word[2]))}
	case "accept-minter":
		return &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Accept}
	case "renounce-minter":
		return &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Renounce}
	case "add-minter":
		return &cw721.AddMinter{Minter: who}
	case "offer-creator":
		return &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(who, expiration(word[2]))}
	case "accept-creator":
		return &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept}
	case "renounce-creator":
		return &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Renounce}
	}
	panic(word[0])
}

func number(s string) (n uint64) {
	if _, err := fmt.Sscan(s, &n); err != nil {
		panic(err)
	}
	return n
}

func expiration(s string) *cw721.Expiration {
	if s == "" {
		return nil
	}
	e := cw721.UntilHeight(0)
	if seconds, isTime := strings.CutPrefix(s, "t"); isTime {
		e = cw721.UntilTime(cw721.Time(number(seconds) * 1e9))
	} else {
		e.Value = number(s)
	}
	return &e
}

func (w *world) view(fn func(*chain.View) error) {
	w.t.Helper()
	chaintest.OK(w.t, w.c.View(fn))
}

func (w *world) clock() (c chain.Clock) {
	w.t.Helper()
	w.view(func(v *chain.View) error { c = v.Clock; return nil })
	return c
}

// question reads "transfer as dave passive alice,bob after 1100 until 1200
// unmoved depth 3 ways 2": the token is rose.
func (w *world) question(text string) (q Question) {
	w.t.Helper()
	word := strings.Fields(text)
	q.Action, _ = cw721.ActionNamed(word[0])
	if q.Action.Name == "" {
		w.t.Fatalf("%s: no action", text)
	}
	if q.Action.NeedsToken {
		q.Token = "rose"
	}
	for i := 1; i < len(word); i++ {
		if word[i] == "unmoved" {
			q.Unmoved = true
			continue
		}
		value := word[i+1]
		switch word[i] {
		case "as":
			q.As = address(value)
		case "passive":
			q.Passive = []cw721.Address{}
			for _, name := range strings.Split(value, ",") {
				if name != "-" {
					q.Passive = append(q.Passive, address(name))
				}
			}
		case "after":
			q.After = w.block(value)
		case "until":
			q.Until = w.block(value)
		case "depth":
			q.Depth = int(number(value))
		case "ways":
			q.Ways = int(number(value))
		default:
			w.t.Fatalf("%s: %s", text, word[i])
		}
		i++
	}
	return q
}

func (w *world) block(text string) *cw721.Block {
	w.t.Helper()
	to := chaintest.Must(w.clock().ToExpiry(*expiration(text), 0))(w.t)
	b := to.Block()
	return &b
}

func (w *world) ask(text string) Answer {
	w.t.Helper()
	return w.askLeaving(text, func(*search) {})
}

// askLeaving asks with something left out of the search.
func (w *world) askLeaving(text string, leave func(*search)) (a Answer) {
	w.t.Helper()
	w.view(func(v *chain.View) error {
		s, err := prepare(context.Background(), v, w.question(text))
		if err != nil {
			return err
		}
		leave(s)
		err = s.run()
		a = s.answer
		return err
	})
	return a
}

func name(a cw721.Address) string {
	for _, n := range append(slices.Clone(people), "market", "stranger") {
		if address(n) == a {
			return n
		}
	}
	return "anyone"
}

// told writes a way as "1000 bob approve carol [operator]; …".
func told(way []Step) string {
	var all []string
	for _, s := range way {
		what := fmt.Sprintf("%d %s ", s.Block.Height, name(s.As))
		switch m := s.Message.(type) {
		case *cw721.TransferNft:
			what += "transfer " + name(m.Recipient)
		case *cw721.Approve:
			what += "approve " + name(m.Spender)
		case *cw721.ApproveAll:
			what += "approve_all " + name(m.Operator)
		default:
			what += cw721.MessageName(m)
		}
		all = append(all, fmt.Sprintf("%s [%s]", what, s.Decision.GrantingCheck().Rule))
	}
	return strings.Join(all, "; ")
}
