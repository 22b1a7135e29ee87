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

// search looks for ways to do what a question asks about. A way is a sequence of messages;
// the last one, the act, does what was asked. search holds the question, the messages that
// are tried, and the progress.
type search struct {
	Question
	ctx  context.Context
	view *chain.View
	// isCompiled is set if the chain runs a compiled contract. Each way that the search
	// finds by the built-in rules is then tried on that contract, too.
	isCompiled bool
	// receiver is the contract to which tokens are sent. The search assumes that it accepts
	// them.
	receiver cw721.Address
	// rules are those that can permit the act. The rule for the offer of a role is replaced
	// by the rule for the role.
	rules []cw721.Rule
	// holder is the token's owner or the holder of the role, for which the rules ask; nil for
	// none.
	holder *cw721.Address
	// roles has the holder of the minter's and the creator's role, by the rule for the role.
	roles map[cw721.Rule]cw721.Ownership
	// minters are the additional minters.
	minters []cw721.Address
	// moments are the blocks in which messages are tried, the earliest first.
	moments []cw721.Block
	// firstMomentIndex is the index of the first moment in which the act may be sent. The
	// question can exclude earlier ones by its field After.
	firstMomentIndex int
	// messages are all messages that are tried. The first one is an act.
	messages []sentMessage

	// cachedView has the contract's records from which the search starts.
	cachedView *cachedView
	// earliestMoments has, for each visited state, the index of the earliest moment in which
	// it was reached.
	earliestMoments map[digest]int
	// maxVisitedStates is how many states the search may visit.
	maxVisitedStates int
	// reportedWays are the ways in the answer, and those that the compiled contract refused.
	reportedWays [][]*node
	answer       Answer
}

// maxStates is how many states of the contract's records a search may visit. With so many
// the process stays below 200 MB of memory, including garbage.
const maxStates = 38_000

// Ask searches for ways to do what a question is about.
//
// Ask fails with a [*QuestionError] if the question makes no sense in the view. It fails
// with a [*cw721.Error] if the contract cannot decide, for example because the token does
// not exist, and with the error of the context if the context is cancelled.
//
// Ask does not fail if the deadline of the context passes, or if the search needs too much
// memory. [Answer.CutReason] then says that the answer is incomplete. Ask gives the account
// [Answer.Anyone] a name in the view.
func Ask(ctx context.Context, view *chain.View, question Question) (Answer, error) {
	s, err := prepare(ctx, view, question)
	if err != nil {
		return Answer{}, err
	}
	err = s.run()
	return s.answer, err
}

// prepare returns a search that is ready to run. It fills in the defaults of the question,
// and finds out which accounts send messages in the search, which messages they send, and in
// which blocks. It fails like [Ask].
func prepare(ctx context.Context, view *chain.View, question Question) (*search, error) {
	// Replace what the question leaves open by the defaults.
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

	// Two made-up accounts take part: one sends messages as everybody without a record, the
	// other one receives tokens. No real account has their addresses, because they are
	// derived from names with spaces, which no account can have.
	anyone, err := chain.AddressFor(view.Prefix, "who can: anyone", cw721.AccountBytes)
	if err != nil {
		return nil, err
	}
	receiver, err := chain.AddressFor(view.Prefix, "who can: a contract", cw721.ContractBytes)
	if err != nil {
		return nil, err
	}

	// The decision about an account without any permission shows which rules the contract
	// tries for the act.
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

	// The rules of an unknown compiled contract may differ from the built-in ones.
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

// run carries out the search and completes the answer. It stops when it has found as many
// ways as the question wants, when all reachable states were visited, or at a limit of
// depth, time or memory. It fails if the context is cancelled or the store fails.
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

// searchDepths searches depth by depth: first it tries the ways of one message, then those
// of two, and so on. It stops when it has found enough ways or reached the depth of the
// question. isComplete is true if it tried all messages on all states that can be reached.
// searchDepths adds the ways, the depth and the number of states to the answer.
func (s *search) searchDepths() (isComplete bool, err error) {
	// At the beginning no record has changed, and the first moment has the index 0.
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

// hasEnoughWays reports whether the search has found as many ways as the question wants.
func (s *search) hasEnoughWays() bool { return len(s.answer.Ways) >= s.MaxWays }

// These errors stop a search before it has reached the depth of the question. Their texts
// become [Answer.CutReason].
var (
	errOutOfMemory = errors.New("the search ran out of memory")
	errOtherRules  = fmt.Errorf(
		"the compiled contract refuses %d of the ways, so it has other rules",
		MaxRefused)
)

// searchNextDepth tries all messages on states that were reached by the same number of
// messages. It returns the states to which one more message leads, as far as they are new
// or were reached in an earlier block than before. It adds the ways that it finds to the
// answer, and returns early if the answer then has enough of them.
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

// addWay adds a way, a sequence of messages by which somebody can do what was asked, to the
// answer. It ignores the way if the answer has enough ways, or if the way contains all
// messages of a shorter one that was reported already.
//
// If the chain runs a compiled contract, that contract must execute the messages, too. If it
// refuses one of them, the messages up to that one are added to the refused ways of the
// answer, and addWay fails as addRefusedWay does.
func (s *search) addWay(way []*node) error {
	if s.hasEnoughWays() {
		return nil
	}
	containsShorter := func(shorter []*node) bool { return isSubsequence(shorter, way) }
	if slices.ContainsFunc(s.reportedWays, containsShorter) {
		return nil
	}

	// Run the messages again, to find by which rule each of them is permitted.
	steps, messages, err := s.replay(way)
	if err != nil {
		return err
	}

	// A compiled contract that refuses one of them has other rules than the search.
	if s.isCompiled {
		executed, refusal, err := s.view.TryMessages(messages)
		if err != nil {
			return err
		}
		if refusal != nil {
			steps[executed].Refusal = refusal
			return s.addRefusedWay(way[:executed+1], steps[:executed+1])
		}
	}
	s.reportedWays = append(s.reportedWays, way)
	s.answer.Ways = append(s.answer.Ways, steps)
	return nil
}

// addRefusedWay adds a sequence of messages whose last one the compiled contract refuses,
// to the answer. It fails with [errOtherRules] when there are [MaxRefused] of them.
func (s *search) addRefusedWay(way []*node, steps []Step) error {
	s.reportedWays = append(s.reportedWays, way)
	s.answer.RefusedWays = append(s.answer.RefusedWays, steps)
	if len(s.answer.RefusedWays) == MaxRefused {
		return errOtherRules
	}
	return nil
}

// replay runs the messages of a way, one after the other, from the state of the view. It
// returns them in two forms: as the steps of an answer, with the contract's decision about
// each, and as the argument of [chain.View.TryMessages].
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

// isSubsequence reports whether a sequence of messages contains all messages of a shorter
// one in the same order. Other messages may stand between them. Two messages are the same
// if they have the same content and sender; their blocks may differ.
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

// assumptions returns a sentence for each condition that the answer depends on, such as
// "nothing is minted". Users read them below the answer.
func (s *search) assumptions() []string {
	clockAssumption := fmt.Sprintf(
		"from now on a block takes %d s, and height and time go up together",
		s.view.Clock.SecondsPerBlock)
	assumptions := []string{clockAssumption}

	// Name the accounts that send messages, and those that do not.
	senders := "everyone"
	if s.OnlySenders != nil {
		assumptions = append(assumptions, "only these accounts send messages: "+strings.Join(s.view.DisplayNames(s.OnlySenders), ", "))
		senders = "each of them"
	}
	if len(s.PassiveAccounts) > 0 {
		assumptions = append(assumptions, "these accounts send nothing: "+strings.Join(s.view.DisplayNames(s.PassiveAccounts), ", "))
		if s.OnlySenders == nil {
			senders = "everyone else"
		}
	}
	assumptions = append(assumptions, senders+" sends any message that helps, contracts too")
	if slices.Contains(s.rules, cw721.RuleOwner) {
		assumptions = append(assumptions,
			"no contract is migrated to other code: whoever approves one trusts its admin, too")
	}

	// Name the other conditions, as far as they matter for the question.
	if s.TokenMustStay {
		assumptions = append(assumptions, "until then the token is neither transferred nor burned")
	}
	if slices.Contains(s.rules, cw721.RuleOwner) {
		assumptions = append(assumptions, "nothing is minted")
	}
	if s.isCompiled {
		rulesAssumption := fmt.Sprintf(
			"the compiled contract has the rules of %s; each way was played through it",
			s.view.Rules)
		assumptions = append(assumptions, rulesAssumption)
	}
	if s.Action.Name == "send" {
		assumptions = append(assumptions, "the contract that the token is sent to accepts it")
	}
	return assumptions
}
