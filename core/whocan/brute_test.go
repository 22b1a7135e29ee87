package whocan

import (
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

// bruteForce searches for a way like [search], but leaves nothing out. It tries every message
// of every account and of two fresh addresses, with every expiration, in every block in which
// a grant expires and right before it.
type bruteForce struct {
	q            Question
	contract     cw721.Contract
	self         cw721.Address
	base         kv.Reader     // the records of the view
	moments      []cw721.Block // the blocks in which messages are tried, in order
	messages     []sentMessage
	acts         []sentMessage // the messages that do what the question asks about
	onlyRelevant bool          // leaves out messages that have nothing to do with the question
	// states has the changes of the records that lead from the view to each state. The keys
	// are the encoded changes.
	states map[string][]kv.Change

	// lastState is the state with the key lastKey, which is kept because it is mostly needed
	// again.
	lastState *kv.Overlay
	lastKey   string
}

// newBruteForce prepares the search for an answer to q. stored are the expirations of the
// grants in the world.
func newBruteForce(v *chain.View, q Question, people []string, stored []cw721.Expiration, onlyRelevant bool) *bruteForce {
	b := &bruteForce{
		q:            q,
		onlyRelevant: onlyRelevant,
		contract:     v.Contract(),
		self:         v.Self,
		base:         newCachedView(v),
		states:       map[string][]kv.Change{"": nil},
	}
	b.moments = []cw721.Block{v.Clock.Block()}
	for _, bound := range []*cw721.Block{q.After, q.Until} {
		if bound != nil {
			b.moments = append(b.moments, *bound)
		}
	}
	for _, e := range stored {
		if e.HasExpired(v.Clock.Block()) {
			continue
		}
		for unitsBefore := range uint64(2) {
			clock, err := v.Clock.ToExpiry(e, unitsBefore)
			if err != nil {
				panic(err)
			}
			b.moments = append(b.moments, clock.Block())
		}
	}
	slices.SortFunc(b.moments, compareBlocks)
	b.moments = slices.Compact(b.moments)
	b.listMessages(people)
	return b
}

// listMessages lists the messages that are tried at each moment, and the acts with each
// account that they can name.
func (b *bruteForce) listMessages(people []string) {
	ends := []*cw721.Expiration{nil}
	for i, m := range b.moments[1:] {
		e := cw721.UntilHeight(m.Height)
		if i%2 == 0 {
			e = cw721.UntilTime(m.Time)
		}
		ends = append(ends, &e)
	}
	var accounts []cw721.Address
	for _, name := range append(slices.Clone(people), "fresh", "fresher") {
		accounts = append(accounts, address(name))
	}

	for _, sender := range accounts {
		isLeftOut := len(b.q.OnlySenders) > 0 && !slices.Contains(b.q.OnlySenders, sender)
		if isLeftOut || slices.Contains(b.q.PassiveAccounts, sender) {
			continue
		}
		info := cw721.Info{Sender: sender}
		for _, msg := range b.messagesOf(sender, accounts, ends) {
			b.messages = append(b.messages, sentMessage{Info: info, msg: msg})
		}

		if b.q.Action.Name == cw721.OwnAction.Name {
			b.listGifts(sender, accounts)
			continue
		}
		if b.q.Actor != "" && b.q.Actor != sender {
			continue
		}
		named := []cw721.Address{sender, address("fresh")}
		if strings.HasSuffix(b.q.Action.Name, "-minter") {
			named = accounts
		}
		for _, who := range named {
			b.acts = append(b.acts, sentMessage{Info: info, msg: b.q.act(who, address("the market"))})
		}
	}
}

// messagesOf lists the messages of a sender. Those that have nothing to do with the question
// have no expiration, or are left out.
func (b *bruteForce) messagesOf(sender cw721.Address, accounts []cw721.Address, ends []*cw721.Expiration) []cw721.ExecuteMsg {
	noEnd := ends[:1]
	isOnToken := rightTo(b.q.Action.Name, b.contract.Rules) == cw721.RuleOwner
	switch {
	case b.onlyRelevant && isOnToken:
		return b.onToken(accounts, ends)
	case b.onlyRelevant:
		return b.onRoles(accounts, ends[:min(2, len(ends))])
	case isOnToken:
		return slices.Concat(b.onToken(accounts, ends), b.onRoles(accounts, noEnd), b.onNeither(sender))
	}
	return slices.Concat(b.onRoles(accounts, ends), b.onToken(accounts, noEnd), b.onNeither(sender))
}

// onToken lists the messages that give away the token, or give or revoke a permission over
// it.
func (b *bruteForce) onToken(all []cw721.Address, ends []*cw721.Expiration) (messages []cw721.ExecuteMsg) {
	const rose = "rose"
	for _, x := range all {
		if !b.q.TokenMustStay {
			messages = append(messages, &cw721.TransferNft{Recipient: x, TokenID: rose})
		}
		messages = append(messages, &cw721.Revoke{Spender: x, TokenID: rose}, &cw721.RevokeAll{Operator: x})
		for _, e := range ends {
			messages = append(messages, &cw721.Approve{Spender: x, TokenID: rose, Expires: e}, &cw721.ApproveAll{Operator: x, Expires: e})
		}
	}
	if b.q.TokenMustStay {
		return messages
	}
	return append(messages, &cw721.SendNft{Contract: address("the market"), TokenID: rose}, &cw721.Burn{TokenID: rose})
}

// onRoles lists the messages that offer, accept or renounce a role, and those about
// additional minters.
func (b *bruteForce) onRoles(all []cw721.Address, ends []*cw721.Expiration) (messages []cw721.ExecuteMsg) {
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

// onNeither lists messages that have to do neither with permissions over the token nor with
// roles.
func (b *bruteForce) onNeither(sender cw721.Address) []cw721.ExecuteMsg {
	text := "changed"
	return []cw721.ExecuteMsg{
		&cw721.UpdateNftInfo{TokenID: "rose", TokenURI: &text},
		&cw721.SetWithdrawAddress{Address: sender},
		&cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Name: &text}},
		&cw721.Mint{TokenID: "lily", Owner: sender},
	}
}

// timedState is a state, by its key in bruteForce.states, at a moment, by its index.
type timedState struct {
	state  string
	moment int
}

// shortest returns how many messages the shortest way to an act has. It returns 0 if there is
// no way of at most depth messages.
func (b *bruteForce) shortest(depth int) int {
	visited := map[timedState]bool{}
	level := []timedState{{"", 0}} // the states that n-1 messages lead to
	for n := 1; n <= depth; n++ {
		if b.comesToOwn(level) {
			return n - 1
		}
		var next []timedState
		for ; len(level) > 0; level = level[1:] {
			current := level[0]
			if visited[current] {
				continue
			}
			visited[current] = true
			if current.moment+1 < len(b.moments) {
				level = append(level, timedState{current.state, current.moment + 1})
			}

			if b.isInTime(b.moments[current.moment]) {
				for _, act := range b.acts {
					if _, isExecuted := b.send(current, act); isExecuted {
						return n
					}
				}
			}
			if n == depth && b.q.Action.Name != cw721.OwnAction.Name {
				continue
			}
			for _, message := range b.messages {
				state, isExecuted := b.send(current, message)
				reached := timedState{state, current.moment}
				if isExecuted && !visited[reached] {
					next = append(next, reached)
				}
			}
		}
		level = next
	}
	if b.comesToOwn(level) {
		return depth
	}
	return 0
}

// listGifts lists the messages by which a sender gives the token to the account that a
// question about owning names, or to any other than its owner.
func (b *bruteForce) listGifts(sender cw721.Address, accounts []cw721.Address) {
	owner := b.ownerIn("")
	for _, recipient := range accounts {
		isGift := recipient == b.q.Actor || b.q.Actor == "" && recipient != owner
		if isGift {
			gift := &cw721.TransferNft{Recipient: recipient, TokenID: "rose"}
			b.acts = append(b.acts, sentMessage{Info: cw721.Info{Sender: sender}, msg: gift})
		}
	}
}

// comesToOwn reports whether in one of the states, as time passes, the account that a
// question about owning names owns the token in a block that counts.
func (b *bruteForce) comesToOwn(states []timedState) bool {
	if b.q.Action.Name != cw721.OwnAction.Name {
		return false
	}
	for _, state := range states {
		owner := b.ownerIn(state.state)
		isOwned := owner == b.q.Actor || b.q.Actor == "" && owner != "" && owner != b.ownerIn("")
		if isOwned && slices.ContainsFunc(b.moments[state.moment:], b.isInTime) {
			return true
		}
	}
	return false
}

// ownerIn returns the owner of the token in the state with a key.
func (b *bruteForce) ownerIn(state string) cw721.Address {
	records := kv.NewOverlay(b.base)
	if err := kv.Apply(records, b.states[state]); err != nil {
		panic(err)
	}
	token, _, err := cw721.LoadToken(records, "rose")
	if err != nil {
		panic(err)
	}
	return token.Owner
}

// isInTime reports whether an act counts in a block: it is neither before After nor at Until
// or later.
func (b *bruteForce) isInTime(block cw721.Block) bool {
	isTooEarly := b.q.After != nil && compareBlocks(block, *b.q.After) < 0
	isTooLate := b.q.Until != nil && compareBlocks(block, *b.q.Until) >= 0
	return !isTooEarly && !isTooLate
}

// send runs a message on a state. It returns the key of the state that results. isExecuted is
// false if the contract refuses the message.
func (b *bruteForce) send(from timedState, m sentMessage) (state string, isExecuted bool) {
	if b.lastState == nil || b.lastKey != from.state {
		b.lastState = kv.NewOverlay(b.base)
		b.lastKey = from.state
		if err := kv.Apply(b.lastState, b.states[from.state]); err != nil {
			panic(err)
		}
	}

	result := b.lastState.Copy()
	env := cw721.Env{Block: b.moments[from.moment], Self: b.self}
	if _, err := b.contract.RunExecute(result, env, m.Info, m.msg); err != nil {
		if cw721.AsError(err) == nil {
			panic(err)
		}
		return "", false
	}

	changes, err := result.Changes()
	if err != nil {
		panic(err)
	}
	var key []byte
	for _, c := range changes {
		key = kv.AppendPart(key, c.Key)
		key = kv.AppendPart(key, c.NewValue)
		if c.NewValue == nil {
			key = append(key, '-') // a deleted record is not an empty one
		}
	}
	if _, isKnown := b.states[string(key)]; !isKnown {
		b.states[string(key)] = changes
	}
	return string(key), true
}

// compareBlocks orders two blocks by their times, and equal times by their heights.
func compareBlocks(a, b cw721.Block) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Height, b.Height))
}

// Before the real end of a grant, the search finds a way in which only its spender sends
// messages. From the real end on, it finds none.
func TestTheRealEndOfAGrantIsWhereTheLastWayEnds(t *testing.T) {
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
	if g.Expires.HasExpired(v.Clock.Block()) || g.Spender == g.Owner {
		return 0
	}
	end := chaintest.Must(RealExpiry(context.Background(), v, g))(p.t)
	others := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return address(part) == g.Spender })
	q := p.world.question("transfer unmoved passive " + strings.Join(others, ","))
	for _, e := range p.stored {
		for unitsBefore := range uint64(2) {
			moment, err := v.Clock.ToExpiry(e, unitsBefore)
			if e.HasExpired(v.Clock.Block()) || err != nil {
				continue
			}
			checked++
			q.After = new(moment.Block())
			answer := chaintest.Must(Ask(context.Background(), v, q))(p.t)
			hasWay := answer.Verdict == WayExists
			hasEnded := end.HasExpired(*q.After)
			if hasWay == hasEnded {
				p.t.Errorf("%v at %v is answered with %s, and the real end is %v", g, *q.After, answer.Verdict, end)
			}
		}
	}
	return checked
}
