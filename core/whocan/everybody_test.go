package whocan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

// rightTo returns the rule by which the owner of the token or the holder of a role may do an
// action (spec §5 to §7, §14). The search must find the same rule in the contract's decision.
func rightTo(action string, rules cw721.Rules) cw721.Rule {
	switch action {
	case "own", "transfer", "send", "burn", "approve", "revoke":
		return cw721.RuleOwner
	case "mint", "add-minter", "remove-minter", "update-trading-time", "offer-minter", "accept-minter":
		return cw721.RuleMinter
	case "update-royalty":
		if rules.CanAnyoneChangeRoyalty() {
			return cw721.RuleAnyone
		}
	}
	return cw721.RuleCreator
}

// parts are the roles that accounts can have in a world, such as the spender of an approval.
// "zed" has no role.
var parts = []string{"owner", "creator", "minter", "additional", "further", "operator", "spender", "heir", "successor", "helper", "zed"}

// population is a random world with a question. In one half of the worlds every one of the
// parts is another account, and in the other half one account can have several parts.
type population struct {
	*world
	rules        cw721.Rules
	plays        map[string]string // the account that has a part, by the part
	people       []string          // the accounts whose messages brute force tries
	stored       []cw721.Expiration
	question     string
	depth        int  // the largest number of messages in a way
	onlyRelevant bool // the question is answered without the messages that cannot bear on it
	passive      []cw721.Address
}

// drawnRules are the rule sets of the worlds in turn. Those of v0.22.0, which has the most
// messages, come twice.
var drawnRules = [6]cw721.Rules{
	cw721.RulesStandard, cw721.RulesV019, cw721.RulesV022, cw721.RulesV020, cw721.RulesV021, cw721.RulesV022,
}

// populate draws the world of a seed, with grants, offers and a question.
func populate(t testing.TB, seed uint64) *population {
	r := rand.New(rand.NewPCG(seed, 24))
	p := &population{rules: drawnRules[seed%6], plays: map[string]string{}, depth: 2}
	actions := p.rules.Actions()
	action := actions[r.IntN(len(actions))].Name
	right := rightTo(action, p.rules)
	isOnToken := right == cw721.RuleOwner

	// Brute force takes long for three messages, most of all if they are on a token and the
	// accounts are many.
	p.onlyRelevant = r.IntN(10) > 0
	isDeep := p.onlyRelevant && (r.IntN(4) == 0 && !isOnToken || r.IntN(40) == 0)
	if isDeep {
		p.depth = 3
	}
	sharesParts := r.IntN(2) == 0 || isDeep && isOnToken
	for _, part := range parts {
		p.plays[part] = part
		if sharesParts {
			p.plays[part] = parts[r.IntN(4)]
		}
	}

	p.world = populated(t, p.rules, p.plays["owner"])
	p.giveGrants(r)
	if r.IntN(5) == 0 {
		p.do("clock 1010")
	}
	for _, part := range p.relevantParts(right) {
		if who := p.plays[part]; who != "" && !slices.Contains(p.people, who) {
			p.people = append(p.people, who)
		}
	}
	slices.Sort(p.people)
	p.ask(r, action, right)
	return p
}

// giveGrants draws who gets the roles, and which grants and offers there are. It records
// their expirations.
func (p *population) giveGrants(r *rand.Rand) {
	// do replaces each part, such as <owner>, by the account that has it.
	do := func(lines string) {
		for part, who := range p.plays {
			lines = strings.ReplaceAll(lines, "<"+part+">", who)
		}
		p.do(lines)
	}

	ends := []string{"", "1010"}
	p.stored = []cw721.Expiration{*expiration("1010")}
	if p.depth == 2 && r.IntN(3) == 0 {
		ends = append(ends, "t1000075")
		p.stored = append(p.stored, *expiration("t1000075"))
	}

	do("creator offer-minter <minter>\n<minter> accept-minter\ncreator offer-creator <creator>\n<creator> accept-creator")
	if p.rules.HasAdditionalMinters() {
		p.addMinters(r)
	}
	for _, grant := range []string{
		"<owner> approve <spender> rose ",
		"<owner> approve_all <operator> ",
		"<operator> approve_all <helper> ",
		"<minter> offer-minter <heir> ",
		"<creator> offer-creator <successor> ",
	} {
		if r.IntN(4) > 0 {
			do(grant + ends[r.IntN(len(ends))])
		}
	}

	switch r.IntN(12) {
	case 0:
		do("<minter> renounce-minter")
		p.plays["minter"] = ""
	case 1:
		do("<creator> renounce-creator")
		p.plays["creator"] = ""
	}
}

// relevantParts returns the parts whose messages brute force tries. If the population is
// limited to what is relevant, they are those that can matter for an action which the rule
// right permits.
func (p *population) relevantParts(right cw721.Rule) []string {
	switch {
	case !p.onlyRelevant:
		return parts
	case right == cw721.RuleOwner:
		return []string{"owner", "operator", "spender", "helper", "creator", "zed"}
	}
	return []string{"owner", "creator", "minter", "additional", "further", "heir", "successor", "zed"}
}

// populated returns a world in which an account owns the token rose.
func populated(t testing.TB, rules cw721.Rules, owner string) *world {
	w := worldUnder(t, rules)
	return w.do("alice transfer " + owner + " rose")
}

// addMinters adds two additional minters, none, or as many as the contract allows.
func (p *population) addMinters(r *rand.Rand) {
	var minters []string
	switch r.IntN(5) {
	case 0:
	case 1:
		for i := range 10 {
			minters = append(minters, fmt.Sprint("minter", i))
		}
		p.people = append(p.people, minters[0], minters[9])
	default:
		minters = []string{p.plays["additional"], p.plays["further"]}
	}
	slices.Sort(minters)
	for _, who := range slices.Compact(minters) {
		p.do(p.plays["minter"] + " add-minter " + who)
	}
}

// ask draws a question about an action, which a rule permits. It sets the question and the
// passive accounts.
func (p *population) ask(r *rand.Rand, action string, right cw721.Rule) {
	p.question = action
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	holder := p.plays[string(right)]
	as := ""
	if r.IntN(2) == 0 {
		as = one(append(p.people, "fresh")...)
		p.question += " as " + as
	}
	var passive []string
	switch r.IntN(3) {
	case 0: // as when nothing is said
		if holder == as {
			holder = ""
		}
		passive = []string{holder}
	case 1: // the holder acts, too
		passive = []string{""}
		if holder != "" {
			p.question += " active " + holder
		}
	default: // others besides the holder, or in its place
		passive = slices.DeleteFunc(slices.Clone(p.people), func(who string) bool { return who == as || r.IntN(3) > 0 })
		p.question += " passive " + strings.Join(append(passive, "-"), ",")
		switch {
		case holder == "" || holder == as || slices.Contains(passive, holder):
		case r.IntN(2) == 0:
			passive = append(passive, holder)
		default:
			p.question += " active " + holder
		}
	}
	for _, who := range passive {
		if who != "" {
			p.passive = append(p.passive, address(who))
		}
	}
	switch r.IntN(5) {
	case 0:
		p.question += " after " + one("1010", "1012")
	case 1:
		p.question += " until 1012"
	}
	if right == cw721.RuleOwner && r.IntN(3) == 0 {
		p.question += " unmoved"
	}
	p.question += fmt.Sprint(" depth ", p.depth)
}

// judge compares the answer of the search with that of brute force. plant may put a fault
// into the search before it runs. wrong describes how the answer is wrong; it is empty if
// the answer is right.
func (p *population) judge(plant func(*search)) (wrong string, answer Answer) {
	p.t.Helper()
	p.view(func(v *chain.View) error {
		q := p.world.question(p.question)
		s, err := prepare(context.Background(), v, q)
		if err != nil {
			return err
		}
		plant(s)
		if err := s.run(); err != nil {
			return err
		}
		answer = s.answer
		if missing := leftOut(answer.PassiveAccounts, p.passive); missing != "" {
			wrong = "those who send nothing are not the ones: " + missing
		}
		q.PassiveAccounts = slices.Concat(p.passive, []cw721.Address{}) // by the test's own table
		want := newBruteForce(v, q, p.people, p.stored, p.onlyRelevant).shortest(p.depth)
		switch {
		case want == 0 && answer.Verdict == WayExists:
			wrong = fmt.Sprintf("%q does not work", ways(answer))
		case want > 0 && answer.Verdict == None:
			wrong = fmt.Sprintf("a way of %d is hidden", want)
		case want > 0 && answer.CutReason == "" && answer.Verdict == NoneWithin:
			wrong = fmt.Sprintf("a way of %d is hidden", want)
		case want > 0 && answer.CutReason == "" && len(answer.Ways[0]) != want:
			wrong = fmt.Sprintf("%q is longer than the shortest way of %d", ways(answer), want)
		}
		return nil
	})
	if wrong != "" {
		wrong = fmt.Sprintf("%s, %s: %s: %s", p.rules, p.question, answer.Verdict, wrong)
	}
	return wrong, answer
}

// leftOut lists the accounts that are in only one of two lists.
func leftOut(got, want []cw721.Address) (missing string) {
	for _, both := range [][2][]cw721.Address{{got, want}, {want, got}} {
		for _, who := range both[0] {
			if !slices.Contains(both[1], who) {
				missing += " " + string(who)
			}
		}
	}
	return missing
}

func TestNoWayIsHiddenWhereEverybodyIsSomebodyElse(t *testing.T) {
	verdicts := map[Verdict]int{}
	cut := 0
	for seed := range uint64(kvtest.Many(100)) {
		p := populate(t, seed)
		wrong, answer := p.judge(func(*search) {})
		if wrong != "" {
			t.Errorf("world %d: %s", seed, wrong)
		}
		verdicts[answer.Verdict]++
		if answer.CutReason != "" {
			cut++
		}
		if answer.Verdict == WayExists {
			p.play(answer.Ways[0])
		}
	}
	t.Logf("%v, %d of them cut", verdicts, cut)
	for _, verdict := range []Verdict{WayExists, NoneWithin, None} {
		if verdicts[verdict] < 5 {
			t.Errorf("only %d worlds are answered with %q", verdicts[verdict], verdict)
		}
	}
}

// ownerBeforeHolder is a fault: it leaves out the messages of the holder of a role if the
// question is about a token, as if only the owner of the token could help.
func ownerBeforeHolder(s *search) {
	role, isRole := s.roles[s.rules[0]]
	if s.Action.NeedsToken && isRole && role.Owner != nil && *role.Owner != s.Actor {
		s.answer.Actors = slices.DeleteFunc(s.answer.Actors, func(who cw721.Address) bool { return who == *role.Owner })
		s.messages = s.usefulMessages()
	}
}

// onlyMyself is a fault: it leaves out the messages by which an account adds or removes
// another account than itself as additional minter.
func onlyMyself(s *search) {
	s.messages = slices.DeleteFunc(s.messages, func(m sentMessage) bool {
		switch msg := m.msg.(type) {
		case *cw721.AddMinter:
			return m.isAct && msg.Minter != m.Sender
		case *cw721.RemoveMinter:
			return m.isAct && msg.Minter != m.Sender
		}
		return false
	})
}

func TestBruteForceFindsAnActorOrAnArgumentThatIsLeftOut(t *testing.T) {
	for _, c := range []struct {
		about, action string
		plant         func(*search)
	}{
		{"the holder of the role, where a token is named", "update-token", ownerBeforeHolder},
		{"others than oneself as minter to add", "add-minter", onlyMyself},
		{"others than oneself as minter to remove", "remove-minter", onlyMyself},
	} {
		t.Run(c.about, func(t *testing.T) {
			for seed := range uint64(1000) {
				p := populate(t, seed)
				if !strings.HasPrefix(p.question, c.action) {
					continue
				}
				if wrong, _ := p.judge(c.plant); wrong != "" {
					t.Logf("world %d: %s", seed, wrong)
					return
				}
			}
			t.Error("brute force did not find it in 1,000 worlds")
		})
	}
}

// An answer passes for "nobody can" only if brute force finds no way of one message
// more, unless the question gives the depth.
func TestNothingPassesForNobodyWhereOneMessageMoreIsAWay(t *testing.T) {
	careless := 0
	for seed := range uint64(kvtest.Many(50)) {
		p := populate(t, seed)
		p.view(func(v *chain.View) error {
			q := p.world.question(p.question)
			q.Depth = 0
			s, err := prepare(context.Background(), v, q)
			if err != nil {
				return err
			}
			s.Depth = p.depth - 1
			if err := s.run(); err != nil || s.answer.Verdict == WayExists {
				return err
			}
			q.PassiveAccounts = slices.Concat(p.passive, []cw721.Address{})
			if newBruteForce(v, q, p.people, p.stored, p.onlyRelevant).shortest(p.depth) == 0 {
				return nil
			}
			careless++ // a gate that lets everything pass but a way
			if s.answer.UntriedReason(q) == "" {
				t.Errorf("world %d: %s: %q passes", seed, p.question, s.answer.Verdict)
			}
			q.Depth = s.Depth
			if text := s.answer.UntriedReason(q); text != "" {
				t.Errorf("world %d: %s: with the depth given it does not pass: %s", seed, p.question, text)
			}
			return nil
		})
	}
	if careless < 2 {
		t.Errorf("only %d worlds have a way of one message more", careless)
	}
}

func TestWhatStopsTheSearchEarlyNeverPassesForNobody(t *testing.T) {
	w := newWorld(t)
	for i := range MaxActors + 1 {
		w.do(fmt.Sprintf("alice approve spender%d rose", i))
	}
	const text = "approve unmoved depth 2"
	if got := w.ask(text).UntriedReason(w.question(text)); !strings.Contains(got, "more than 12 accounts") {
		t.Errorf("got %q", got)
	}
}

func TestARuleThatTheSearchDoesNotKnowMakesNoneImpossible(t *testing.T) {
	a := newWorld(t).askLeaving("update-token", func(s *search) {
		if err := s.addActorsByRule("notary"); err != nil {
			t.Error(err)
		}
	})
	if a.Verdict != NoneWithin || !strings.Contains(a.CutReason, `"notary"`) {
		t.Errorf("got %s, cut because %q", a.Verdict, a.CutReason)
	}
}
