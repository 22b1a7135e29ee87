package explain_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/whocan"
)

// castParts are the roles that accounts can have in a random world, such as the spender of an
// approval. "zed" has no role.
var castParts = []string{"owner", "minter", "artist", "operator", "spender", "both", "lord", "heir", "successor", "additional", "zed"}

// randomWorld draws the world of a seed: a token, grants and offers that never expire, will
// expire or have expired, and roles. In half of the worlds every part is another account; in
// the others accounts have several parts.
func randomWorld(t testing.TB, seed uint64) (*World, *rand.Rand, []string) {
	r := rand.New(rand.NewPCG(seed, 42))
	rules := cw721.AllRules()[seed%uint64(len(cw721.AllRules()))]
	w := Under(t, kv.NewMemory(), rules, cw721.FlavourBase)
	who := map[string]string{}
	var people []string
	sharesParts := r.IntN(2) == 0
	for _, part := range castParts {
		who[part] = part
		if sharesParts {
			who[part] = castParts[r.IntN(5)]
		}
		Must(w.C.AddAccount(part, "", ""))(t)
		people = append(people, part)
	}

	expires := func() string {
		switch r.IntN(4) {
		case 0:
			return fmt.Sprintf(`{"at_height":%d}`, 102+r.IntN(6)*3)
		case 1:
			return fmt.Sprintf(`{"at_time":"%d"}`, 1010e9+int64(r.IntN(6))*15e9)
		}
		return `{"never":{}}`
	}
	maybe := func(part, format string, args ...any) {
		if r.IntN(3) > 0 {
			w.Do(who[part], format, args...)
		}
	}
	role := func(part, name, from string) {
		w.Do(from, `{"update_%s_ownership":{"transfer_ownership":{"new_owner":"$%s"}}}`, name, who[part])
		w.Do(who[part], `{"update_%s_ownership":"accept_ownership"}`, name)
	}
	w.Mint("rose", who["owner"])
	role("minter", "minter", "creator")
	role("artist", "creator", "creator")
	if r.IntN(8) == 0 { // an id that a question about minting uses
		w.Do(who["minter"], `{"mint":{"token_id":"new","owner":"$zed"}}`)
	}
	for _, spender := range []string{"spender", "both"} {
		maybe("owner", `{"approve":{"spender":"$%s","token_id":"rose","expires":%s}}`, who[spender], expires())
	}
	for _, operator := range []string{"operator", "both"} {
		maybe("owner", `{"approve_all":{"operator":"$%s","expires":%s}}`, who[operator], expires())
	}
	if r.IntN(3) == 0 { // the owner is the operator of somebody else
		w.Do(who["lord"], `{"approve_all":{"operator":"$%s","expires":%s}}`, who["owner"], expires())
	}
	if rules.HasAdditionalMinters() && r.IntN(3) > 0 {
		w.Do(who["minter"], `{"add_minter":{"minter":"$%s"}}`, who["additional"])
		for i := range 9 * r.IntN(2) {
			name := fmt.Sprint("minter", i)
			Must(w.C.AddAccount(name, "", ""))(t)
			w.Do(who["minter"], `{"add_minter":{"minter":"$%s"}}`, name)
		}
	}
	maybe("minter", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$%s","expiry":%s}}}`, who["heir"], expires())
	maybe("artist", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"$%s","expiry":%s}}}`, who["successor"], expires())
	for _, name := range []string{"minter", "creator"} {
		if r.IntN(10) == 0 {
			w.Do(who[map[string]string{"minter": "minter", "creator": "artist"}[name]], `{"update_%s_ownership":"renounce_ownership"}`, name)
		}
	}
	if r.IntN(2) == 0 {
		Must(w.C.Advance(chain.ClockStep{Blocks: uint64(r.IntN(8))}))(t)
	}
	return w, r, people
}

// The suggestions of which only the text is shown.
var handedOver = regexp.MustCompile(`^(\S+) hands over the (minter|creator) role, or renounces it$`)
var offeredAndAccepted = regexp.MustCompile(`^(\S+) offers the (minter|creator) role to (\S+), who accepts it$`)
var givenAway = regexp.MustCompile(`^(\S+) gives the token to a stranger$`)
var otherRefusal = regexp.MustCompile(`; then it is refused for another reason: “(.*)”$`)

// carryOut makes what a suggestion says, in every way that its text leaves open, on the chain
// itself, and fails unless the message then has the opposite outcome.
func carryOut(t *testing.T, w *World, e explain.Explanation, action cw721.Action, who string, people []string) (kind string) {
	t.Helper()
	change := e.Change
	msg := action.Message("rose", Address(who))
	head := w.Head()
	text := change.Text
	wantRefusal := ""
	if match := otherRefusal.FindStringSubmatch(text); match != nil {
		wantRefusal = match[1]
		text = strings.TrimSuffix(text, match[0])
	}

	// reversed holds the chain to what was said, and goes back.
	reversed := func() {
		t.Helper()
		w.View(func(v *chain.View) {
			decision := Must(v.Decide(Address(who), msg))(t)
			_, refusal, err := v.TryMessages([]chain.TimedMessage{{Block: v.Clock.Block(), Sender: Address(who), Message: cw721.Encode(msg)}})
			OK(t, err)
			refused := ""
			if refusal != nil {
				refused = refusal.Text
			}
			isRight := refused == wantRefusal
			if e.Decision.Allowed {
				isRight = refused != ""
			}
			if decision.Allowed == e.Decision.Allowed || !isRight {
				t.Fatalf("%s %s: %q does not reverse %q: it is refused with %q", who, action.Name, change.Text, e.Verdict, refused)
			}
		})
		Must(w.C.Goto(fmt.Sprint(head)))(t)
	}
	role := func(sender, name, message string, args ...any) {
		t.Helper()
		w.Do(sender, `{"update_%s_ownership":%s}`, name, fmt.Sprintf(message, args...))
	}
	const offer = `{"transfer_ownership":{"new_owner":"$%s"}}`

	switch {
	case change.ClockTarget != nil:
		step := chain.ClockStep{Height: new(cw721.Height(change.ClockTarget.Value))}
		if change.ClockTarget.Axis == cw721.AtTime {
			step = chain.ClockStep{Time: new(cw721.Time(change.ClockTarget.Value))}
		}
		Must(w.C.Advance(step))(t)
		reversed()
		return "clock"

	case change.Message != nil:
		OK(t, Must(w.C.Execute(change.Sender, cw721.Encode(change.Message)))(t).Err())
		reversed()
		return "message"

	case givenAway.MatchString(text):
		for _, to := range people {
			isStranger := to != who // who has not given anything to the owner
			if !isStranger || strings.Contains(w.Ask(`{"all_operators":{"owner":"$%s"}}`, to), string(Address(who))) {
				continue
			}
			w.Do(who, `{"transfer_nft":{"recipient":"$%s","token_id":"rose"}}`, to)
			reversed()
		}
		return "given away"

	case handedOver.MatchString(text):
		name := handedOver.FindStringSubmatch(text)[2]
		for _, to := range people {
			if to != who {
				role(who, name, offer, to)
				role(to, name, `"accept_ownership"`)
				reversed()
			}
		}
		role(who, name, `"renounce_ownership"`)
		reversed()
		return "handed over"

	case offeredAndAccepted.MatchString(text):
		match := offeredAndAccepted.FindStringSubmatch(text)
		role(match[1], match[2], offer, who)
		role(who, match[2], `"accept_ownership"`)
		reversed()
		return "offered and accepted"

	case text == "the role is offered to someone else":
		name := strings.TrimPrefix(action.Name, "accept-")
		w.View(func(v *chain.View) {
			minter, creator, err := v.Roles()
			OK(t, err)
			holder := *map[string]cw721.Ownership{"minter": minter, "creator": creator}[name].Owner
			role(v.DisplayName(holder), name, offer, map[bool]string{true: "owner", false: "zed"}[who == "zed"])
		})
		reversed()
		return "offered to another"

	case strings.HasPrefix(text, "both grants must go: "):
		owner := ""
		w.View(func(v *chain.View) { owner = v.DisplayName(*e.Decision.Owner) })
		w.Do(owner, `{"transfer_nft":{"recipient":"$%s","token_id":"rose"}}`, map[bool]string{true: "lord", false: "zed"}[who == "zed"])
		reversed()
		for both := range 2 { // one alone is not enough, and no shorter suggestion was missed
			w.Do(owner, `{"revoke":{"spender":"$%s","token_id":"rose"}}`, who)
			if both == 1 {
				w.Do(owner, `{"revoke_all":{"operator":"$%s"}}`, who)
				reversed()
				return "both grants"
			}
			w.View(func(v *chain.View) { Same(t, "one grant alone", true, Must(v.Decide(Address(who), msg))(t).Allowed) })
			Must(w.C.Goto(fmt.Sprint(head)))(t)
		}

	case text == "nothing can: anyone may":
		for _, other := range append(people, "stranger") {
			w.View(func(v *chain.View) { Same(t, other+" may", true, Must(v.Decide(Address(other), msg))(t).Allowed) })
		}
		return "anyone may"

	case strings.HasPrefix(text, "nothing can: the "):
		if e.Decision.Allowed { // only the minter could remove an additional minter
			minter, _, err := chainRoles(w)
			OK(t, err)
			Same(t, "the minter", (*cw721.Address)(nil), minter.Owner)
			return "nothing, for ever"
		}
		w.View(func(v *chain.View) {
			question := whocan.Question{Action: action, Token: "rose", Actor: Address(who), PassiveAccounts: []cw721.Address{}}
			if action.Name == "mint" {
				question.Token = ""
			}
			answer := Must(whocan.Ask(context.Background(), v, question))(t)
			if answer.Verdict == whocan.WayExists {
				t.Fatalf("%s %s: %q, but there is a way", who, action.Name, text)
			}
		})
		return "nothing can"

	case text == "":
		return "nothing"
	}
	t.Fatalf("%s %s: this test does not know %q", who, action.Name, change.Text)
	return ""
}

func chainRoles(w *World) (minter, creator cw721.Ownership, err error) {
	w.View(func(v *chain.View) { minter, creator, err = v.Roles() })
	return minter, creator, err
}

// Whatever an explanation suggests does what it says, for every action and rule set.
func TestEverySuggestionIsCarriedOutAndDoesWhatItSays(t *testing.T) {
	worlds := 16 * kvtest.Times() // in fewer, not every kind of suggestion occurs
	counts := map[string]int{}
	for seed := range uint64(worlds) {
		w, r, people := randomWorld(t, seed)
		var rules cw721.Rules
		before := w.Everything()
		w.View(func(v *chain.View) {
			rules = v.Rules
			for _, action := range rules.Actions() {
				Must(explain.Why(v, Address(people[0]), action, "rose"))(t)
			}
		})
		Same(t, "what is stored after why", before, w.Everything())
		for _, action := range rules.Actions() {
			for _, i := range r.Perm(len(people))[:5] {
				who := people[i]
				var e explain.Explanation
				w.View(func(v *chain.View) { e = Must(explain.Why(v, Address(who), action, "rose"))(t) })
				for _, rule := range e.Rules {
					if rule.Text == "" {
						t.Fatalf("%s: no words for %+v", action.Name, rule.Check)
					}
				}
				counts[carryOut(t, w, e, action, who, people)]++
			}
		}
	}
	t.Logf("suggestions in %d worlds: %v", worlds, counts)
	for _, kind := range []string{"clock", "message", "given away", "handed over", "offered and accepted", "offered to another", "both grants", "anyone may", "nothing can"} {
		if counts[kind] == 0 {
			t.Errorf("no suggestion was of the kind %q", kind)
		}
	}
	if total := counts["nothing"] * 20; total > counts["message"] {
		t.Errorf("too often nothing is known: %d times", counts["nothing"])
	}
}

// frozen is a contract with a rule that package explain does not know: a token cannot be moved.
type frozen struct{ cw721.Contract }

var errFrozen = &cw721.Error{Kind: cw721.KindContract, Text: "the token is frozen"}

func (c frozen) RunExecute(txn kv.Txn, env cw721.Env, info cw721.Info, msg cw721.ExecuteMsg) (cw721.Response, error) {
	if _, isTransfer := msg.(*cw721.TransferNft); isTransfer {
		return cw721.Response{}, errFrozen
	}
	return c.Contract.RunExecute(txn, env, info, msg)
}

func (c frozen) RunInstantiate(txn kv.Txn, env cw721.Env, info cw721.Info, msg *cw721.InstantiateMsg) (cw721.Response, error) {
	return c.Contract.RunInstantiate(txn, env, info, msg)
}

// A contract that refuses what a suggestion would permit is not overlooked: the message is
// sent, by what executes it.
func TestASuggestionThatTheContractDoesNotFollowIsNotPromised(t *testing.T) {
	options := chain.Options{Mutate: func(c cw721.Contract) chain.Code { return frozen{c} }}
	c := Must(chain.OpenWith(kv.NewMemory(), options))(t)
	w := &World{T: t, C: c}
	Must(c.Create(Genesis(), Address("creator"), []byte(Founding)))(t)
	w.Mint("ape", "alice")
	w.Do("alice", `{"approve":{"spender":"$bob","token_id":"ape"}}`)

	checkExplanation(t, explainAction(w, "carol", "transfer", "ape"),
		"alice approves carol for this token; then it is refused for another reason: “the token is frozen”")
	Same(t, "what ends a permission by an approval", "alice revokes the approval for bob",
		explainAction(w, "bob", "burn", "ape").Change.Text)
	Same(t, "what ends the permission of the owner, who cannot transfer", "",
		explainAction(w, "alice", "burn", "ape").Change.Text)
}
