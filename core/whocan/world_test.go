package whocan

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

// world is a chain in memory. It begins at height 1,000 with five seconds per block, and
// alice owns the token rose.
type world struct {
	t testing.TB
	c *chain.Chain
}

// people are the names of the accounts in a world.
var people = []string{"creator", "alice", "bob", "carol", "dave", "erin"}

// address returns the address that is derived from a name. Names that end in market are
// contracts.
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

// newWorld returns a world under the standard rules.
func newWorld(t testing.TB) *world { return worldUnder(t, cw721.RulesStandard) }

// worldUnder returns a world under a rule set.
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

// do executes lines such as "alice approve bob rose 1100", "alice approve_all bob", "alice
// transfer bob rose", "creator offer-minter bob 1100", "bob accept-minter" and "clock 1050",
// which moves the clock to a height. It ends the test at a refusal.
func (w *world) do(lines string) *world {
	w.t.Helper()
	for line := range strings.Lines(lines) {
		words := append(strings.Fields(line), "", "", "", "", "") // absent words are empty
		if words[0] == "" {
			continue
		}
		if words[0] == "clock" {
			blocks := number(words[1]) - uint64(w.clock().Height)
			chaintest.Must(w.c.Advance(chain.ClockStep{Blocks: blocks}))(w.t)
			continue
		}
		r := chaintest.Must(w.c.Execute(address(words[0]), cw721.Encode(message(words[1:]))))(w.t)
		if r.Refusal != nil {
			w.t.Fatalf("%s: %v", line, r.Refusal)
		}
	}
	return w
}

// message returns the message that the words of a line describe, without its sender.
func message(words []string) cw721.ExecuteMsg {
	who := cw721.Address("")
	if words[1] != "" {
		who = address(words[1])
	}
	switch words[0] {
	case "mint":
		return &cw721.Mint{TokenID: words[1], Owner: address(words[2])}
	case "transfer":
		return &cw721.TransferNft{Recipient: who, TokenID: words[2]}
	case "approve":
		return &cw721.Approve{Spender: who, TokenID: words[2], Expires: expiration(words[3])}
	case "revoke":
		return &cw721.Revoke{Spender: who, TokenID: words[2]}
	case "approve_all":
		return &cw721.ApproveAll{Operator: who, Expires: expiration(words[2])}
	case "revoke_all":
		return &cw721.RevokeAll{Operator: who}
	case "burn":
		return &cw721.Burn{TokenID: words[1]}
	case "offer-minter":
		return &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(who, expiration(words[2]))}
	case "accept-minter":
		return &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Accept}
	case "renounce-minter":
		return &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Renounce}
	case "add-minter":
		return &cw721.AddMinter{Minter: who}
	case "offer-creator":
		return &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(who, expiration(words[2]))}
	case "accept-creator":
		return &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept}
	case "renounce-creator":
		return &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Renounce}
	}
	panic(words[0])
}

// number parses a number.
func number(s string) (n uint64) {
	if _, err := fmt.Sscan(s, &n); err != nil {
		panic(err)
	}
	return n
}

// expiration parses a height, or a time in seconds such as "t1000600". It returns nil for an
// empty text.
func expiration(s string) *cw721.Expiration {
	if s == "" {
		return nil
	}
	if seconds, isTime := strings.CutPrefix(s, "t"); isTime {
		return new(cw721.UntilTime(cw721.Time(number(seconds) * 1e9)))
	}
	return new(cw721.UntilHeight(cw721.Height(number(s))))
}

// view calls a function with a view of the world.
func (w *world) view(fn func(*chain.View) error) {
	w.t.Helper()
	chaintest.OK(w.t, w.c.View(fn))
}

// clock returns the clock of the world.
func (w *world) clock() (c chain.Clock) {
	w.t.Helper()
	w.view(func(v *chain.View) error { c = v.Clock; return nil })
	return c
}

// question parses a question such as "transfer as dave passive alice,bob after 1100 until
// 1200 unmoved depth 3 ways 2". Its token is rose.
func (w *world) question(text string) (q Question) {
	w.t.Helper()
	word := strings.Fields(text)
	q.Action, _ = cw721.ActionNamed(word[0])
	if word[0] == "own" {
		q.Action = cw721.OwnAction
	}
	if q.Action.Name == "" {
		w.t.Fatalf("%s: no action", text)
	}
	if q.Action.NeedsToken {
		q.Token = "rose"
	}
	for i := 1; i < len(word); i++ {
		if word[i] == "unmoved" {
			q.TokenMustStay = true
			continue
		}
		value := word[i+1]
		switch word[i] {
		case "as":
			q.Actor = address(value)
		case "passive":
			q.PassiveAccounts = []cw721.Address{}
			for _, name := range strings.Split(value, ",") {
				if name != "-" {
					q.PassiveAccounts = append(q.PassiveAccounts, address(name))
				}
			}
		case "active":
			q.ActiveAccounts = []cw721.Address{address(value)}
		case "only":
			q.OnlySenders = []cw721.Address{}
			for _, name := range strings.Split(value, ",") {
				q.OnlySenders = append(q.OnlySenders, address(name))
			}
		case "after":
			q.After = w.block(value)
		case "until":
			q.Until = w.block(value)
		case "depth":
			q.Depth = int(number(value))
		case "ways":
			q.MaxWays = int(number(value))
		default:
			w.t.Fatalf("%s: %s", text, word[i])
		}
		i++
	}
	return q
}

// block returns the block in which something with an expiration expires.
func (w *world) block(text string) *cw721.Block {
	w.t.Helper()
	clock := chaintest.Must(w.clock().ToExpiry(*expiration(text), 0))(w.t)
	return new(clock.Block())
}

// ask returns the answer to a question.
func (w *world) ask(text string) Answer {
	w.t.Helper()
	return w.askLeaving(text, func(*search) {})
}

// askLeaving returns the answer of a search from which a function has left something out.
func (w *world) askLeaving(text string, leaveOut func(*search)) (a Answer) {
	w.t.Helper()
	w.view(func(v *chain.View) error {
		s, err := prepare(context.Background(), v, w.question(text))
		if err != nil {
			return err
		}
		leaveOut(s)
		err = s.run()
		a = s.answer
		return err
	})
	return a
}

// name returns the name of an address, "anyone" for an unknown one.
func name(a cw721.Address) string {
	for _, n := range append(slices.Clone(people), "market", "stranger") {
		if address(n) == a {
			return n
		}
	}
	return "anyone"
}

// told describes each message of a way by its height, its sender and the rule that allows it:
// "1000 bob approve carol [operator]; …".
func told(way []Step) string {
	var all []string
	for _, s := range way {
		what := fmt.Sprintf("%d %s ", s.Block.Height, name(s.Sender))
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
