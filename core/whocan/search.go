package whocan

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

// search is a question, the messages that are tried for it, and the progress.
type search struct {
	Question
	ctx              context.Context
	view             *chain.View
	isCompiled       bool                           // the chain runs a compiled contract, which tries each way, too
	receiver         cw721.Address                  // the contract to which tokens are sent
	rules            []cw721.Rule                   // that can permit the act; see readRules
	holder           *cw721.Address                 // the token's owner or the role's holder; nil for none
	roles            map[cw721.Rule]cw721.Ownership // by the rule for the role
	minters          []cw721.Address                // the additional minters
	moments          []cw721.Block                  // the earliest first
	firstMomentIndex int                            // the first moment in which the act may be sent
	messages         []sentMessage                  // that are tried; the first one is an act

	cachedView       *cachedView    // the contract's records from which the search starts
	earliestMoments  map[digest]int // the index of the earliest moment, for each visited state
	maxVisitedStates int            // how many states the search may visit
	reportedWays     [][]*node      // those in the answer, and those that were refused
	answer           Answer
}

// maxStates is how many states of the contract's records a search may visit. With so many
// the process stays below 200 MB of memory, including garbage.
const maxStates = 38_000

// Ask searches for ways to do what a question is about. It fails with a [*QuestionError] if
// the question makes no sense in the view, with a [*cw721.Error] if the contract cannot
// decide, for example because the token does not exist, and with the error of the context if
// that is cancelled.
//
// If the deadline of the context passes, or the search needs too much memory,
// [Answer.CutReason] says that the answer is incomplete. Ask gives the account [Answer.Anyone]
// a name in the view.
func Ask(ctx context.Context, view *chain.View, question Question) (Answer, error) {
	s, err := prepare(ctx, view, question)
	if err != nil {
		return Answer{}, err
	}
	err = s.run()
	return s.answer, err
}

// prepare fills in the defaults of the question, and chooses the actors, the messages and the
// moments. It fails like [Ask].
func prepare(ctx context.Context, view *chain.View, question Question) (*search, error) {
	question.Depth = cmp.Or(max(question.Depth, 0), DefaultDepth)
	question.MaxWays = max(question.MaxWays, 1)
	if question.Code == nil {
		question.Code = view.Contract()
	}
	if err := question.chooseMintedToken(view); err != nil {
		return nil, err
	}
	module, isCompiled, err := view.Module()
	if err != nil {
		return nil, err
	}

	// Two made-up accounts take part: anyone, and a contract that receives tokens. No real
	// account has their addresses, because no name has spaces.
	anyone, err := chain.AddressFor(view.Prefix, "who can: anyone", cw721.AccountBytes)
	if err != nil {
		return nil, err
	}
	receiver, err := chain.AddressFor(view.Prefix, "who can: a contract", cw721.ContractBytes)
	if err != nil {
		return nil, err
	}

	// The decision about a stranger shows which rules the contract tries for the act.
	act := question.act(anyone, receiver)
	decision, err := view.Decide(anyone, act)
	if err != nil {
		return nil, err
	}
	view.NameAccount(anyone, AnyoneName)

	s := &search{
		Question:         question,
		ctx:              ctx,
		view:             view,
		isCompiled:       isCompiled,
		receiver:         receiver,
		moments:          []cw721.Block{decision.Block},
		cachedView:       newCachedView(view),
		maxVisitedStates: maxStates,
	}
	if err := s.readRules(decision, act); err != nil {
		return nil, err
	}
	if err := s.chooseActors(decision); err != nil {
		return nil, err
	}
	s.answer.Anyone = anyone
	if s.OnlySenders == nil {
		s.answer.Actors = append(s.answer.Actors, anyone)
	}
	s.answer.PassiveAccounts = s.PassiveAccounts

	if _, isRelease := module.Release(); isCompiled && !isRelease {
		s.answer.UnprovenReason = module.File +
			" is no known release of cw721, so its rules may differ from those of the search; the answer holds only for the messages that were tried on it"
	}
	s.answer.Assumptions = s.assumptions()

	s.messages = s.usefulMessages()
	if len(s.messages) == 0 {
		return nil, ErrNoSender
	}
	return s, s.orderMoments()
}

// run carries out the search and completes the answer. It fails if the context is cancelled or the
// store fails.
func (s *search) run() error {
	// Search by the built-in rules first. If they allow no way, a compiled contract with
	// other rules may still allow the act.
	isComplete := false
	var err error
	if s.ListsNow {
		err = s.listNow()
	}
	if err == nil {
		isComplete, err = s.searchDepths()
	}
	if err == nil && s.isCompiled && len(s.answer.Ways) == 0 {
		err = s.tryDirectWays()
	}

	// These errors only mean that the search stopped early, which the answer reports.
	switch {
	case errors.Is(err, errOutOfMemory), errors.Is(err, errOtherRules):
		s.answer.CutReason = err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		s.answer.CutReason = "the search ran out of time"
	case err != nil:
		return err
	}

	// The verdict is "none" only if every state was visited and nothing was left out.
	switch {
	case len(s.answer.Ways) > 0:
		s.answer.Verdict = WayExists
	case isComplete && s.answer.CutReason == "":
		s.answer.Verdict = None
	default:
		s.answer.Verdict = NoneWithin
	}
	return nil
}

// searchDepths tries the ways of one message, then those of two, and so on. isComplete is true if
// it tried all messages on all states that can be reached.
func (s *search) searchDepths() (isComplete bool, err error) {
	s.earliestMoments = map[digest]int{sha256.Sum256(nil): 0}
	states := []*node{{state: kv.NewOverlay(s.cachedView)}}
	for len(states) > 0 && !s.hasEnoughWays() && s.answer.Depth < s.Depth {
		states, err = s.searchNextDepth(states)
		if err != nil {
			break
		}
		s.answer.Depth++
	}
	s.answer.States = len(s.earliestMoments)
	return len(states) == 0, err
}

func (s *search) hasEnoughWays() bool { return len(s.answer.Ways) >= s.MaxWays }

// These errors stop a search before it has reached the depth of the question. Their texts
// become [Answer.CutReason].
var (
	errOutOfMemory = errors.New("the search ran out of memory")
	errOtherRules  = fmt.Errorf(
		"the compiled contract refuses %d of the ways, so it has other rules",
		MaxRefused)
)

// searchNextDepth expands states that were reached by the same number of messages. It returns
// early if the answer has enough ways.
func (s *search) searchNextDepth(states []*node) (reachedStates []*node, err error) {
	for _, n := range states {
		newStates, err := s.expand(n)
		if err != nil {
			return nil, err
		}
		reachedStates = append(reachedStates, newStates...)
		if s.hasEnoughWays() {
			return reachedStates, nil
		}
		if len(s.earliestMoments) > s.maxVisitedStates {
			return nil, errOutOfMemory
		}
	}
	return reachedStates, nil
}

// addWay adds a way to the answer, unless that has enough ways or a shorter one whose messages
// the way contains.
//
// If the chain runs a compiled contract, that contract must execute the messages, too. If it
// refuses one of them, the messages up to that one are added to the refused ways, and addWay
// fails with [errOtherRules] when there are [MaxRefused] of them.
func (s *search) addWay(way []*node) error {
	if s.hasEnoughWays() {
		return nil
	}
	containsShorter := func(shorter []*node) bool { return isSubsequence(shorter, way) }
	if slices.ContainsFunc(s.reportedWays, containsShorter) {
		return nil
	}

	steps, messages, err := s.replay(way)
	if err != nil {
		return err
	}

	if s.isCompiled {
		executed, refusal, err := s.view.TryMessages(messages)
		if err != nil {
			return err
		}
		if refusal != nil {
			steps[executed].Refusal = refusal
			s.reportedWays = append(s.reportedWays, way[:executed+1])
			s.answer.RefusedWays = append(s.answer.RefusedWays, steps[:executed+1])
			if len(s.answer.RefusedWays) == MaxRefused {
				return errOtherRules
			}
			return nil
		}
	}
	s.reportedWays = append(s.reportedWays, way)
	s.answer.Ways = append(s.answer.Ways, steps)
	return nil
}

// replay runs the messages of a way. It returns them as the steps of an answer, and as the argument
// of [chain.View.TryMessages].
func (s *search) replay(way []*node) (steps []Step, messages []chain.TimedMessage, err error) {
	state := kv.NewOverlay(s.cachedView)
	for _, n := range way {
		env := s.env(n.momentIndex)
		decision, err := s.Code.Decide(state, env, n.Info, n.msg)
		if err != nil {
			return nil, nil, err
		}
		if _, err := s.Code.RunExecute(state, env, n.Info, n.msg); err != nil {
			return nil, nil, err
		}
		steps = append(steps, Step{
			Block:    env.Block,
			Sender:   n.Sender,
			Message:  n.msg,
			Decision: decision,
		})
		messages = append(messages, chain.TimedMessage{
			Block:   env.Block,
			Sender:  n.Sender,
			Message: cw721.Encode(n.msg),
		})
	}
	return steps, messages, nil
}

// isSubsequence reports whether way contains all messages of a shorter one in the same order, with
// the same content and sender, in whatever blocks, perhaps with others between them.
func isSubsequence(shorter, way []*node) bool {
	remaining := shorter // the messages that were not found yet
	for _, n := range way {
		if len(remaining) == 0 {
			return true
		}
		wantedNode := remaining[0]
		if n.Info == wantedNode.Info && reflect.DeepEqual(n.msg, wantedNode.msg) {
			remaining = remaining[1:]
		}
	}
	return len(remaining) == 0
}

// assumptions returns a sentence for each condition that the answer depends on.
func (s *search) assumptions() []string {
	assumptions := []string{fmt.Sprintf(
		"from now on a block takes %d s, and height and time go up together",
		s.view.Clock.SecondsPerBlock)}

	senders := "everyone"
	if len(s.PassiveAccounts) > 0 {
		senders = "everyone else"
	}
	if s.OnlySenders != nil {
		assumptions = append(assumptions, "only these accounts send messages: "+strings.Join(s.view.DisplayNames(s.OnlySenders), ", "))
		senders = "each of them"
	}
	if len(s.PassiveAccounts) > 0 {
		assumptions = append(assumptions, "these accounts send nothing: "+strings.Join(s.view.DisplayNames(s.PassiveAccounts), ", "))
	}
	assumptions = append(assumptions, senders+" sends any message that helps, contracts too")
	if slices.Contains(s.rules, cw721.RuleOwner) {
		assumptions = append(assumptions,
			"no contract is migrated to other code: whoever approves one trusts its admin, too")
	}

	if s.TokenMustStay {
		assumptions = append(assumptions, "until then the token is neither transferred nor burned")
	}
	if slices.Contains(s.rules, cw721.RuleOwner) {
		assumptions = append(assumptions, "nothing is minted")
	}
	if s.isCompiled {
		assumptions = append(assumptions, fmt.Sprintf(
			"the compiled contract has the rules of %s; each way was played through it",
			s.view.Rules))
	}
	if s.Action.Name == "send" {
		assumptions = append(assumptions, "the contract that the token is sent to accepts it")
	}
	return assumptions
}
