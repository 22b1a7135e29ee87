package inspect

import (
	"errors"
	"math"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
)

// timelineReading is what was read of the chain at the block of the cursor.
type timelineReading struct {
	cursor      cw721.Height // where the cursor was when the reading began
	firstHeight cw721.Height // the block at the left edge of the bars at that time
	block       cw721.Block  // the block of the cursor
	// node is the node of the history to go to for this block. It is 0 if the block is ahead
	// of the clock.
	node        history.ID
	grants      []expiry.Entry    // by the axis of their expiry, the soonest first
	hasMore     bool              // there are more grants than the timeline draws
	selectedKey string            // the [app.GrantKey] of the selected grant; empty if there are no grants
	moves       []chain.ClockMove // over the past blocks in view, the latest first
	access      []actionVerdict   // whether the selected grant permits each action
	// realExpiries says until when the spender of the selected grant really has access.
	// That can be after its expiry, for example because the spender can renew it.
	realExpiries app.RealExpiries
	err          error // why the reading failed; nil if it did not
}

// read returns the command that reads the grants at the block of the cursor. Only one
// reading runs at a time, however fast the cursor moves. If one is running, read returns
// nil, and another reading begins when that one is done.
func (t *timeline) read(state *app.State) tea.Cmd {
	t.scrollToCursor()
	if t.isReading {
		t.isStale = true
		return nil
	}
	t.isReading = true
	t.isStale = false

	// Copy what the command needs, because it runs in another goroutine than the dialog.
	reading := &timelineReading{
		cursor:      t.cursor,
		firstHeight: t.firstHeight,
		selectedKey: t.selectedKey,
	}
	clock := state.Clock
	subject := t.subject
	nameOf := state.DisplayName

	// The moves come from a view of the chain now, and the rest from one at the cursor.
	return state.Ask(t, func(engine app.Engine) tea.Msg {
		reading.err = engine.View(func(view *chain.View) (err error) {
			reading.moves, err = view.MovesSince(reading.firstHeight)
			return err
		})
		if reading.err == nil {
			reading.err = viewAtHeight(engine, reading.cursor, func(view *chain.View, node history.ID) error {
				reading.node = node
				return reading.readView(view, clock, subject, nameOf)
			})
		}
		return reading
	})
}

// viewAtHeight calls use with a view of the chain at a height. At a past height the view
// shows the chain as it was. At a future height it shows the chain as it will be if no
// message is sent until then. A height before the first block means the first block. node
// is the node of the history to which the chain can go back for this height. It is 0 for a
// future height.
func viewAtHeight(
	engine app.Engine,
	height cw721.Height,
	use func(view *chain.View, node history.ID) error,
) error {
	moment, err := chain.Read(engine, func(view *chain.View) (chain.Moment, error) {
		return view.MomentAt(cw721.UntilHeight(height))
	})
	if err != nil && !errors.Is(err, chain.ErrBeforeBeginning) {
		return err
	}
	return engine.ViewAtMoment(moment, func(view *chain.View) error {
		return use(view, moment.TargetNode)
	})
}

// readView sets what the reading holds from a view at the block of the cursor: the grants,
// and what the selected grant permits. If no grant is selected, or that grant does not
// exist any more, it selects the one that suits the subject best. currentClock is that of
// the chain now.
func (r *timelineReading) readView(
	view *chain.View,
	currentClock chain.Clock,
	subject app.Subject,
	nameOf func(cw721.Address) string,
) error {
	r.block = view.Clock.Block()
	if err := r.readGrants(view, currentClock); err != nil {
		return err
	}
	if len(r.grants) == 0 {
		r.selectedKey = ""
		return nil
	}

	entry := r.grants[r.indexOf(r.selectedKey)]
	if app.GrantKey(entry.Grant) != r.selectedKey {
		entry = r.grants[r.indexToSelect(subject)]
		r.selectedKey = app.GrantKey(entry.Grant)
	}
	var err error
	r.access, err = readAccess(view, entry.Grant, nameOf)
	if err != nil {
		return err
	}
	r.realExpiries, err = r.realExpiries.Read(view, []cw721.Grant{entry.Grant})
	return err
}

// maxGrantsDrawn is how many grants the timeline draws at most in each of its three groups:
// those that expire at a height, at a time, and never.
const maxGrantsDrawn = 250

// readGrants lists the grants that expire in the visible range or later: first those
// that expire at a height, then at a time, then never.
func (r *timelineReading) readGrants(view *chain.View, currentClock chain.Clock) error {
	firstTime := currentClock.EstimateTimeAt(r.firstHeight) // of the left edge
	if block, isRecorded := r.blockAt(cw721.UntilHeight(r.firstHeight), currentClock); isRecorded {
		firstTime = block.Time
	}

	groups := []struct {
		axis cw721.Axis
		from uint64 // a height or a time; has no meaning for grants that never expire
	}{
		{axis: cw721.AtHeight, from: uint64(r.firstHeight)},
		{axis: cw721.AtTime, from: uint64(firstTime)},
		{axis: cw721.Never},
	}
	for _, group := range groups {
		expiring := view.ExpiringBetween(group.axis, group.from, math.MaxUint64)
		grants, hasMore, err := app.ReadAtMost(expiring, maxGrantsDrawn)
		if err != nil {
			return err
		}
		r.grants = append(r.grants, grants...)
		r.hasMore = r.hasMore || hasMore
	}
	return nil
}

// indexToSelect returns the index of the grant to select if none is selected: the first grant
// in force that is about subject, or else an expired one about it, or else the first grant in
// force.
func (r *timelineReading) indexToSelect(subject app.Subject) (index int) {
	bestRank := 0
	for i, entry := range r.grants {
		rank := 0
		if isGrantOf(subject, entry) {
			rank += 2
		}
		if !entry.Expires.HasExpired(r.block) {
			rank++
		}
		if rank > bestRank {
			index = i
			bestRank = rank
		}
	}
	return index
}

// isGrantOf reports whether a grant is about a subject. If the subject has a token, the grant
// must be an approval of that token. Otherwise the account of the subject must have given or
// received the grant. No grant is about the empty subject.
func isGrantOf(subject app.Subject, entry expiry.Entry) bool {
	if subject.Token != nil {
		isOnToken := entry.Kind == cw721.GrantApproval && entry.Token == *subject.Token
		return isOnToken && (subject.Account == "" || entry.Spender == subject.Account)
	}
	if subject.Account == "" || subject.Giver != "" && entry.Owner != subject.Giver {
		return false
	}
	return entry.Spender == subject.Account || entry.Owner == subject.Account
}

// actionVerdict says whether the spender of a grant may do an action in the block for which
// it was asked, and why.
type actionVerdict struct {
	action    string // such as "transfer"; empty if there is nothing to decide
	isAllowed bool
	reason    string // what the deciding rule says, or why there is nothing to decide
}

// readAccess asks the contract's decision function whether the spender of a grant may
// do each action that the grant is for, at the block of a view.
func readAccess(
	view *chain.View,
	grant cw721.Grant,
	nameOf func(cw721.Address) string,
) (verdicts []actionVerdict, err error) {
	attempts, err := attemptsWith(view, grant, nil)
	if err != nil {
		return nil, err
	}
	if len(attempts) == 0 {
		return []actionVerdict{{reason: nameOf(grant.Owner) + " owns no token at that block"}}, nil
	}
	for _, attempt := range attempts {
		explanation, err := explain.WhyMessage(view, grant.Spender, attempt.action, attempt.msg)
		if err != nil {
			// There is no such token in that block, so the other actions would fail, too.
			return append(verdicts, actionVerdict{reason: err.Error()}), nil
		}

		decidingRule, exists := explanation.DecidingRule()
		if !exists {
			decidingRule = explanation.Rules[0] // every decision tries at least one
		}
		verdicts = append(verdicts, actionVerdict{
			action:    attempt.action,
			isAllowed: explanation.Decision.Allowed,
			reason:    decidingRule.Text,
		})
	}
	return verdicts, nil
}

// blockAt returns the block of a moment. For a future moment it computes the block from the
// clock's seconds per block. For a past moment it takes the block from the recorded moves of the
// clock. isKnown is false if no recorded move reaches back to that moment, or if r is nil, which
// means that nothing was read yet.
func (r *timelineReading) blockAt(
	moment cw721.Expiration,
	currentClock chain.Clock,
) (block cw721.Block, isKnown bool) {
	currentValue, wantedValue, _ := moment.NowAndEnd(currentClock.Block())
	if wantedValue >= currentValue {
		target, err := currentClock.ToExpiry(moment, 0)
		return target.Block(), err == nil
	}
	if r == nil {
		return cw721.Block{}, false
	}

	// The latest move comes first, so the moment is in the first move that began before it.
	for _, move := range r.moves {
		if wantedValue >= move.From.Block().ValueOn(moment.Axis) {
			return move.BlockAt(moment), true
		}
	}
	return cw721.Block{}, false
}

// expiryHeight returns the first height at which a grant has expired. For an expiry at a
// time in the future, it estimates the height from the clock's seconds per block and rounds
// up. For a time in the past, it takes the height from the history, or estimates it if the
// history does not reach back so far.
func (r *timelineReading) expiryHeight(expires cw721.Expiration, clock chain.Clock) cw721.Height {
	if expires.Axis == cw721.AtHeight {
		return cw721.Height(expires.Value)
	}
	now := uint64(clock.Time)
	blockNanoseconds := clock.SecondsPerBlock * uint64(time.Second)
	if expires.Value >= now {
		blocksAhead := (expires.Value - now + blockNanoseconds - 1) / blockNanoseconds
		return clock.Height + cw721.Height(blocksAhead)
	}
	if block, isRecorded := r.blockAt(expires, clock); isRecorded {
		return block.Height
	}
	blocksAgo := cw721.Height((now - expires.Value) / blockNanoseconds)
	return clock.Height - min(clock.Height, blocksAgo)
}

// indexOf returns the index of the grant with a key, or 0 if there is none.
func (r *timelineReading) indexOf(key string) int {
	for i, entry := range r.grants {
		if app.GrantKey(entry.Grant) == key {
			return i
		}
	}
	return 0
}
