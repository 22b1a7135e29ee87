package chain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

// WhenHelp is how a moment can be typed.
const WhenHelp = "now, next, before-next, 1110, +10, -10, +90m, 2026-11-21 12:40, #12, or the name of a snapshot"

// WhenError says that a text is no moment, or one that cannot be looked at.
type WhenError struct{ Text string }

func (e *WhenError) Error() string { return e.Text }

// seemsTime is a number that is hardly a height: a block time of 1973.
const seemsTime = uint64(1e17)

var (
	plainHeight = regexp.MustCompile(`^h?([0-9][0-9,_]*)$`)
	nanoseconds = regexp.MustCompile(`^([0-9][0-9,_]*) ?ns$`)
	nodeNumber  = regexp.MustCompile(`^#([0-9]+)$`)
	distance    = regexp.MustCompile(`^([+-]) ?([0-9][0-9,_]*) ?(?:b|blocks?)?$`)
)

// WhenText gives the moment that a text means, see [WhenHelp]: a bare number is
// a height, a signed one is blocks from now, a date is in UTC. It fails with a
// [*WhenError], and as the other ways to name a moment do.
func (v *View) WhenText(text string) (When, error) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "", "now":
		return v.Now(), nil
	case "next":
		return v.WhenNext(false)
	case "before-next", "before next":
		return v.WhenNext(true)
	}
	if names, err := v.Snapshots(); err != nil {
		return When{}, err
	} else if id := named(names, text); id != 0 {
		return v.WhenNode(id)
	}
	if m := nodeNumber.FindStringSubmatch(text); m != nil {
		id, err := strconv.ParseUint(m[1], 10, 64)
		if err != nil {
			return When{}, &WhenError{fmt.Sprintf("%q is more than the history counts", text)}
		}
		return v.WhenNode(history.ID(id))
	}
	return v.whenNumber(text)
}

func named(names []history.Name, text string) history.ID {
	for _, n := range names {
		if n.Name == text {
			return n.ID
		}
	}
	return 0
}

// whenNumber reads what is counted: heights, distances and times.
func (v *View) whenNumber(text string) (When, error) {
	low := strings.ToLower(text)
	if m := plainHeight.FindStringSubmatch(low); m != nil {
		n, err := counted(m[1])
		switch {
		case err != nil:
			return When{}, &WhenError{fmt.Sprintf("%q is beyond the last height there can be", text)}
		case n >= seemsTime && low[0] != 'h':
			return When{}, &WhenError{fmt.Sprintf("%s of what? write %sns for a block time, or h%s for a height", text, m[1], m[1])}
		}
		return v.WhenHeight(cw721.Height(n))
	}
	if m := nanoseconds.FindStringSubmatch(low); m != nil {
		n, err := counted(m[1])
		if err != nil {
			return When{}, &WhenError{fmt.Sprintf("%q is beyond the last block time there can be", text)}
		}
		return v.WhenTime(cw721.Time(n))
	}
	if m := distance.FindStringSubmatch(low); m != nil {
		n, err := counted(m[2])
		switch {
		case err != nil:
			return When{}, &WhenError{fmt.Sprintf("%q is more blocks than there can be", text)}
		case m[1] == "-":
			return v.WhenHeight(v.Clock.Height - min(v.Clock.Height, cw721.Height(n)))
		case uint64(v.Clock.Height)+n < n:
			return When{}, &WhenError{fmt.Sprintf("%q goes beyond the last height there can be", text)}
		}
		return v.WhenHeight(v.Clock.Height + cw721.Height(n))
	}
	return v.whenClock(text, low)
}

// whenClock reads durations and dates.
func (v *View) whenClock(text, low string) (When, error) {
	if rest := strings.TrimLeft(low, "+-"); len(rest) == len(low)-1 {
		d, err := time.ParseDuration(strings.ReplaceAll(rest, " ", ""))
		switch {
		case err != nil:
		case low[0] == '-':
			return v.WhenTime(v.Clock.Time - min(v.Clock.Time, cw721.Time(d)))
		case uint64(v.Clock.Time)+uint64(d) < uint64(d):
			return When{}, &WhenError{fmt.Sprintf("%q goes beyond the last block time there can be", text)}
		default:
			return v.WhenTime(v.Clock.Time + cw721.Time(d))
		}
	}
	if t, ok := ParseDate(text); ok {
		if at, ok := BlockTime(t); ok {
			return v.WhenTime(at)
		}
	}
	return When{}, &WhenError{fmt.Sprintf("%q is no moment, expected one of: %s", text, WhenHelp)}
}

func counted(s string) (uint64, error) {
	return strconv.ParseUint(strings.NewReplacer(",", "", "_", "").Replace(s), 10, 64)
}
