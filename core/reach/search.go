package reach

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// search is a search that is under way.
type search struct {
	Question
	ctx context.Context
	// everyMoment leaves abstraction 7 out, for a test.
	everyMoment bool

	view     *chain.View
	compiled bool // the chain runs a compiled contract
	contract cw721.Contract
	receiver cw721.Address // a contract that takes tokens
	about    subject
	actors   []cw721.Address
	moments  []moment
	first    int    // the first moment of the act
	messages []sent // acts first

	base    *base
	visited map[digest]int // the earliest moment at which a state was reached
	room    int            // how many states may be visited
	more    *atomic.Bool   // there are states beyond the last depth
	told    [][]hit        // ways in the answer, and those that were refused
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
// memory does.
func Ask(ctx context.Context, v *chain.View, q Question) (Answer, error) {
	s, err := prepare(ctx, v, q, "")
	if err != nil {
		return Answer{}, err
	}
	err = s.run()
	return s.answer, err
}

// prepare finds out who may send what and when. Where only is not empty, it is
// who may, but for the one who stands for everybody else.
func prepare(ctx context.Context, v *chain.View, q Question, only cw721.Address) (s *search, err error) {
	q.Depth, q.Ways = cmp.Or(max(q.Depth, 0), DefaultDepth), max(q.Ways, 1)
	s = &search{Question: q, ctx: ctx, view: v, contract: v.Contract(), room: maxStates}
	s.base = &base{view: v.Storage(), seen: map[string][]byte{}}
	if _, s.compiled, err = v.Module(); err != nil {
		return nil, err
	}
	// No account has these addresses: its name could not have a space.
	if s.answer.Anyone, err = chain.AddressFor(v.Prefix, "who can: anyone", cw721.AccountBytes); err != nil {
		return nil, err
	}
	if s.receiver, err = chain.AddressFor(v.Prefix, "who can: a contract", cw721.ContractBytes); err != nil {
		return nil, err
	}
	act := s.act(s.answer.Anyone, s.receiver)
	d, err := v.Decide(s.answer.Anyone, act)
	if err != nil {
		return nil, err
	}
	s.about = subjectOf(d, act)
	expirations, err := s.cast(d, only)
	if err != nil {
		return nil, err
	}
	s.messages = s.bearing()
	s.answer.Actors, s.answer.Passive, s.answer.Assumptions = s.actors, s.Passive, s.assumptions()
	return s, s.schedule(expirations)
}

// run goes from depth to depth until there is enough, nothing left, or no room.
func (s *search) run() (err error) {
	s.visited, s.more = map[digest]int{sha256.Sum256(nil): 0}, new(atomic.Bool)
	frontier := []*node{{state: kv.NewOverlay(s.base), before: len(s.moments)}}
	for len(frontier) > 0 && len(s.answer.Ways) < s.Ways && s.answer.Depth < s.Depth {
		frontier, err = s.level(frontier)
		s.answer.States = len(s.visited)
		if err != nil {
			break
		}
		s.answer.Depth++
	}
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
	case len(frontier) == 0 && !s.more.Load() && s.answer.Cut == "":
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
			s.answer.Messages += x.tried
			for i := 0; i < len(x.done) && x.err == nil; i++ {
				x.err = s.found(append(x.node.path(), x.done[i]))
			}
			if x.err != nil {
				return nil, x.err
			}
			for _, n := range x.next {
				before, seen := s.visited[n.digest]
				if !seen {
					before = len(s.moments)
				}
				if n.at >= before {
					continue // another state of this depth has led there
				}
				n.before, s.visited[n.digest] = before, n.at
				next = append(next, n)
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

// expandAll searches states in parallel. A panic in a worker goes on in the caller,
// who can catch it: nobody could where it happens.
func (s *search) expandAll(part []*node) []*expansion {
	all := make([]*expansion, len(part))
	var taken atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(part)) {
		workers.Go(func() {
			for i := taken.Add(1) - 1; i < int64(len(part)); i = taken.Add(1) - 1 {
				all[i] = &expansion{search: s, node: part[i]}
				all[i].err = all[i].expand()
			}
		})
	}
	workers.Wait()
	for _, x := range all {
		if x.broken != nil {
			panic(x.broken)
		}
	}
	return all
}

// found takes up a way, unless a shorter one does it with some of the same
// messages. A compiled contract has the last word.
func (s *search) found(way []hit) error {
	if len(s.answer.Ways) == s.Ways || slices.ContainsFunc(s.told, func(shorter []hit) bool { return within(shorter, way) }) {
		return nil
	}
	state := kv.NewOverlay(s.base)
	var steps []Step
	var all []chain.Sent
	for _, h := range way {
		d, err := s.decide(state, h)
		if err == nil {
			_, err = s.send(state, h)
		}
		if err != nil {
			return err
		}
		steps = append(steps, Step{Block: d.Block, As: h.by, Message: h.msg, Decision: d})
		all = append(all, chain.Sent{Block: d.Block, Sender: h.by, Message: h.json})
	}
	if s.compiled {
		carried, refusal, err := s.view.Rehearse(all)
		if err != nil {
			return err
		}
		if refusal != nil {
			s.told = append(s.told, way[:carried+1])
			s.answer.Refused = append(s.answer.Refused, steps[:carried+1])
			s.answer.Refusals = append(s.answer.Refusals, refusal)
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
func within(shorter, way []hit) bool {
	for _, h := range way {
		if len(shorter) > 0 && h.by == shorter[0].by && bytes.Equal(h.json, shorter[0].json) {
			shorter = shorter[1:]
		}
	}
	return len(shorter) == 0
}

// assumptions says what an answer rests on.
func (s *search) assumptions() []string {
	passive := make([]string, len(s.Passive))
	for i, a := range s.Passive {
		passive[i] = s.view.Call(a)
	}
	all := []string{
		fmt.Sprintf("from now on a block takes %d s, and height and time go up together", s.view.Clock.SecondsPerBlock),
		"whoever is not said to send nothing sends whatever helps, contracts too",
	}
	for _, more := range []struct {
		holds bool
		text  string
	}{
		{len(passive) > 0, "these send nothing: " + strings.Join(passive, ", ")},
		{s.Unmoved, "until then the token is neither transferred nor burned"},
		{s.about.token, "nothing is minted"},
		{s.compiled, "nobody can do by the compiled contract what the built-in rules do not allow; each way was played through it"},
		{s.Action.Name == "send", "the contract that the token is sent to takes it"},
	} {
		if more.holds {
			all = append(all, more.text)
		}
	}
	return all
}
