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

// drawGrants draws grants of several kinds that expire close together, some of them at
// the last heights and times.
func drawGrants(t *rapid.T) (grants []cw721.Grant) {
	account := rapid.SampledFrom([]cw721.Address{"a", "ab", "b"})
	kind := rapid.SampledFrom([]cw721.GrantKind{cw721.GrantApproval, cw721.GrantOperator})
	token := rapid.SampledFrom([]string{"", "t", "t\x00", "t\x00\x01", "u"})
	end := rapid.OneOf(rapid.Uint64Range(0, 12), rapid.Just(maxEnd), rapid.Just(maxEnd-1))

	drawn := map[string]bool{}
	for range rapid.IntRange(0, 40).Draw(t, "grants") {
		g := cw721.Grant{
			Kind:    kind.Draw(t, "kind"),
			Owner:   account.Draw(t, "owner"),
			Spender: account.Draw(t, "spender"),
			Expires: cw721.Expiration{Axis: cw721.Axis(rapid.IntRange(0, 2).Draw(t, "axis"))},
		}
		if g.Kind == cw721.GrantApproval {
			g.Token = token.Draw(t, "token")
		}
		if g.Expires.Axis != cw721.Never {
			g.Expires.Value = end.Draw(t, "end")
		}
		identity := string(appendIdentity(nil, g))
		if !drawn[identity] {
			drawn[identity] = true
			grants = append(grants, g)
		}
	}
	return grants
}

// coarseEstimate expects pairs of heights at the same time, and all late heights at
// another.
func coarseEstimate(h cw721.Height) cw721.Time {
	return cw721.Time(min(uint64(h)/2*3, maxEnd-5))
}

// expectedList filters and sorts grants as a list does, without any index.
func expectedList(grants []cw721.Grant, l List, now cw721.Block) []cw721.Grant {
	isLeftOut := func(g cw721.Grant) bool {
		switch {
		case l.OnlyLive && g.Expires.HasExpired(now):
			return true
		case l.OnlyOperators && g.Kind != cw721.GrantOperator:
			return true
		case l.Order == ByToken:
			return g.Kind != cw721.GrantApproval
		case l.Owner != "":
			return g.Owner != l.Owner
		case l.Spender != "":
			return g.Spender != l.Spender
		}
		return false
	}
	list := slices.DeleteFunc(slices.Clone(grants), isLeftOut)
	slices.SortFunc(list, func(a, b cw721.Grant) int {
		switch {
		case l.Before(a, b, now, coarseEstimate):
			return -1
		case l.Before(b, a, now, coarseEstimate):
			return 1
		}
		return 0
	})
	return list
}

// allLists returns every kind of list of what [drawGrants] draws.
func allLists() (lists []List) {
	for _, live := range []bool{false, true} {
		for _, operators := range []bool{false, true} {
			for _, index := range []Index{{}, {Owner: "a"}, {Spender: "b"}} {
				index.OnlyOperators = operators
				lists = append(lists, List{Index: index, OnlyLive: live}, List{Index: index, Order: ByRisk, OnlyLive: live})
			}
			for _, order := range []Order{ByOwner, BySpender} {
				lists = append(lists, List{Index: Index{OnlyOperators: operators}, Order: order, OnlyLive: live})
			}
		}
		lists = append(lists, List{Order: ByToken, OnlyLive: live})
	}
	return lists
}

// expectedPart returns what a walk visits of a list, from the grant with an index; -1 is
// no place.
func expectedPart(list []cw721.Grant, from int, w Walk) []cw721.Grant {
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
	part := append([]cw721.Grant{}, list...)
	if w.Reverse {
		slices.Reverse(part)
	}
	return part
}

// grantsOf collects the grants of entries.
func grantsOf(t *rapid.T, entries iter.Seq2[Entry, error]) []cw721.Grant {
	grants := []cw721.Grant{}
	for e, err := range entries {
		if err != nil {
			t.Fatal(err)
		}
		grants = append(grants, e.Grant)
	}
	return grants
}

// Drawn places would hardly ever lie where two axes meet, so every place of every list
// is tried, in both directions.
func TestAListReadFromAnyPlaceGoesOnAsTheWholeListDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grants := drawGrants(t)
		moment := rapid.OneOf(rapid.Uint64Range(0, 13), rapid.Just(maxEnd))
		now := cw721.Block{
			Height: cw721.Height(moment.Draw(t, "height")),
			Time:   cw721.Time(moment.Draw(t, "time")),
		}
		_ = storeOf(grants).View(func(r kv.Reader) error {
			x := NewReader(r, cw721.CurrentLayout, now, coarseEstimate)
			for _, l := range allLists() {
				list := expectedList(grants, l, now)
				for from := -1; from < len(list); from++ {
					checkWalks(t, x, l, list, from)
				}
			}

			noPlace := "x"
			fromNoPlace := grantsOf(t, x.List(List{}, Walk{Place: &noPlace}))
			if diff := gocmp.Diff(grantsOf(t, x.List(List{}, Walk{})), fromNoPlace); diff != "" {
				t.Fatalf("from a text that is no place: -want +got\n%s", diff)
			}
			if expired := grantsOf(t, x.ExpiredSince(now)); len(expired) > 0 {
				t.Fatalf("%v expired since now, at %+v", expired, now)
			}
			return nil
		})
	})
}

// checkWalks compares all walks over a list from one of its grants with what they should
// visit.
func checkWalks(t *rapid.T, x Reader, l List, list []cw721.Grant, from int) {
	for _, w := range []Walk{{}, {Reverse: true}, {Inclusive: true}, {Reverse: true, Inclusive: true}} {
		if from >= 0 {
			place := l.Place(list[from])
			w.Place = &place
		}
		if diff := gocmp.Diff(expectedPart(list, from, w), grantsOf(t, x.List(l, w))); diff != "" {
			t.Fatalf("%+v from %d of %d, %+v, in %+v: -want +got\n%s", l, from, len(list), w, x.currentBlock, diff)
		}
	}
}
