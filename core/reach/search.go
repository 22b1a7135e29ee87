package reach

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// search holds the question, the prepared messages and the progress of one search.
type search struct {
	Question
	ctx      context.Context
	view     *chain.View
	compiled bool          // whether the chain runs a compiled contract
	receiver cw721.Address // the contract to which tokens are sent; the search assumes that it accepts them
	// rules are those that can permit the act. The rule for the offer of a role is replaced by
	// the rule for the role.
	rules       []cw721.Rule
	roles       map[cw721.Rule]cw721.Ownership
	minters     []cw721.Address // the additional minters
	moments     []cw721.Block   // the blocks in which messages are tried, in order
	firstMoment int             // index of the first moment that is not before After
	messages    []sentMessage   // the first one is an act

	cachedView   *cachedView
	visited      map[digest]int // for each visited state, the index of the earliest moment in which it was reached
	maxVisited   int            // how many states the search may visit
	reportedWays [][]*node      // the ways in the answer, and those that the compiled contract refused
	answer       Answer
}

// maxStates is how many states a search may visit, so that the process stays below 200 MB of
// memory, including garbage.
const maxStates = 38_000

// Ask searches for ways to do what a question is about.
//
// Ask fails with a [*QuestionError] if the question makes no sense in the view, with a
// [*cw721.Error] if the contract cannot decide, as about a missing token, and with the
// error of the context if that is cancelled. It does not fail if the deadline of the
// context passes or the states take too much memory, which [Answer.Cut] reports. Ask
// names [Answer.Anyone] in the view.
func Ask(ctx context.Context, v *chain.View, q Question) (Answer, error) {
	s, err := prepare(ctx, v, q)
	if err != nil {
		return Answer{}, err
	}
	err = s.run()
	return s.answer, err
}

// prepare finds who may send which messages at which moments. It fails like [Ask].
func prepare(ctx context.Context, v *chain.View, q Question) (*search, error) {
	q.Depth = cmp.Or(max(q.Depth, 0), DefaultDepth)
	q.Ways = max(q.Ways, 1)
	if q.Code == nil {
		q.Code = v.Contract()
	}
	if err := q.chooseMintedToken(v); err != nil {
		return nil, err
	}
	module, compiled, err := v.Module()
	if err != nil {
		return nil, err
	}

	// No account has these addresses, because the name of an account has no space.
	anyone, err := chain.AddressFor(v.Prefix, "who can: anyone", cw721.AccountBytes)
	if err != nil {
		return nil, err
	}
	receiver, err := chain.AddressFor(v.Prefix, "who can: a contract", cw721.ContractBytes)
	if err != nil {
		return nil, err
	}
	act := q.act(anyone, receiver)
	stranger, err := v.Decide(anyone, act)
	if err != nil {
		return nil, err
	}
	v.NameAccount(anyone, AnyoneName)

	s := &search{
		Question:   q,
		ctx:        ctx,
		view:       v,
		compiled:   compiled,
		receiver:   receiver,
		moments:    []cw721.Block{stranger.Block},
		cachedView: newCachedView(v),
		maxVisited: maxStates,
	}
	if err := s.readRules(stranger, act); err != nil {
		return nil, err
	}
	if err := s.chooseActors(stranger); err != nil {
		return nil, err
	}
	s.answer.Anyone = anyone
	if s.Only == nil {
		s.answer.Actors = append(s.answer.Actors, anyone)
	}
	s.answer.Passive = s.Passive
	if _, isRelease := module.Release(); compiled && !isRelease {
		s.answer.Unproven = module.File + " is no known release of cw721, so its rules may differ from those of the search; the answer holds only for the messages that were tried on it"
	}
	s.answer.Assumptions = s.assumptions()
	s.messages = s.usefulMessages()
	if len(s.messages) == 0 {
		return nil, ErrNoSender
	}
	return s, s.orderMoments()
}

// run searches depth by depth and completes the answer: after depth 1 it has found the ways
// of one message, after depth 2 those of two. It stops when it has found enough ways, when no
// new state is left, or at a limit. It fails if the context is cancelled or the store fails.
func (s *search) run() error {
	// Follow the rules first. If they find no way, a compiled contract can still have
	// others.
	isComplete, err := s.searchDepths()
	if err == nil && s.compiled && len(s.answer.Ways) == 0 {
		err = s.tryActs()
	}

	// Some errors only mean that the search is not complete.
	switch {
	case errors.Is(err, errFull), errors.Is(err, errOtherRules):
		s.answer.Cut = err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		s.answer.Cut = "the search ran out of time"
	case err != nil:
		return err
	}

	switch {
	case len(s.answer.Ways) > 0:
		s.answer.Verdict = Way

	// "None" is said only if every state was visited and nothing was left out.
	case isComplete && s.answer.Cut == "":
		s.answer.Verdict = None
	default:
		s.answer.Verdict = NoneWithin
	}
	return nil
}

// searchDepths searches until it has found enough ways or reached the depth of the question.
// isComplete is true if it tried all messages on all states that can be reached.
func (s *search) searchDepths() (isComplete bool, err error) {
	s.visited = map[digest]int{sha256.Sum256(nil): 0} // the beginning has no changes
	states := []*node{{state: kv.NewOverlay(s.cachedView)}}
	for len(states) > 0 && len(s.answer.Ways) < s.Ways && s.answer.Depth < s.Depth {
		states, err = s.searchDepth(states)
		if err != nil {
			break
		}
		s.answer.Depth++
	}
	s.answer.States = len(s.visited)
	return len(states) == 0, err
}

// maxSenders is the largest number of accounts from which acts, the messages that a question
// asks about, are tried on a compiled contract.
const maxSenders = 100

// tryActs sends each act, a message that does what the question asks about, to the compiled
// contract: from each account that is not passive and has a name or a role, in each block in
// which the act may be sent. An act that the contract executes is a way that the rules do not
// know, and ends the attempts.
func (s *search) tryActs() error {
	senders, err := s.namedSenders()
	if err != nil {
		return err
	}
	for _, moment := range s.moments[s.firstMoment:] {
		for _, sender := range senders {
			for _, act := range s.acts(sender) {
				accepted, err := s.tryAct(moment, sender, act)
				if err != nil || accepted {
					return err
				}
			}
		}
	}
	return nil
}

// namedSenders lists the accounts from which acts are tried on a compiled contract: the one
// that the question is about, or else the actors of the search, the holders of roles and the
// named accounts. Passive accounts are left out. There are at most [maxSenders].
func (s *search) namedSenders() ([]cw721.Address, error) {
	if s.As != "" && !s.isAboutOwning() {
		return []cw721.Address{s.As}, nil
	}
	accounts, err := s.view.Accounts()
	if err != nil {
		return nil, err
	}

	// Collect everyone who has a role or a name.
	senders := slices.Clone(s.answer.Actors)
	for _, role := range s.roles {
		for _, holder := range []*cw721.Address{role.Owner, role.PendingOwner} {
			if holder != nil {
				senders = append(senders, *holder)
			}
		}
	}
	senders = append(senders, s.minters...)
	for _, account := range accounts {
		senders = append(senders, account.Address)
	}

	// Passive accounts send nothing, and each account is tried once.
	senders = slices.DeleteFunc(senders, s.isPassive)
	slices.Sort(senders)
	senders = slices.Compact(senders)
	return senders[:min(len(senders), maxSenders)], nil
}

// tryAct sends an act to the compiled contract in a block, and adds it to the ways if the
// contract executes it. It fails with the error of the search's context.
func (s *search) tryAct(block cw721.Block, sender cw721.Address, act cw721.ExecuteMsg) (accepted bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	s.answer.Tried++
	message := chain.TimedMessage{Block: block, Sender: sender, Message: cw721.Encode(act)}
	_, refusal, err := s.view.TryMessages([]chain.TimedMessage{message})
	if err != nil || refusal != nil {
		return false, err
	}

	// The decision shows by which rule it was permitted.
	decision, err := s.view.InBlock(block).Decide(sender, act)
	if err != nil {
		return false, err
	}
	s.answer.Ways = [][]Step{{{Block: block, As: sender, Message: act, Decision: decision}}}
	return true, nil
}

// These errors end a search before its depth. Their texts are [Answer.Cut].
var (
	errFull       = errors.New("the search ran out of memory")
	errOtherRules = fmt.Errorf("the compiled contract refuses %d of the ways, so it has other rules", MaxRefused)
)

// searchDepth tries all messages on all states of one depth. It returns the states of
// the next depth that are new, or were reached earlier than before, and adds the ways
// that it finds to the answer. It returns early if there are enough of them.
func (s *search) searchDepth(states []*node) (next []*node, err error) {
	for _, n := range states {
		newStates, err := s.expand(n)
		if err != nil {
			return nil, err
		}
		next = append(next, newStates...)
		if len(s.answer.Ways) >= s.Ways {
			return next, nil
		}
		if len(s.visited) > s.maxVisited {
			return nil, errFull
		}
	}
	return next, nil
}

// addWay adds a way, the messages that lead to an act, to the answer. It ignores the way if
// there are enough ways, or if the way contains all messages of a shorter one. If a compiled
// contract runs and refuses one of the messages, the way up to that message is added to the
// refused ways. addWay fails with [errOtherRules] after [MaxRefused] of them.
func (s *search) addWay(way []*node) error {
	containsShorter := func(shorter []*node) bool { return isSubsequence(shorter, way) }
	if len(s.answer.Ways) == s.Ways || slices.ContainsFunc(s.reportedWays, containsShorter) {
		return nil
	}

	// Replay the messages, to find by which rule each is permitted.
	steps, messages, err := s.replay(way)
	if err != nil {
		return err
	}

	// A compiled contract must execute all of them, or else it has other rules.
	if s.compiled {
		executed, refusal, err := s.view.TryMessages(messages)
		if err != nil {
			return err
		}
		if refusal != nil {
			steps[executed].Refusal = refusal
			s.reportedWays = append(s.reportedWays, way[:executed+1])
			s.answer.Refused = append(s.answer.Refused, steps[:executed+1])
			if len(s.answer.Refused) == MaxRefused {
				return errOtherRules
			}
			return nil
		}
	}
	s.reportedWays = append(s.reportedWays, way)
	s.answer.Ways = append(s.answer.Ways, steps)
	return nil
}

// replay runs the messages of a way again. It returns them twice: as steps, with the
// contract's decision about each, and in the form that [chain.View.TryMessages] takes.
func (s *search) replay(way []*node) (steps []Step, messages []chain.TimedMessage, err error) {
	state := kv.NewOverlay(s.cachedView)
	for _, n := range way {
		env := s.env(n.moment)
		decision, err := s.Code.Decide(state, env, n.Info, n.msg)
		if err != nil {
			return nil, nil, err
		}
		if _, err := s.Code.RunExecute(state, env, n.Info, n.msg); err != nil {
			return nil, nil, err
		}
		steps = append(steps, Step{Block: env.Block, As: n.Sender, Message: n.msg, Decision: decision})
		messages = append(messages, chain.TimedMessage{Block: env.Block, Sender: n.Sender, Message: cw721.Encode(n.msg)})
	}
	return steps, messages, nil
}

// isSubsequence reports whether a way contains all messages of a shorter one in the
// same order.
func isSubsequence(shorter, way []*node) bool {
	for _, n := range way {
		if len(shorter) == 0 {
			return true
		}
		if n.Info == shorter[0].Info && reflect.DeepEqual(n.msg, shorter[0].msg) {
			shorter = shorter[1:]
		}
	}
	return len(shorter) == 0
}

// assumptions returns a sentence for each condition that the answer depends on.
func (s *search) assumptions() []string {
	assumptions := []string{
		fmt.Sprintf("from now on a block takes %d s, and height and time go up together", s.view.Clock.SecondsPerBlock),
	}

	// Say who sends messages.
	senders := "everyone"
	if s.Only != nil {
		assumptions = append(assumptions, "only these accounts send messages: "+s.namesOf(s.Only))
		senders = "each of them"
	}
	if len(s.Passive) > 0 {
		assumptions = append(assumptions, "these accounts send nothing: "+s.namesOf(s.Passive))
		if s.Only == nil {
			senders = "everyone else"
		}
	}
	assumptions = append(assumptions, senders+" sends any message that helps, contracts too")
	if s.Unmoved {
		assumptions = append(assumptions, "until then the token is neither transferred nor burned")
	}
	if slices.Contains(s.rules, cw721.RuleOwner) {
		assumptions = append(assumptions, "nothing is minted")
	}
	if s.compiled {
		assumptions = append(assumptions, fmt.Sprintf("the compiled contract has the rules of %s; each way was played through it", s.view.Rules))
	}
	if s.Action.Name == "send" {
		assumptions = append(assumptions, "the contract that the token is sent to accepts it")
	}
	return assumptions
}

// namesOf lists the names of accounts, or their addresses where they have none.
func (s *search) namesOf(accounts []cw721.Address) string {
	names := make([]string, len(accounts))
	for i, account := range accounts {
		names[i] = s.view.DisplayName(account)
	}
	return strings.Join(names, ", ")
}
