package reach

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// brute is the search without any abstraction: every message of everybody and
// of two fresh addresses, with expirations at all moments, at every moment right
// before and at an expiration.
type brute struct {
	q        Question
	contract cw721.Contract
	self     cw721.Address
	base     kv.Reader
	moments  []cw721.Block
	messages []sentMessage
	acts     []sentMessage
	few      bool // without the messages that cannot bear on the question
	states   map[string][]kv.Change

	last *kv.Overlay // the state that was tried last
	at   string
}

func newBrute(v *chain.View, q Question, people []string, stored []cw721.Expiration, few bool) *brute {
	b := &brute{
		q: q, few: few, contract: v.Contract(), self: v.Self, base: newCachedView(v),
		states: map[string][]kv.Change{"": nil},
	}
	b.moments = []cw721.Block{v.Clock.Block()}
	for _, bound := range []*cw721.Block{q.After, q.Until} {
		if bound != nil {
			b.moments = append(b.moments, *bound)
		}
	}
	for _, e := range stored {
		for before := range uint64(2) {
			if !e.Expired(v.Clock.Block()) {
				to, err := v.Clock.ToExpiry(e, before)
				if err != nil {
					panic(err)
				}
				b.moments = append(b.moments, to.Block())
			}
		}
	}
	slices.SortFunc(b.moments, compare)
	b.moments = slices.Compact(b.moments)
	b.speak(people)
	return b
}

// speak lists every message that is sent at any moment, and the act with every
// account in it.
func (b *brute) speak(people []string) {
	ends := []*cw721.Expiration{nil}
	for i, m := range b.moments[1:] {
		e := cw721.UntilHeight(m.Height)
		if i%2 == 0 {
			e = cw721.UntilTime(m.Time)
		}
		ends = append(ends, &e)
	}
	var all []cw721.Address
	for _, name := range append(slices.Clone(people), "fresh", "fresher") {
		all = append(all, address(name))
	}
	for _, by := range all {
		if slices.Contains(b.q.Passive, by) {
			continue
		}
		add := func(messages ...cw721.ExecuteMsg) {
			for _, msg := range messages {
				b.messages = append(b.messages, sentMessage{Info: cw721.Info{Sender: by}, msg: msg})
			}
		}
		// What a question cannot be about has one expiration alone.
		onToken := rightTo(b.q.Action.Name, b.contract.Rules) == cw721.RuleOwner
		if onToken {
			add(b.onToken(all, ends)...)
		} else if b.few {
			add(b.onRoles(all, ends[:min(2, len(ends))])...)
		} else {
			add(b.onRoles(all, ends)...)
		}
		switch {
		case b.few:
		case onToken:
			add(b.onRoles(all, ends[:1])...)
			add(b.onNeither(by)...)
		default:
			add(b.onToken(all, ends[:1])...)
			add(b.onNeither(by)...)
		}
		if b.q.As != "" && b.q.As != by {
			continue
		}
		about := []cw721.Address{by, address("fresh")}
		if strings.HasSuffix(b.q.Action.Name, "-minter") {
			about = all
		}
		for _, who := range about {
			b.acts = append(b.acts, sentMessage{Info: cw721.Info{Sender: by}, msg: b.q.act(who, address("the market"))})
		}
	}
}

// onToken lists the messages that move the token or a permission over it.
func (b *brute) onToken(all []cw721.Address, ends []*cw721.Expiration) (messages []cw721.ExecuteMsg) {
	const rose = "rose"
	for _, x := range all {
		if !b.q.Unmoved {
			messages = append(messages, &cw721.TransferNft{Recipient: x, TokenID: rose})
		}
		messages = append(messages, &cw721.Revoke{Spender: x, TokenID: rose}, &cw721.RevokeAll{Operator: x})
		for _, e := range ends {
			messages = append(messages, &cw721.Approve{Spender: x, TokenID: rose, Expires: e}, &cw721.ApproveAll{Operator: x, Expires: e})
		}
	}
	if b.q.Unmoved {
		return messages
	}
	return append(messages, &cw721.SendNft{Contract: address("the market"), TokenID: rose}, &cw721.Burn{TokenID: rose})
}

// onRoles lists the messages that move a role, and those about additional minters.
func (b *brute) onRoles(all []cw721.Address, ends []*cw721.Expiration) (messages []cw721.ExecuteMsg) {
	actions := []cw721.OwnershipAction{cw721.Accept, cw721.Renounce}
	for _, x := range all {
		for _, e := range ends {
			actions = append(actions, cw721.Offer(x, e))
		}
		if b.contract.Rules.HasAdditionalMinters() {
			messages = append(messages, &cw721.AddMinter{Minter: x}, &cw721.RemoveMinter{Minter: x})
		}
	}
	for _, a := range actions {
		messages = append(messages, &cw721.UpdateMinterOwnership{OwnershipAction: a}, &cw721.UpdateCreatorOwnership{OwnershipAction: a})
	}
	return messages
}

// onNeither lists messages that change something else.
func (b *brute) onNeither(by cw721.Address) []cw721.ExecuteMsg {
	text := "changed"
	return []cw721.ExecuteMsg{
		&cw721.UpdateNftInfo{TokenID: "rose", TokenURI: &text},
		&cw721.SetWithdrawAddress{Address: by},
		&cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Name: &text}},
		&cw721.Mint{TokenID: "lily", Owner: by},
	}
}

// place is a state at a moment.
type place struct {
	state  string
	moment int
}

// shortest gives how many messages the shortest way has; 0 where there is none
// of at most so many.
func (b *brute) shortest(depth int) int {
	seen := map[place]bool{}
	level := []place{{"", 0}}
	for n := 1; n <= depth; n++ {
		var next []place
		for ; len(level) > 0; level = level[1:] {
			p := level[0]
			if seen[p] {
				continue
			}
			seen[p] = true
			if p.moment+1 < len(b.moments) {
				level = append(level, place{p.state, p.moment + 1})
			}
			if b.inTime(p.moment) {
				for _, act := range b.acts {
					if _, done := b.send(p, act); done {
						return n
					}
				}
			}
			for i := 0; i < len(b.messages) && n < depth; i++ {
				if state, done := b.send(p, b.messages[i]); done && !seen[place{state, p.moment}] {
					next = append(next, place{state, p.moment})
				}
			}
		}
		level = next
	}
	return 0
}

func (b *brute) inTime(m int) bool {
	return (b.q.After == nil || compare(b.moments[m], *b.q.After) >= 0) && (b.q.Until == nil || compare(b.moments[m], *b.q.Until) < 0)
}

func (b *brute) send(p place, m sentMessage) (state string, done bool) {
	if b.last == nil || b.at != p.state {
		b.last, b.at = kv.NewOverlay(b.base), p.state
		if err := kv.Apply(b.last, b.states[p.state]); err != nil {
			panic(err)
		}
	}
	trial := b.last.Copy()
	if _, err := b.contract.RunExecute(trial, cw721.Env{Block: b.moments[p.moment], Self: b.self}, m.Info, m.msg); err != nil {
		if cw721.AsError(err) == nil {
			panic(err)
		}
		return "", false
	}
	changes, err := trial.Changes()
	if err != nil {
		panic(err)
	}
	var name []byte
	for _, c := range changes {
		name = kv.AppendPart(kv.AppendPart(name, c.Key), c.New)
		if c.New == nil {
			name = append(name, '-')
		}
	}
	if _, known := b.states[string(name)]; !known {
		b.states[string(bytes.Clone(name))] = changes
	}
	return string(name), true
}

// compare orders two blocks on the way of the clock.
func compare(a, b cw721.Block) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Height, b.Height))
}

// Right before its real end a way is found that others than the spender send
// nothing in, and at it none is.
func TestARealEndIsWhereTheLastWayEnds(t *testing.T) {
	checked := 0
	for seed := range uint64(120) {
		p := populate(t, seed)
		p.view(func(v *chain.View) error {
			rose, _, err := v.Token("rose")
			chaintest.OK(t, err)
			for _, a := range rose.Approvals {
				checked += p.checkRealEnd(v, cw721.Grant{
					Kind: cw721.GrantApproval, Token: "rose", Owner: rose.Owner, Spender: a.Spender, Expires: a.Expires,
				})
			}
			return nil
		})
	}
	if checked < 50 {
		t.Errorf("only %d moments were checked", checked)
	}
}

// checkRealEnd checks that the spender of a live grant can move the token alone until its
// real end. It returns the number of moments that it checked.
func (p *population) checkRealEnd(v *chain.View, g cw721.Grant) (checked int) {
	p.t.Helper()
	if g.Expires.Expired(v.Clock.Block()) || g.Spender == g.Owner {
		return 0
	}
	end := chaintest.Must(RealExpiry(context.Background(), v, g))(p.t)
	others := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return address(part) == g.Spender })
	q := p.world.question("transfer unmoved passive " + strings.Join(others, ","))
	for _, e := range p.stored {
		for before := range uint64(2) {
			moment, err := v.Clock.ToExpiry(e, before)
			if e.Expired(v.Clock.Block()) || err != nil {
				continue
			}
			checked++
			q.After = new(moment.Block())
			answer := chaintest.Must(Ask(context.Background(), v, q))(p.t)
			if (answer.Verdict == Way) == end.Expired(*q.After) {
				p.t.Errorf("%v at %v is answered with %s, and the real end is %v", g, *q.After, answer.Verdict, end)
			}
		}
	}
	return checked
}
