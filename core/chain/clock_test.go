package chain_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

func clockAt(height, seconds uint64) chain.Clock {
	return chain.Clock{Height: cw721.Height(height), Time: cw721.Time(seconds * 1e9), SecondsPerBlock: 5}
}

func outOfRange(t *testing.T, err error) {
	t.Helper()
	var out *chain.RangeError
	if !errors.As(err, &out) {
		t.Errorf("got error %v, want one that says what the range is", err)
	}
}

func TestBlocksTakeTheirSecondsAndADurationBringsTheWholeBlocksThatFitIntoIt(t *testing.T) {
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

func TestSetMovesOnlyTheAxisThatIsNamedAndNeverBack(t *testing.T) {
	w := New(t)
	to := func(h uint64) *cw721.Height { return (*cw721.Height)(&h) }
	at := func(s uint64) *cw721.Time { n := cw721.Time(s * 1e9); return &n }
	Must(w.C.Advance(chain.ClockStep{Height: to(105)}))(t)
	Same(t, "after the height was set", clockAt(105, 1000), w.Clock())
	Must(w.C.Advance(chain.ClockStep{Time: at(2000)}))(t)
	Same(t, "after the time was set", clockAt(105, 2000), w.Clock())
	before := w.Everything()
	for _, step := range []chain.ClockStep{{Height: to(104)}, {Time: at(1999)}, {Height: to(200), Time: at(1)}, {Height: to(1), Time: at(3000)}} {
		_, err := w.C.Advance(step)
		outOfRange(t, err)
	}
	Same(t, "after going back was refused", before, w.Everything())
}

func TestTheClockGoesUpToTheLastBlockAndNoFurther(t *testing.T) {
	last := chain.Clock{Height: math.MaxUint64 - 1, Time: math.MaxUint64 - 5e9, SecondsPerBlock: 5}
	got := Must(last.Forward(1, 0))(t)
	Same(t, "the very last block", chain.Clock{Height: math.MaxUint64, Time: math.MaxUint64, SecondsPerBlock: 5}, got)
	for name, move := range map[string]func() (chain.Clock, error){
		"a block past the last height": func() (chain.Clock, error) {
			return chain.Clock{Height: math.MaxUint64, SecondsPerBlock: 1}.Forward(1, 0)
		},
		"a nanosecond past the last": func() (chain.Clock, error) { return got.Forward(0, 1) },
		"all blocks at once":         func() (chain.Clock, error) { return clockAt(100, 1000).Forward(math.MaxUint64, 0) },
		"blocks that time has no room for": func() (chain.Clock, error) {
			return clockAt(100, 1000).Forward(math.MaxUint64/5_000_000_000, 0)
		},
		"backwards": func() (chain.Clock, error) { return clockAt(100, 1000).Forward(0, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := move()
			outOfRange(t, err)
		})
	}
}

func TestAnEstimateStopsAtTheEdgesOfTime(t *testing.T) {
	c := clockAt(100, 1000)
	for h, want := range map[cw721.Height]cw721.Time{
		100: 1000e9, 101: 1005e9, 99: 995e9, 0: 500e9, math.MaxUint64: math.MaxUint64,
	} {
		Same(t, "the estimate of a height", want, c.At(h))
	}
	late := chain.Clock{Height: 1, Time: math.MaxUint64 - 5e9, SecondsPerBlock: 5}
	Same(t, "the estimate of the last block", cw721.Time(math.MaxUint64), late.At(2))
	Same(t, "the estimate of one after it", cw721.Time(math.MaxUint64), late.At(3))
	Same(t, "an estimate before all time", cw721.Time(0), clockAt(1000, 1).At(1))
	Same(t, "an estimate far before all time", cw721.Time(0), chain.Clock{Height: math.MaxUint64, SecondsPerBlock: 5}.At(0))
}

// ends gives bob approvals of alice's tokens, each with its end.
func ends(t *testing.T, expires ...string) *World {
	t.Helper()
	w := New(t)
	for i, e := range expires {
		id := string(rune('a' + i))
		w.Mint(id, "alice")
		w.Do("alice", `{"approve":{"spender":"$bob","token_id":%q,"expires":%s}}`, id, e)
	}
	return w
}

func TestNextGoesToTheEarliestEndWhereAHeightCountsByItsEstimatedTime(t *testing.T) {
	// Height 104 is expected at 1,020 s.
	w := ends(t, `{"at_height":104}`, `{"at_time":"1019999999999"}`, `{"at_time":"1020000000001"}`, `{"never":{}}`)
	m := Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "the first end", chain.Clock{Height: 103, Time: 1019999999999, SecondsPerBlock: 5}, m.To)
	Same(t, "what ended", []string{"b"}, tokensOf(m))
	m = Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "the height of the third end comes with the second", cw721.Height(103), m.To.Height)
	Same(t, "what ended then", []string{"c"}, tokensOf(m))
	m = Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "the last end", cw721.Height(104), m.To.Height)
	Same(t, "what ended at last", []string{"a"}, tokensOf(m))
	if m.Next != nil {
		t.Errorf("after the last end %v should still end", m.Next)
	}
	before := w.Everything()
	if _, err := w.C.Advance(chain.ClockStep{ToNext: true}); !errors.Is(err, chain.ErrNothingExpires) {
		t.Errorf("got %v, want that nothing will end", err)
	}
	Same(t, "after nothing was left", before, w.Everything())
}

func tokensOf(m chain.Move) (ids []string) {
	for _, e := range m.Expired {
		ids = append(ids, e.Token)
	}
	return ids
}

func TestEndsOfBothAxesThatFallTogetherEndTogether(t *testing.T) {
	w := ends(t, `{"at_height":104}`, `{"at_time":"1020000000000"}`)
	m := Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "the clock", clockAt(104, 1020), m.To)
	Same(t, "what ended", []string{"a", "b"}, tokensOf(m))
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
			w := ends(t, test.expires)
			m := Must(w.C.Advance(chain.ClockStep{Before: true}))(t)
			Same(t, "the clock", test.want, m.To)
			if len(m.Expired) > 0 || m.Next == nil {
				t.Errorf("ended %v, next %v; want it live and next", m.Expired, m.Next)
			}
			before := w.Everything()
			if _, err := w.C.Advance(chain.ClockStep{Before: true}); !errors.Is(err, chain.ErrJustBefore) {
				t.Errorf("got %v, want that the clock is there already", err)
			}
			Same(t, "after that", before, w.Everything())
			m = Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
			Same(t, "what ended one step later", []string{"a"}, tokensOf(m))
		})
	}
}

func TestAnEndAtTheLastNanosecondCanBeReachedAndOneAtTheLastHeightIsOutOfTime(t *testing.T) {
	w := ends(t, `{"at_time":"18446744073709551615"}`)
	m := Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "the last nanosecond", cw721.Time(math.MaxUint64), m.To.Time)
	Same(t, "what ended", []string{"a"}, tokensOf(m))

	w = ends(t, `{"at_height":18446744073709551615}`)
	_, err := w.C.Advance(chain.ClockStep{ToNext: true})
	outOfRange(t, err)
	Same(t, "the clock", clockAt(100, 1000), w.Clock())
}

func TestAMoveThatGoesNowhereLeavesNothing(t *testing.T) {
	w := New(t)
	before := w.Everything()
	m := Must(w.C.Advance(chain.ClockStep{}))(t)
	Must(w.C.SetPace(5))(t)
	Same(t, "the store", before, w.Everything())
	w.View(func(v *chain.View) { Same(t, "the revision", v.Revision, m.Revision) })
}

func TestThePaceCountsFromNowOnAndKeepsToItsRange(t *testing.T) {
	w := New(t)
	Must(w.C.SetPace(7))(t)
	m := Must(w.C.Advance(chain.ClockStep{Blocks: 2}))(t)
	Same(t, "after two blocks", chain.Clock{Height: 102, Time: 1014e9, SecondsPerBlock: 7}, m.To)
	for _, seconds := range []uint64{0, 86_401, math.MaxUint64} {
		_, err := w.C.SetPace(seconds)
		outOfRange(t, err)
	}
	Must(w.C.Undo(2))(t)
	Same(t, "after undo", clockAt(100, 1000), w.Clock())
}

func TestAChainIsNotMadeWithAPaceOutOfRange(t *testing.T) {
	g := Genesis()
	g.Clock.SecondsPerBlock = math.MaxUint64
	_, err := Must(chain.Open(Memory(t)))(t).Create(g, Address("creator"), []byte(Founding))
	outOfRange(t, err)
}

func TestAMoveListsAThousandEndsAndSaysWhenThereAreMore(t *testing.T) {
	w := New(t)
	for i := range 1001 {
		w.Do("alice", `{"approve_all":{"operator":%q,"expires":{"at_height":%d}}}`, Address(string(rune('a'+i%26))+string(rune('a'+i/26))), 101+i%7)
	}
	m := Must(w.C.Advance(chain.ClockStep{Blocks: 10}))(t)
	if len(m.Expired) != 1000 || !m.HasMoreExpired {
		t.Errorf("listed %d, more %v; want a thousand and more", len(m.Expired), m.HasMoreExpired)
	}
}
