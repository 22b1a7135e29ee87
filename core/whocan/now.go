package whocan

import (
	"cmp"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

const maxListed = 1000 // accounts that [search.listNow] tries

// listNow sets the answer's field Now, on the contract that the chain runs.
func (s *search) listNow() error {
	candidates, err := s.candidates()
	if err != nil {
		return err
	}
	s.answer.UntriedNow = len(candidates)
	tried := candidates[:min(len(candidates), maxListed)]
	s.answer.Now, err = s.tryActs(s.moments[s.firstMomentIndex], tried)
	if err != nil {
		return err
	}
	s.answer.UntriedNow -= len(tried)
	s.answer.MessagesTried = 0 // these count for the answer to the question
	return nil
}

// maxSenders is how many accounts [search.tryDirectWays] tries if the rules of the compiled
// contract are known, and the accounts without a permission are alike.
const maxSenders = 100

// tryDirectWays looks for a way of a single message that the compiled contract allows although
// the built-in rules do not: of the account that the question names, or of all candidates.
func (s *search) tryDirectWays() error {
	senders := []cw721.Address{s.Actor}
	if s.Actor == "" || s.isAboutOwning() {
		candidates, err := s.candidates()
		if err != nil {
			return err
		}
		senders = slices.DeleteFunc(candidates, s.IsPassive)
	}
	if s.answer.UnprovenReason == "" {
		senders = senders[:min(len(senders), maxSenders)]
	}
	for _, moment := range s.moments[s.firstMomentIndex:] {
		steps, err := s.tryActs(moment, senders)
		if err != nil {
			return err
		}
		if len(steps) > 0 {
			s.answer.Ways = [][]Step{steps[:1]}
			return nil
		}
	}
	return nil
}

// candidates lists the accounts that could do it by one message: [Answer.Anyone], the holder,
// everyone with a grant or a role, the accounts of the question, and all accounts with a name.
func (s *search) candidates() ([]cw721.Address, error) {
	candidates := []cw721.Address{s.answer.Anyone, *cmp.Or(s.holder, &s.answer.Anyone)}
	if s.Action.NeedsToken {
		for grant, err := range s.view.GrantsOver(s.Token) {
			if err != nil {
				return nil, err
			}
			candidates = append(candidates, grant.Spender)
		}
	}
	minter, creator := s.roles[cw721.RuleMinter], s.roles[cw721.RuleCreator]
	for _, holder := range []*cw721.Address{minter.Owner, minter.PendingOwner, creator.Owner, creator.PendingOwner} {
		candidates = append(candidates, *cmp.Or(holder, &s.answer.Anyone))
	}
	candidates = slices.Concat(candidates, s.minters, s.answer.Actors, s.PassiveAccounts)
	accounts, err := s.view.Accounts()
	for _, account := range accounts {
		candidates = append(candidates, account.Address)
	}
	return chain.Distinct(candidates), err
}

// tryActs sends the acts of each sender to the contract that the chain runs, as if in a block, and
// returns the first of each that it executes. It stops after [Answer.Anyone] if that can do it.
func (s *search) tryActs(block cw721.Block, senders []cw721.Address) (steps []Step, err error) {
	for _, sender := range senders {
		for _, act := range s.acts(sender) {
			if err := s.ctx.Err(); err != nil {
				return nil, err
			}
			s.answer.MessagesTried++
			message := chain.TimedMessage{Block: block, Sender: sender, Message: cw721.Encode(act)}
			_, refusal, err := s.view.TryMessages([]chain.TimedMessage{message})
			if err != nil {
				return nil, err
			}
			if refusal != nil {
				continue
			}

			// The contract executes it. The decision tells by which rule it is permitted.
			decision, err := s.view.InBlock(block).Decide(sender, act)
			if err != nil {
				return nil, err
			}
			steps = append(steps, Step{Block: block, Sender: sender, Message: act, Decision: decision})
			break
		}
		if sender == s.answer.Anyone && len(steps) > 0 {
			break
		}
	}
	return steps, nil
}
