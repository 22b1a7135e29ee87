package agenda

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// grants draws a few grants of all kinds whose ends lie close together, with
// the last values of both axes among them.
func grants(t *rapid.T) []cw721.Grant {
	who := rapid.SampledFrom([]cw721.Address{"a", "ab", "b"})
	end := rapid.OneOf(rapid.Uint64Range(0, 12), rapid.Just(forever), rapid.Just(forever-1))
	seen := map[string]bool{}
	var out []cw721.Grant
	for range rapid.IntRange(0, 25).Draw(t, "n") {
		g := cw721.Grant{
			Kind:    rapid.SampledFrom([]cw721.GrantKind{cw721.GrantApproval, cw721.GrantOperator}).Draw(t, "kind"),
			Owner:   who.Draw(t, "owner"),
			Spender: who.Draw(t, "spender"),
			Expires: cw721.Expiration{Axis: cw721.Axis(rapid.IntRange(0, 2).Draw(t, "axis"))},
		}
		if g.Kind == cw721.GrantApproval {
			g.Token = rapid.SampledFrom([]string{"", "t", "t\x00", "t\x00\x01", "u"}).Draw(t, "token")
		}
		if g.Expires.Axis != cw721.Never {
			g.Expires.Value = end.Draw(t, "end")
		}
		if id := string(identity(nil, g)); !seen[id] {
			seen[id] = true
			out = append(out, g)
		}
	}
	return out
}

// pace is an estimate that gives several heights one time, and ends early.
func pace(h cw721.Height) cw721.Time { return cw721.Time(min(uint64(h)/2*3, forever-5)) }

// sorted is what a list should be, without any index.
func sorted(all []cw721.Grant, l List, now cw721.Block) []cw721.Grant {
	var out []cw721.Grant
	for _, g := range all {
		switch {
		case l.Live && g.Expires.Expired(now),
			l.Operators && g.Kind != cw721.GrantOperator,
			l.Order == ByToken && g.Kind != cw721.GrantApproval,
			l.Order == ByEnd && l.Owner != "" && g.Owner != l.Owner,
			l.Order == ByEnd && l.Owner == "" && l.Spender != "" && g.Spender != l.Spender:
		default:
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b cw721.Grant) int {
		switch {
		case l.Before(a, b, now, pace):
			return -1
		case l.Before(b, a, now, pace):
			return 1
		}
		return 0
	})
	return out
}

func TestAListReadFromAnyPlaceGoesOnAsTheWholeListDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := grants(t)
		db := kv.NewMemory()
		err := db.Update(func(txn kv.Txn) error {
			for _, g := range all {
				for _, k := range keys(g) {
					if err := txn.Set(k, value(Entry{Grant: g})); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		l := List{Order: Order(rapid.IntRange(0, 3).Draw(t, "order")), Live: rapid.Bool().Draw(t, "live")}
		l.Operators = l.Order != ByToken && rapid.Bool().Draw(t, "operators")
		if l.Order == ByEnd {
			l.Owner = rapid.SampledFrom([]cw721.Address{"", "a"}).Draw(t, "of")
			l.Spender = rapid.SampledFrom([]cw721.Address{"", "b"}).Draw(t, "to")
		}
		moment := rapid.OneOf(rapid.Uint64Range(0, 13), rapid.Just(forever))
		now := cw721.Block{Height: cw721.Height(moment.Draw(t, "height")), Time: cw721.Time(moment.Draw(t, "time"))}
		want := sorted(all, l, now)

		w := Walk{Reverse: rapid.Bool().Draw(t, "reverse"), Inclusive: rapid.Bool().Draw(t, "inclusive")}
		from := rapid.IntRange(-1, len(want)-1).Draw(t, "from")
		if from >= 0 {
			place := l.Place(want[from])
			w.Place = &place
			switch { // what a walk from there should give, before it is turned round
			case w.Reverse && w.Inclusive:
				want = want[:from+1]
			case w.Reverse:
				want = want[:from]
			case w.Inclusive:
				want = want[from:]
			default:
				want = want[from+1:]
			}
		}
		want = slices.Clone(want)
		if w.Reverse {
			slices.Reverse(want)
		}
		got := []cw721.Grant{}
		err = db.View(func(r kv.Reader) error {
			for e, err := range l.Walk(r, now, pace, w) {
				if err != nil {
					return err
				}
				got = append(got, e.Grant)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(append([]cw721.Grant{}, want...), got); diff != "" {
			t.Fatalf("%+v from %d in %+v: -want +got\n%s", l, from, now, diff)
		}
	})
}
