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

// search is a search that is under way.
type search struct {
	Question
	ctx      context.Context
	view     *chain.View
	compiled bool // the chain runs a compiled contract
	contract cw721.Contract
	receiver cw721.Address // a contract that takes tokens
	rules    []cw721.Rule  // by which the act is allowed, that of a role for its offer
	roles    map[cw721.Rule]cw721.Ownership
	minters  []cw721.Address // the additional ones
	moments  []cw721.Block
	first    int    // the first moment of the act
	messages []sent // the first is an act

	base    *base
	visited map[digest]int // the earliest moment at which a state was reached
	room    int            // how many states may be visited
	told    [][]*node      // ways in the answer, and those that were refused
	answer  Answer
}

// maxStates is how many states one search may visit. With the garbage of the
// messages a process stays below 200 MB.
const maxStates = 38_000

// Ask searches for ways to do what the question says. It works in as many
// goroutines as there are processors, of which one at a time reads the view. It
// fails with a [*cw721.Error] where the contract cannot decide, as for a token that
// is not there; with a [*QuestionError]; and at once with the context's error when
// that is cancelled. A deadline that passes is no error but cuts the search, as
// memory does. In the view, [Answer.Anyone] has a name from then on.
func Ask(ctx context.Context, v *chain.View, q Question) (Answer, error) {
	s, err := prepare(ctx, v, q)
	if err != nil {
		return Answer{}, err
	}
	err = s.run()
	return s.answer, err
}

// prepare finds out who may send what and when.
func prepare(ctx context.Context, v *chain.View, q Question) (*search, error) {
	q.Depth, q.Ways = cmp.Or(max(q.Depth, 0), DefaultDepth), max(q.Ways, 1)
	_, compiled, err := v.Module()
	// No account has these addresses: its name could not have a space.
	anyone, err1 := chain.AddressFor(v.Prefix, "who can: anyone", cw721.AccountBytes)
	receiver, err2 := chain.AddressFor(v.Prefix, "who can: a contract", cw721.ContractBytes)
	err3 := q.mintable(v)
	d, err4 := v.Decide(anyone, q.act(anyone, receiver))
	if err := cmp.Or(err, err1, err2, err3, err4); err != nil {
		return nil, err
	}
	v.NameAccount(anyone, AnyoneName)
	s := &search{
		Question: q, ctx: ctx, view: v, compiled: compiled, contract: v.Contract(), receiver: receiver,
		moments: []cw721.Block{d.Block}, base: &base{view: v.Storage(), seen: map[string]record{}}, room: maxStates,
	}
	if err := s.readRules(d, q.act(anyone, receiver)); err != nil {
		return nil, err
	}
	if err := s.cast(d); err != nil {
		return nil, err
	}
	s.answer.Anyone, s.answer.Actors = anyone, append(s.answer.Actors, anyone)
	s.answer.Passive, s.answer.Assumptions = s.Passive, s.assumptions()
	s.messages = s.bearing()
	return s, s.schedule()
}

// run goes from depth to depth until there is enough, nothing left, or no room.
func (s *search) run() (err error) {
	s.visited = map[digest]int{sha256.Sum256(nil): 0}
	frontier := []*node{{state: kv.NewOverlay(s.base)}}
	for err == nil && len(frontier) > 0 && len(s.answer.Ways) < s.Ways && s.answer.Depth < s.Depth {
		if frontier, err = s.level(frontier); err == nil {
			s.answer.Depth++
		}
	}
	s.answer.States = len(s.visited)
	switch {
	case errors.Is(err, errFull), errors.Is(err, errOther):
		s.answer.Cut = err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		s.answer.Cut = "the time for the search was over"
	case err != nil:
		return err
	}
	switch {
	case len(s.answer.Ways) > 0:
		s.answer.Verdict = Way
	case len(frontier) == 0 && s.answer.Cut == "":
		s.answer.Verdict = None
	default:
		s.answer.Verdict = NoneWithin
	}
	return nil
}

// Why a depth is not searched to its end.
var (
	errFull  = errors.New("the states took too much memory")
	errOther = fmt.Errorf("the compiled contract refuses %d of the ways, so it has other rules", MaxRefused)
)

// chunk is how many states are searched before one goroutine puts together what
// was found, in order, so that the outcome is the same every time.
const chunk = 256

// level tries all messages on all states of a depth and gives the states of the
// next one that are new, or reached earlier than before.
func (s *search) level(frontier []*node) (next []*node, err error) {
	for part := range slices.Chunk(frontier, chunk) {
		for _, x := range s.expandAll(part) {
			if x.broken != nil {
				panic(x.broken) // the caller can catch it, and nobody could where it happened
			}
			for i := 0; i < len(x.next) && x.err == nil; i++ {
				switch n := x.next[i]; {
				case n.act:
					x.err = s.found(n.path())
				case s.isNew(n): // no other state of this depth has led there
					s.visited[n.digest] = n.at
					next = append(next, n)
				}
			}
			if x.err != nil {
				return nil, x.err
			}
		}
		switch {
		case len(s.answer.Ways) >= s.Ways:
			return next, nil
		case len(s.visited) > s.room:
			return nil, errFull
		}
	}
	return next, nil
}

// found takes up a way, unless a shorter one does it with some of the same
// messages. A compiled contract has the last word.
func (s *search) found(way []*node) error {
	if len(s.answer.Ways) == s.Ways || slices.ContainsFunc(s.told, func(shorter []*node) bool { return within(shorter, way) }) {
		return nil
	}
	state := kv.NewOverlay(s.base)
	var steps []Step
	var all []chain.TimedMessage
	for _, n := range way {
		d, err := s.contract.Decide(state, s.env(n.at), n.Info, n.msg)
		if err == nil {
			_, err = s.contract.RunExecute(state, s.env(n.at), n.Info, n.msg)
		}
		if err != nil {
			return err
		}
		steps = append(steps, Step{Block: d.Block, As: n.Sender, Message: n.msg, Decision: d})
		all = append(all, chain.TimedMessage{Block: d.Block, Sender: n.Sender, Message: cw721.Encode(n.msg)})
	}
	if s.compiled {
		carried, refusal, err := s.view.TryMessages(all)
		if err != nil {
			return err
		}
		if refusal != nil {
			s.told = append(s.told, way[:carried+1])
			steps[carried].Refusal = refusal
			s.answer.Refused = append(s.answer.Refused, steps[:carried+1])
			if len(s.answer.Refused) == MaxRefused {
				return errOther
			}
			return nil
		}
	}
	s.told, s.answer.Ways = append(s.told, way), append(s.answer.Ways, steps)
	return nil
}

// within tells whether a way holds all messages of a shorter one, in its order.
func within(shorter, way []*node) bool {
	for _, n := range way {
		if len(shorter) > 0 && n.Info == shorter[0].Info && reflect.DeepEqual(n.msg, shorter[0].msg) {
			shorter = shorter[1:]
		}
	}
	return len(shorter) == 0
}

// assumptions says what an answer rests on.
func (s *search) assumptions() (all []string) {
	say := func(holds bool, text string) {
		if holds {
			all = append(all, text)
		}
	}
	var passive []string
	for _, a := range s.Passive {
		passive = append(passive, s.view.DisplayName(a))
	}
	say(true, fmt.Sprintf("from now on a block takes %d s, and height and time go up together", s.view.Clock.SecondsPerBlock))
	say(true, "whoever is not said to send nothing sends whatever helps, contracts too")
	say(len(passive) > 0, "these send nothing: "+strings.Join(passive, ", "))
	say(s.Unmoved, "until then the token is neither transferred nor burned")
	say(slices.Contains(s.rules, cw721.RuleOwner), "nothing is minted")
	say(s.compiled, "nobody can do by the compiled contract what the built-in rules do not allow; each way was played through it")
	say(s.Action.Name == "send", "the contract that the token is sent to takes it")
	return all
}
