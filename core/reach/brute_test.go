package reach

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
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
	messages []sent
	acts     []sent
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
				b.messages = append(b.messages, sent{Info: cw721.Info{Sender: by}, msg: msg})
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
			b.acts = append(b.acts, sent{Info: cw721.Info{Sender: by}, msg: b.q.act(who, address("the market"))})
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

func (b *brute) send(p place, m sent) (state string, done bool) {
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

// random makes a world out of a few grants, and a question about it.
func random(t testing.TB, seed uint64, people []string, expirations int) (w *world, q string, stored []cw721.Expiration) {
	r := rand.New(rand.NewPCG(seed, 18))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	w = newWorld(t)
	w.do("creator offer-minter bob\nbob accept-minter\ncreator offer-creator alice\nalice accept-creator")
	ends := []string{"1010", "t1000075", "1020", "1030"}[:expirations]
	for _, e := range ends {
		stored = append(stored, *expiration(e))
	}
	ends = append(ends, "")
	for range r.IntN(5) {
		switch by, to, e := one(people...), one(people...), one(ends...); r.IntN(6) {
		case 0, 1:
			w.do("alice approve " + to + " rose " + e)
		case 2, 3, 4:
			w.do(by + " approve_all " + to + " " + e)
		default:
			w.do(one("bob offer-minter ", "alice offer-creator ") + to + " " + e)
		}
	}
	if r.IntN(4) == 0 {
		w.do("clock 1010")
	}
	q = one("transfer", "transfer", "transfer", "send", "burn", "approve", "approve", "revoke",
		"update-token", "mint", "update-royalty", "update-trading-time", "offer-minter", "accept-minter", "accept-creator")
	passive := slices.DeleteFunc(slices.Clone(people), func(string) bool { return r.IntN(2) == 0 })
	if r.IntN(3) > 0 && !slices.Contains(passive, "alice") {
		passive = append(passive, "alice")
	}
	if len(passive) == 0 {
		passive = []string{"-"}
	}
	q += " passive " + strings.Join(passive, ",")
	if as := one(append(people, "fresh", "")...); as != "" && !slices.Contains(passive, as) {
		q += " as " + as
	}
	bounds := []string{"1012", "1020", "1022", "1031"}
	after := r.IntN(2 * len(bounds))
	if after < len(bounds) {
		q += " after " + bounds[after]
	} else if r.IntN(3) == 0 {
		q += " until 1022"
	}
	if r.IntN(2) == 0 {
		q += " unmoved"
	}
	return w, q, stored
}

func TestTheSearchAgreesWithOneThatLeavesNothingOut(t *testing.T) {
	small, middle := []string{"alice", "bob"}, []string{"alice", "bob", "carol"}
	three, four := 12, 3
	if os.Getenv("EPHEMERA_LONG") != "" {
		three, four = 2000, 200
	}
	for _, c := range []struct {
		depth, worlds int
		people        []string
		expirations   int
	}{{3, three, middle, 2}, {4, four, small, 1}} {
		for seed := range c.worlds {
			t.Run(fmt.Sprintf("%d-%d", c.depth, seed), func(t *testing.T) {
				t.Parallel()
				w, text, stored := random(t, uint64(seed), c.people, c.expirations)
				text += fmt.Sprintf(" depth %d", c.depth)
				got := w.ask(text)
				want := 0
				w.view(func(v *chain.View) error {
					want = newBrute(v, w.question(text), c.people, stored, false).shortest(c.depth)
					return nil
				})
				switch {
				case want == 0 && got.Verdict == Way, want > 0 && (got.Verdict != Way || len(got.Ways[0]) != want):
					t.Errorf("%s: got %s %q, and the shortest way has %d messages", text, got.Verdict, ways(got), want)
				}
			})
		}
	}
}

// compare orders two blocks on the way of the clock.
func compare(a, b cw721.Block) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Height, b.Height))
}

// Right before its real end a way is found that others than the spender send
// nothing in, and at it none is.
func TestARealEndIsWhereTheLastWayEnds(t *testing.T) {
	middle := []string{"alice", "bob", "carol"}
	checked := 0
	for seed := range uint64(60) {
		w, _, stored := random(t, seed, middle, 3)
		w.view(func(v *chain.View) error {
			rose, _, err := v.Token("rose")
			chaintest.OK(t, err)
			for _, a := range rose.Approvals {
				g := cw721.Grant{Kind: cw721.GrantApproval, Token: "rose", Owner: rose.Owner, Spender: a.Spender, Expires: a.Expires}
				if a.Expires.Expired(v.Clock.Block()) || a.Spender == rose.Owner {
					continue
				}
				end, err := RealExpiry(context.Background(), v, g)
				chaintest.OK(t, err)
				passive := strings.Join(slices.DeleteFunc(slices.Clone(people), func(p string) bool { return address(p) == a.Spender }), ",")
				q := w.question("transfer unmoved passive " + passive)
				for _, e := range stored {
					for before := range uint64(2) {
						to, err := v.Clock.ToExpiry(e, before)
						if e.Expired(v.Clock.Block()) || err != nil {
							continue
						}
						b := to.Block()
						q.After = &b
						answer, err := Ask(context.Background(), v, q)
						chaintest.OK(t, err)
						if checked++; (answer.Verdict == Way) == end.Expired(b) {
							t.Errorf("world %d: %s at %v is answered with %s, and the real end is %v", seed, name(a.Spender), b, answer.Verdict, end)
						}
					}
				}
			}
			return nil
		})
	}
	if checked < 50 {
		t.Errorf("only %d moments were checked", checked)
	}
}
