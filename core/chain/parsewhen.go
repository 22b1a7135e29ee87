package chain

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

// MomentHelp is how a moment can be typed.
const MomentHelp = "now, next, before-next, 1110, +10, -10, +90m, 2026-11-21 12:40, #12, or the name of a snapshot"

// MomentError says that a text is no moment, or one that cannot be looked at.
type MomentError struct{ Text string }

func (e *MomentError) Error() string { return e.Text }

// IsNameError tells whether an error is about a text that was to name an account or a
// moment: another text would have done.
func IsNameError(err error) bool {
	return cw721.AsError(err) != nil || errors.As(err, new(*UnknownAccountError)) || errors.As(err, new(*MomentError)) ||
		errors.As(err, new(*RangeError)) || errors.As(err, new(*history.UnknownNodeError))
}

// seemsTime is a number that is hardly a height: a block time of 1973.
const seemsTime = uint64(1e17)

var nodeNumber = regexp.MustCompile(`^#([0-9]+)$`)

// ParseMoment gives the moment that a text means, see [MomentHelp]: a bare number is
// a height, a signed one is blocks from now, a date is in UTC. It fails with a
// [*MomentError], and as the other ways to name a moment do.
func (v *View) ParseMoment(text string) (Moment, error) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "", "now":
		return v.Now(), nil
	case "next":
		return v.NextMoment(false)
	case "before-next", "before next":
		return v.NextMoment(true)
	}
	names, err := v.Snapshots()
	if i := slices.IndexFunc(names, func(n history.Name) bool { return n.Name == text }); i >= 0 {
		return v.MomentOfNode(names[i].ID)
	} else if err != nil {
		return Moment{}, err
	}
	if m := nodeNumber.FindStringSubmatch(text); m != nil {
		id, err := strconv.ParseUint(m[1], 10, 64)
		if err != nil {
			return Moment{}, &MomentError{fmt.Sprintf("%q is more than the history counts", text)}
		}
		return v.MomentOfNode(history.ID(id))
	}
	if n, err := counted(text); err == nil && n < seemsTime {
		return v.MomentAt(cw721.UntilHeight(cw721.Height(n)))
	}
	moment := MomentParser{Not: "moment", Help: MomentHelp, Exact: true}
	if rest, back := strings.CutPrefix(text, "-"); back {
		far, err := moment.Parse("+"+rest, Clock{})
		if err != nil {
			return Moment{}, err
		}
		now, _, _ := far.NowAndEnd(v.Clock.Block())
		return v.MomentAt(cw721.Expiration{Axis: far.Axis, Value: now - min(now, far.Value)})
	}
	at, err := moment.Parse(text, v.Clock)
	if err != nil {
		return Moment{}, err
	}
	return v.MomentAt(at)
}
