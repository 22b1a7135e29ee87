package reach

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// search is a search that is under way.
type search struct {
	Question
	// grant is whose real end is wanted, in the place of ways: last is the last
	// moment of an act.
	grant *cw721.Grant
	last  int
	// everyMoment leaves abstraction 7 out, for a test.
	everyMoment bool

	view           *chain.View
	compiled       bool // the chain runs a compiled contract
	contract       cw721.Contract
	self, receiver cw721.Address // of the collection, and of a contract that takes tokens
	about          subject
	actors         []cw721.Address
	expirations    []cw721.Expiration
	moments        []moment
	first          int // the first moment of the act
	messages, acts []sent

	base    base
	records records
	visited map[string]int // by a state's name: the earliest moment at which it was reached
	bytes   int            // about what the states take
	tried   atomic.Int64   // messages
	more    atomic.Bool    // there are states beyond the last depth
	stop    atomic.Bool
	answer  Answer
}

// maxBytes is about what the states of one search may take. With the garbage of
// the messages a process takes three times as much.
const maxBytes = 48 << 20

// Ask searches for ways to do what the question says. It works in as many
// goroutines as there are processors, of which one at a time reads the view. on,
// which can be nil, is told after each depth what has been found. Ask fails with
// a [*cw721.Error] where the contract cannot decide, as for a token that is not
// there; with [ErrAsPassive] and [ErrNoTime]; and at once with the context's
// error when that is cancelled. A deadline that passes is no error but cuts the
// search, as memory does.
func Ask(ctx context.Context, v *chain.View, q Question, on func(Answer)) (Answer, error) {
	s := &search{Question: q}
	if err := s.prepare(ctx, v); err != nil {
		return Answer{}, err
	}
	s.answer.Actors, s.answer.Passive, s.answer.Assumptions = s.actors, s.Passive, s.assumptions(v)
	err := s.run(ctx, on)
	return s.answer, err
}

// prepare finds out who may send what and when.
func (s *search) prepare(ctx context.Context, v *chain.View) (err error) {
	s.Depth, s.Ways = max(s.Depth, 0), max(s.Ways, 1)
	if s.Depth == 0 {
		s.Depth = DefaultDepth
	}
	s.view, s.contract, s.self = v, v.Contract(), v.Self
	if _, s.compiled, err = v.Module(); err != nil {
		return err
	}
	s.base.view, s.base.seen = v.Storage(), map[string][]byte{}
	s.records.known, s.visited, s.last = map[string]*record{}, map[string]int{"": 0}, -1
	// No account has these addresses: its name could not have a space.
	if s.answer.Anyone, err = chain.AddressFor(v.Prefix, "who can: anyone", cw721.AccountBytes); err != nil {
		return err
	}
	if s.receiver, err = chain.AddressFor(v.Prefix, "who can: a contract", cw721.ContractBytes); err != nil {
		return err
	}
	act := s.act(s.answer.Anyone, s.receiver)
	d, err := v.Decide(s.answer.Anyone, act)
	if err != nil {
		return err
	}
	s.about = subjectOf(d, act)
	var all []party
	if s.grant != nil {
		all, err = heldBy(v, s.grant.Spender, s.Token)
	} else {
		all, err = s.parties(ctx, v)
	}
	if err != nil {
		return err
	}
	if err := s.cast(v, all); err != nil {
		return err
	}
	s.messages = s.bearing()
	for _, a := range s.actors {
		if s.As == "" || s.As == a {
			s.acts = append(s.acts, sent{by: a, msg: s.act(a, s.receiver)})
		}
	}
	return s.schedule(v.Clock)
}

// run goes from depth to depth until there is enough, nothing left, or no room.
func (s *search) run(ctx context.Context, on func(Answer)) (err error) {
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	frontier := []*node{{before: len(s.moments)}}
	for err == nil && len(frontier) > 0 && !s.enough() && s.answer.Depth < s.Depth {
		frontier, err = s.level(frontier)
		s.answer.States, s.answer.Messages = len(s.visited), int(s.tried.Load())
		if err == nil {
			s.answer.Depth++
		}
		if err == nil && on != nil {
			on(s.answer)
		}
	}
	switch {
	case errors.Is(err, errFull), errors.Is(err, errOther):
		s.answer.Cut = err.Error()
	case errors.Is(err, errStopped) && errors.Is(ctx.Err(), context.DeadlineExceeded):
		s.answer.Cut = "the time for the search was over"
	case errors.Is(err, errStopped):
		return ctx.Err()
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

// enough tells that nothing more is wanted.
func (s *search) enough() bool {
	if s.grant != nil {
		return s.last == len(s.moments)-1
	}
	return len(s.answer.Ways) >= s.Ways
}

// Why a depth is not searched to its end.
var (
	errStopped = errors.New("the search was stopped")
	errFull    = errors.New("the states took too much memory")
	errOther   = fmt.Errorf("the compiled contract refuses %d of the ways, so it has other rules", MaxRefused)
)

// chunk is how many states are searched before one goroutine puts together what
// was found, in order, so that the outcome is the same every time.
const chunk = 256

// level tries all messages on all states of a depth and gives the states of the
// next one.
func (s *search) level(frontier []*node) (next []*node, err error) {
	for len(frontier) > 0 && !s.enough() {
		part := frontier[:min(chunk, len(frontier))]
		for _, x := range s.expandAll(part) {
			if x.err != nil {
				return nil, x.err
			}
			for _, h := range x.done {
				if err := s.found(x.node, h); err != nil {
					return nil, err
				}
			}
			next = s.join(next, x.next)
		}
		if s.bytes+s.records.bytes > maxBytes {
			return nil, errFull
		}
		frontier = frontier[len(part):]
	}
	return next, nil
}

// expandAll searches states in parallel. A panic in a worker goes on in the caller,
// who can catch it: nobody could where it happens.
func (s *search) expandAll(part []*node) []*expansion {
	all := make([]*expansion, len(part))
	var taken atomic.Int64
	var workers sync.WaitGroup
	var panicked atomic.Pointer[any]
	for range min(runtime.GOMAXPROCS(0), len(part)) {
		workers.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(&p)
				}
			}()
			for i := taken.Add(1) - 1; i < int64(len(part)); i = taken.Add(1) - 1 {
				all[i] = &expansion{search: s, node: part[i]}
				all[i].err = all[i].expand()
			}
		})
	}
	workers.Wait()
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
	return all
}

// join adds the states that are new, or reached earlier than before.
func (s *search) join(next, reached []*node) []*node {
	for _, n := range reached {
		name := s.name(n.state, n.at)
		before, seen := s.visited[name]
		if seen && before <= n.at {
			continue // another state of this depth has led there
		}
		if n.before = before; !seen {
			n.before = len(s.moments)
			s.bytes += 2*len(name) + 8*len(n.state) + 192
		}
		s.visited[name] = n.at
		next = append(next, n)
	}
	return next
}

func (s *search) name(st state, at int) string {
	if s.everyMoment {
		return st.name() + string(rune(at))
	}
	return st.name()
}

// assumptions says what an answer rests on.
func (s *search) assumptions(v *chain.View) []string {
	all := []string{
		fmt.Sprintf("from now on a block takes %d s, and height and time go up together", v.Clock.SecondsPerBlock),
		"whoever is not said to send nothing sends whatever helps, contracts too",
	}
	if len(s.Passive) > 0 {
		var names []string
		for _, a := range s.Passive {
			names = append(names, v.Call(a))
		}
		all = append(all, "these send nothing: "+strings.Join(names, ", "))
	}
	if s.Unmoved {
		all = append(all, "until then the token is neither transferred nor burned")
	}
	if s.about.token {
		all = append(all, "nothing is minted")
	}
	if s.compiled {
		all = append(all, "nobody can do by the compiled contract what the built-in rules do not allow; each way was played through it")
	}
	if s.Action.Name == "send" {
		all = append(all, "the contract that the token is sent to takes it")
	}
	return all
}
