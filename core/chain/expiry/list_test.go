package expiry

import (
	"iter"
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
	for range rapid.IntRange(0, 40).Draw(t, "n") {
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
			l.Order == ByExpiry && l.Owner != "" && g.Owner != l.Owner,
			l.Order == ByExpiry && l.Owner == "" && l.Spender != "" && g.Spender != l.Spender:
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

// lists are all the lists that there are of what grants draws.
func lists() (all []List) {
	for _, live := range []bool{false, true} {
		for _, operators := range []bool{false, true} {
			for _, index := range []Index{{}, {Owner: "a"}, {Spender: "b"}} {
				index.Operators = operators
				all = append(all, List{Index: index, Live: live})
			}
			for _, order := range []Order{ByOwner, BySpender} {
				all = append(all, List{Index: Index{Operators: operators}, Order: order, Live: live})
			}
		}
		all = append(all, List{Order: ByToken, Live: live})
	}
	return all
}

// part is what a walk should give of a list, from the grant of a number in it;
// -1 is no place.
func part(list []cw721.Grant, from int, w Walk) []cw721.Grant {
	switch {
	case from < 0:
	case w.Reverse && w.Inclusive:
		list = list[:from+1]
	case w.Reverse:
		list = list[:from]
	case w.Inclusive:
		list = list[from:]
	default:
		list = list[from+1:]
	}
	list = append([]cw721.Grant{}, list...)
	if w.Reverse {
		slices.Reverse(list)
	}
	return list
}

// Drawn places would hardly ever lie where two axes meet, so every place of
// every list is tried, in both directions.
func listed(t *rapid.T, entries iter.Seq2[Entry, error]) []cw721.Grant {
	got := []cw721.Grant{}
	for e, err := range entries {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Grant)
	}
	return got
}

func TestAListReadFromAnyPlaceGoesOnAsTheWholeListDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := grants(t)
		db := kv.NewMemory()
		_ = db.Update(func(txn kv.Txn) error {
			for _, g := range all {
				for _, k := range keys(g) {
					_ = txn.Set(k, value(Entry{Grant: g}))
				}
			}
			return nil
		})
		moment := rapid.OneOf(rapid.Uint64Range(0, 13), rapid.Just(forever))
		now := cw721.Block{Height: cw721.Height(moment.Draw(t, "height")), Time: cw721.Time(moment.Draw(t, "time"))}
		_ = db.View(func(r kv.Reader) error {
			x := NewReader(r, now, pace)
			noPlace := "x"
			if diff := gocmp.Diff(listed(t, x.List(List{}, Walk{})), listed(t, x.List(List{}, Walk{Place: &noPlace}))); diff != "" {
				t.Fatalf("from a text that is no place: -want +got\n%s", diff)
			}
			if got := listed(t, x.Expired(now)); len(got) > 0 {
				t.Fatalf("%v expired since now, at %+v", got, now)
			}
			for _, l := range lists() {
				whole := sorted(all, l, now)
				for from := -1; from < len(whole); from++ {
					for form := range 4 {
						w := Walk{Reverse: form&1 != 0, Inclusive: form&2 != 0}
						if from >= 0 {
							place := l.Place(whole[from])
							w.Place = &place
						}
						if diff := gocmp.Diff(part(whole, from, w), listed(t, x.List(l, w))); diff != "" {
							t.Fatalf("%+v from %d of %d, %+v, in %+v: -want +got\n%s", l, from, len(whole), w, now, diff)
						}
					}
				}
			}
			return nil
		})
	})
}
