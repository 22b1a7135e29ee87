package chain_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

// clockAt returns a clock at a height and a time in seconds, with 5 seconds per block.
func clockAt(height, seconds uint64) chain.Clock {
	return chain.Clock{Height: cw721.Height(height), Time: cw721.Time(seconds * 1e9), SecondsPerBlock: 5}
}

// expectRangeError expects a [*chain.RangeError].
func expectRangeError(t *testing.T, err error) {
	t.Helper()
	if !errors.As(err, new(*chain.RangeError)) {
		t.Errorf("got error %v, want a range error", err)
	}
}

func TestBlocksAddTimeAndADurationAddsTheWholeBlocksThatFitIntoIt(t *testing.T) {
	w := New(t)
	for _, test := range []struct {
		step chain.ClockStep
		want chain.Clock
	}{
		{chain.ClockStep{Blocks: 3}, clockAt(103, 1015)},
		{chain.ClockStep{Duration: 14 * time.Second}, clockAt(105, 1029)},
		{chain.ClockStep{Duration: time.Second}, clockAt(105, 1030)},
		{chain.ClockStep{Blocks: 2, Duration: 6 * time.Second}, clockAt(108, 1046)},
	} {
		Same(t, "the clock after a move", test.want, Must(w.C.Advance(test.step))(t).To)
		Same(t, "the stored clock", test.want, w.Clock())
	}
}

func TestSettingOneAxisLeavesTheOtherAndNeverGoesBack(t *testing.T) {
	w := New(t)
	height := func(h cw721.Height) *cw721.Height { return &h }
	seconds := func(s cw721.Time) *cw721.Time { return new(s * 1e9) }

	Must(w.C.Advance(chain.ClockStep{Height: height(105)}))(t)
	Same(t, "after the height was set", clockAt(105, 1000), w.Clock())
	Must(w.C.Advance(chain.ClockStep{Time: seconds(2000)}))(t)
	Same(t, "after the time was set", clockAt(105, 2000), w.Clock())

	before := w.Everything()
	for _, step := range []chain.ClockStep{
		{Height: height(104)},
		{Time: seconds(1999)},
		{Height: height(200), Time: seconds(1)},
		{Height: height(1), Time: seconds(3000)},
	} {
		_, err := w.C.Advance(step)
		expectRangeError(t, err)
	}
	Same(t, "after going back was refused", before, w.Everything())
}

func TestTheClockGoesUpToTheLastBlockAndNoFurther(t *testing.T) {
	beforeLast := chain.Clock{Height: math.MaxUint64 - 1, Time: math.MaxUint64 - 5e9, SecondsPerBlock: 5}
	last := Must(beforeLast.Forward(1, 0))(t)
	Same(t, "the last block", chain.Clock{Height: math.MaxUint64, Time: math.MaxUint64, SecondsPerBlock: 5}, last)

	for name, move := range map[string]struct {
		from     chain.Clock
		blocks   uint64
		duration time.Duration
	}{
		"a block after the last height":    {from: chain.Clock{Height: math.MaxUint64, SecondsPerBlock: 1}, blocks: 1},
		"a nanosecond after the last time": {from: last, duration: 1},
		"all blocks at once":               {from: clockAt(100, 1000), blocks: math.MaxUint64},
		"blocks that overflow the time":    {from: clockAt(100, 1000), blocks: math.MaxUint64 / 5_000_000_000},
		"a negative duration":              {from: clockAt(100, 1000), duration: -1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := move.from.Forward(move.blocks, move.duration)
			expectRangeError(t, err)
		})
	}
}

func TestTheEstimatedTimeOfAHeightStaysBetweenZeroAndTheLastTime(t *testing.T) {
	c := clockAt(100, 1000)
	for h, want := range map[cw721.Height]cw721.Time{
		100: 1000e9, 101: 1005e9, 99: 995e9, 0: 500e9, math.MaxUint64: math.MaxUint64,
	} {
		Same(t, "the estimate of a height", want, c.EstimateTimeAt(h))
	}
	late := chain.Clock{Height: 1, Time: math.MaxUint64 - 5e9, SecondsPerBlock: 5}
	Same(t, "the estimate of the last block", cw721.Time(math.MaxUint64), late.EstimateTimeAt(2))
	Same(t, "the estimate of one after it", cw721.Time(math.MaxUint64), late.EstimateTimeAt(3))
	Same(t, "an estimate before all time", cw721.Time(0), clockAt(1000, 1).EstimateTimeAt(1))
	Same(t, "an estimate far before all time", cw721.Time(0), chain.Clock{Height: math.MaxUint64, SecondsPerBlock: 5}.EstimateTimeAt(0))
}

// worldWithApprovals returns a world in which bob has an approval with each expiry, on the
// tokens "a", "b" and so on of alice.
func worldWithApprovals(t *testing.T, expires ...string) *World {
	t.Helper()
	w := New(t)
	for i, e := range expires {
		id := string(rune('a' + i))
		w.Mint(id, "alice")
		w.Do("alice", `{"approve":{"spender":"$bob","token_id":%q,"expires":%s}}`, id, e)
	}
	return w
}

func TestTheNextExpiryIsTheEarliestWithHeightsAtTheirEstimatedTimes(t *testing.T) {
	// Height 104 is expected at 1,020 s.
	w := worldWithApprovals(t, `{"at_height":104}`, `{"at_time":"1019999999999"}`, `{"at_time":"1020000000001"}`, `{"never":{}}`)
	toNext := chain.ClockStep{ToNext: true}

	first := Must(w.C.Advance(toNext))(t)
	Same(t, "the clock at the first expiry", chain.Clock{Height: 103, Time: 1019999999999, SecondsPerBlock: 5}, first.To)
	Same(t, "the token that expired first", []string{"b"}, expiredTokens(first))

	second := Must(w.C.Advance(toNext))(t)
	Same(t, "the height at the second expiry", cw721.Height(103), second.To.Height)
	Same(t, "the token that expired second", []string{"c"}, expiredTokens(second))

	third := Must(w.C.Advance(toNext))(t)
	Same(t, "the height at the third expiry", cw721.Height(104), third.To.Height)
	Same(t, "the token that expired last", []string{"a"}, expiredTokens(third))
	if third.Next != nil {
		t.Errorf("%v still expires", third.Next)
	}

	before := w.Everything()
	Fails(w.C.Advance(toNext))(t, "moving on", chain.ErrNothingExpires)
	Same(t, "the store when nothing expires", before, w.Everything())
}

// expiredTokens returns the tokens of the approvals that a move let expire.
func expiredTokens(m chain.Move) (ids []string) {
	for _, e := range m.Expired {
		ids = append(ids, e.Token)
	}
	return ids
}

func TestAHeightAndATimeInOneBlockExpireTogether(t *testing.T) {
	w := worldWithApprovals(t, `{"at_height":104}`, `{"at_time":"1020000000000"}`)
	m := Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "the clock", clockAt(104, 1020), m.To)
	Same(t, "the tokens that expired", []string{"a", "b"}, expiredTokens(m))
}

func TestJustBeforeIsTheLastBlockOrNanosecondInWhichAGrantIsLive(t *testing.T) {
	for name, test := range map[string]struct {
		expires string
		want    chain.Clock
	}{
		"a height": {`{"at_height":104}`, clockAt(103, 1015)},
		"a time":   {`{"at_time":"1020000000000"}`, chain.Clock{Height: 103, Time: 1019999999999, SecondsPerBlock: 5}},
	} {
		t.Run(name, func(t *testing.T) {
			w := worldWithApprovals(t, test.expires)
			m := Must(w.C.Advance(chain.ClockStep{StopsBefore: true}))(t)
			Same(t, "the clock", test.want, m.To)
			if len(m.Expired) > 0 || m.Next == nil {
				t.Errorf("%v expired and %v is next, want a live grant that is next", m.Expired, m.Next)
			}
			before := w.Everything()
			Fails(w.C.Advance(chain.ClockStep{StopsBefore: true}))(t, "going there again", chain.ErrJustBefore)
			Same(t, "the store after that", before, w.Everything())

			m = Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
			Same(t, "the token that expires one unit later", []string{"a"}, expiredTokens(m))
		})
	}
}

func TestAnExpiryAtTheLastTimeCanBeReachedAndOneAtTheLastHeightCannot(t *testing.T) {
	w := worldWithApprovals(t, `{"at_time":"18446744073709551615"}`)
	m := Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "the last nanosecond", cw721.Time(math.MaxUint64), m.To.Time)
	Same(t, "the token that expired", []string{"a"}, expiredTokens(m))

	w = worldWithApprovals(t, `{"at_height":18446744073709551615}`)
	_, err := w.C.Advance(chain.ClockStep{ToNext: true})
	expectRangeError(t, err)
	Same(t, "the clock", clockAt(100, 1000), w.Clock())
}

func TestAMoveThatGoesNowhereWritesNothing(t *testing.T) {
	w := New(t)
	before := w.Everything()
	m := Must(w.C.Advance(chain.ClockStep{}))(t)
	Must(w.C.SetPace(5))(t)
	Same(t, "the store", before, w.Everything())
	w.View(func(v *chain.View) { Same(t, "the revision", v.Revision, m.Revision) })
}

func TestThePaceHoldsForLaterMovesAndMustBeInItsRange(t *testing.T) {
	w := New(t)
	Must(w.C.SetPace(7))(t)
	m := Must(w.C.Advance(chain.ClockStep{Blocks: 2}))(t)
	Same(t, "after two blocks", chain.Clock{Height: 102, Time: 1014e9, SecondsPerBlock: 7}, m.To)
	for _, seconds := range []uint64{0, 86_401, math.MaxUint64} {
		_, err := w.C.SetPace(seconds)
		expectRangeError(t, err)
	}
	Must(w.C.Undo(2))(t)
	Same(t, "after undo", clockAt(100, 1000), w.Clock())
}

func TestAChainCannotHaveAPaceOutOfRange(t *testing.T) {
	g := Genesis()
	g.Clock.SecondsPerBlock = math.MaxUint64
	_, err := Must(chain.Open(Memory(t)))(t).Create(g, Address("creator"), []byte(Founding))
	expectRangeError(t, err)
}

func TestAMoveListsAThousandExpiredGrantsAndWhetherThereAreMore(t *testing.T) {
	w := New(t)
	for i := range 1001 {
		operator := Address(fmt.Sprint("operator", i))
		w.Do("alice", `{"approve_all":{"operator":%q,"expires":{"at_height":%d}}}`, operator, 101+i%7)
	}
	m := Must(w.C.Advance(chain.ClockStep{Blocks: 10}))(t)
	if len(m.Expired) != 1000 || !m.HasMoreExpired {
		t.Errorf("listed %d, more %v; want a thousand and more", len(m.Expired), m.HasMoreExpired)
	}
}
