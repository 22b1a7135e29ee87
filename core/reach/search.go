package reach

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// search is a search that is under way.
type search struct {
	Question
	without without
	about   subject
	// only are all who may send, where they are known beforehand.
	only []party
	// grant is whose real end is wanted, in the place of ways: the last moment of
	// an act.
	grant *cw721.Grant

	contract        cw721.Contract
	self            cw721.Address
	contractAddress cw721.Address // of a contract that takes tokens
	base            *base
	actors          []cw721.Address
	expirations     []cw721.Expiration
	ends            *cw721.Expiration // of new grants
	moments         []moment
	first           int // the first moment of the act
	messages, acts  []sent

	records records
	visited map[string]int // by state: the earliest moment at which it was reached
	bytes   int            // about what the states take
	tried   atomic.Int64   // messages
	more    atomic.Bool    // something lies beyond the last depth
	stop    atomic.Bool
	last    int // the last moment of an act that was found
	answer  Answer
}

// node is a state with the way to it.
type node struct {
	parent *node
	by     *sent
	at     int // the moment of by
	state  state
	// before is the earliest moment at which the state had been reached already:
	// what can be done from then on was tried.
	before int
}

// maxBytes is about how much the states of one search may take: well below what
// a process takes with twice of it.
const maxBytes = 64 << 20

// Ask searches for ways to do what the question says. It reads the view from
// several goroutines, one at a time. on, which can be nil, is told how far it
// has come. It fails with a [*cw721.Error] where the contract cannot decide,
// as for a token that is not there; with [ErrAsPassive] and [ErrNoTime]; and
// with the context's error when it is cancelled, at once. A deadline that
// passes is no error but cuts the search, as memory does.
func Ask(ctx context.Context, v *chain.View, q Question, on func(Progress)) (Answer, error) {
	s, err := newSearch(v, &search{Question: q})
	if err != nil {
		return Answer{}, err
	}
	s.answer.Assumptions = s.assumptions(v)
	err = s.run(ctx, on)
	return s.answer, err
}

func newSearch(v *chain.View, s *search) (*search, error) {
	if s.Depth == 0 {
		s.Depth = DefaultDepth
	}
	s.Ways = max(s.Ways, 1)
	s.contract, s.self = v.Contract(), v.Self
	s.base = &base{view: v.Storage(), seen: map[string][]byte{}}
	s.records.known = map[string]*record{}
	s.last = -1
	if err := s.addresses(v); err != nil {
		return nil, err
	}
	act := s.act(s.answer.Anyone, s.contractAddress)
	d, err := v.Decide(s.answer.Anyone, act)
	if err != nil {
		return nil, err
	}
	s.about = subjectOf(d, act)
	if s.without.cone {
		s.about = subject{s.about.token, true, true}
	}
	if err := s.cast(v, d, act); err != nil {
		return nil, err
	}
	if err := s.when(v.Clock); err != nil {
		return nil, err
	}
	if s.without.endless && len(s.moments) > 1 {
		e := cw721.UntilTime(s.moments[1].Time)
		s.ends = &e
	}
	s.messages = s.bearing()
	for _, a := range s.actors {
		if s.As == "" || s.As == a {
			s.acts = append(s.acts, sent{by: a, msg: s.act(a, s.contractAddress)})
		}
	}
	return s, nil
}

// cast says who sends nothing and who may send.
func (s *search) cast(v *chain.View, d *cw721.Decision, act cw721.ExecuteMsg) (err error) {
	if s.Passive == nil {
		if s.Passive, err = holders(d, v, act); err != nil {
			return err
		}
		s.Passive = slices.DeleteFunc(s.Passive, func(a cw721.Address) bool { return a == s.As })
	}
	if slices.Contains(s.Passive, s.As) {
		return ErrAsPassive
	}
	if err := s.gather(v); err != nil {
		return err
	}
	if !s.without.anyone {
		s.actors = append(s.actors, s.answer.Anyone)
	}
	return nil
}

// addresses makes two that are in no record: somebody's, and a contract's that
// takes tokens.
func (s *search) addresses(v *chain.View) error {
	for _, a := range []struct {
		into  *cw721.Address
		name  string
		bytes int
	}{{&s.answer.Anyone, "anyone", cw721.AccountBytes}, {&s.contractAddress, "any contract", cw721.ContractBytes}} {
		// Names of accounts have no space and no colon, so none has this address.
		address, err := chain.AddressFor(v.Prefix, "who-can: "+a.name, a.bytes)
		if err != nil {
			return err
		}
		*a.into = address
	}
	return nil
}

// run goes from depth to depth until there is enough, nothing left, or no room.
func (s *search) run(ctx context.Context, on func(Progress)) error {
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	s.visited = map[string]int{"": 0}
	frontier := []*node{{before: len(s.moments)}}
	var err error
	for len(frontier) > 0 && !s.enough() && s.answer.Depth < s.Depth {
		frontier, err = s.level(frontier)
		s.answer.States, s.answer.Messages = len(s.visited), int(s.tried.Load())
		if err != nil {
			break
		}
		if s.answer.Depth++; on != nil {
			on(Progress{s.answer.Depth, s.answer.States, s.answer.Messages, len(s.answer.Ways)})
		}
	}
	switch {
	case errors.Is(err, errFull):
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
)

// chunk is how many states are searched before what was found is put together,
// which one goroutine does, so that the outcome does not depend on their number.
const chunk = 256

// level tries all messages on all states of a depth and gives the states of the
// next one.
func (s *search) level(frontier []*node) (next []*node, err error) {
	for len(frontier) > 0 && !s.enough() {
		part := frontier[:min(chunk, len(frontier))]
		for i, f := range s.expandAll(part) {
			if f.err != nil {
				return nil, f.err
			}
			if err := s.take(part[i], f.acts); err != nil {
				return nil, err
			}
			next = s.append(next, f.next)
		}
		if s.bytes+s.records.bytes > maxBytes {
			return nil, errFull
		}
		frontier = frontier[len(part):]
	}
	return next, nil
}

// expandAll searches states in parallel.
func (s *search) expandAll(part []*node) []found {
	all := make([]found, len(part))
	var taken atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(part)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				i := int(taken.Add(1)) - 1
				if i >= len(part) {
					return
				}
				all[i] = s.expand(part[i])
			}
		}()
	}
	wg.Wait()
	return all
}

// take takes up the acts that were found on a state.
func (s *search) take(n *node, acts []hit) error {
	for _, h := range acts {
		s.last = max(s.last, h.at)
		if s.enough() || s.grant != nil {
			continue
		}
		if err := s.addWay(n, h); err != nil {
			return err
		}
	}
	return nil
}

// append takes up the states that are new, or reached earlier than before.
func (s *search) append(next, reached []*node) []*node {
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

// name tells a state from all others.
func (s *search) name(st state, at int) string {
	if s.without.earliest {
		return st.name() + string(rune(at))
	}
	return st.name()
}
