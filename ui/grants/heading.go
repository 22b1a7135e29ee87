package grants

import (
	"fmt"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// titleLine draws the line above the list. While the filter is typed, the line shows it.
// Otherwise the left side says how many grants there are, how many of them never expire or
// can be renewed by their spender, how many are selected, and how they are sorted. On the
// right is the position in the list.
func (s *Screen) titleLine(state *app.State) string {
	position := widget.Muted(s.table.Position() + " ")
	var left widget.Line

	// Take the longest text about renewable grants with which the line fits.
	for _, renewable := range s.renewableTexts() {
		left = widget.Muted(" "+s.countText()).Append(themes.Warn, renewable)
		if count := len(s.table.MarkedKeys()); count > 0 {
			left = left.Append(themes.Accent, fmt.Sprintf("%s %d selected · ", themes.GlyphMarked, count))
		}
		left = left.Muted(s.order.title)
		if state.HideExpired {
			left = left.Append(themes.Faint, "  expired ones hidden")
		}
		const signWidth = 3 // of " / " before the filter
		if left.Width()+signWidth+widget.Width(s.filter.AppliedText)+position.Width() < s.box.W {
			break
		}
	}
	return s.filter.Heading(state, left, position, s.box.W)
}

// renewableTexts returns texts that say how many grants of the list can be renewed by their
// spender without the owner. The texts say the same, the longest first: "→ 5 renewable
// without the owner: W shows how · " down to "→ 5 renewable · ". In a long list they say "5 of
// the first 50". If there is no such grant, or not all were searched yet, the only text is "".
func (s *Screen) renewableTexts() []string {
	count, isExact := s.known.realExpiries.CountWithLaterExpiry(s.known.count.first)
	if count == 0 || !isExact {
		return []string{""}
	}
	number := fmt.Sprintf("%s %d ", themes.GlyphArrow, count)
	if s.known.count.number > maxSearched {
		number += fmt.Sprintf("of the first %d ", maxSearched)
	}
	return []string{
		number + app.RenewableHint + ": W shows how · ",
		number + app.RenewableHint + " · ",
		number + "renewable · ",
	}
}

// countText says how many grants the list has and how many of them never expire, such as
// "16 approvals · 4 never · ". It returns "" if they were not counted.
func (s *Screen) countText() string {
	if found := s.known.dangling; s.filter.Filter.IsDangling {
		text := "%d dangling of %d looked at · "
		if found.gap != "" {
			text = "at least " + text // the sentences below may have no room for the gap
		}
		return fmt.Sprintf(text, len(found.findings), found.judgedCount)
	}
	if s.known.count.number == 0 {
		return ""
	}
	text := human.Plural(s.known.count.number, string(s.grantKind))
	if s.known.count.number == maxGrantsCounted {
		text = human.Thousands(maxGrantsCounted) + "+ " + string(s.grantKind) + "s"
	}
	if s.known.count.endlessCount > 0 {
		text += " · " + human.Thousands(s.known.count.endlessCount) + " never"
	}
	return text + " · "
}

// grantCount is the number of grants in a list. The chain does not store this number, so
// the grants are counted by reading the list.
type grantCount struct {
	list         expiry.List // the list that was counted
	revision     uint64      // the revision of the chain at that time
	number       int         // at most maxGrantsCounted; 0 if the list is not counted
	endlessCount int         // how many of the counted grants never expire
	// first has the first maxSearched grants. Of these it is counted how many are renewable.
	first []cw721.Grant
}

// maxSearched is how many grants of a list are searched for those that are renewable, which
// takes a search for each of them. It does not depend on the size of the window, and so
// neither does the count.
const maxSearched = 50

// maxGrantsCounted is the number at which counting stops, so that the user does not wait
// for it. A list with so many grants or more is shown as "5,000+".
const maxGrantsCounted = 5000

// isCounted reports whether the grants of the list are counted. If the chain has no index
// for the filter, they are not, because finding the grants that match takes too long.
func (r grantReader) isCounted() bool {
	isSearched := r.filter.IsSearch() || r.filter.HasLimit()
	hasAccounts := r.filter.Owner != "" || r.filter.Spender != ""
	isNarrowed := r.list.Owner == r.filter.Owner && r.list.Spender == r.filter.Spender
	return !isSearched && (!hasAccounts || isNarrowed)
}

// currentCount returns the number of grants in the list, at most maxGrantsCounted. It counts
// again only if the list or the chain has changed since the last count. For a list that is
// not counted it returns an empty count; see [grantReader.isCounted].
func (r grantReader) currentCount() (grantCount, error) {
	if r.known.count.revision == r.view.Revision && r.known.count.list == r.list {
		return r.known.count, nil
	}
	if !r.isCounted() {
		return grantCount{}, nil
	}

	// Count until the limit.
	newCount := grantCount{list: r.list, revision: r.view.Revision}
	for entry, err := range r.view.List(r.list, expiry.Walk{}) {
		if err != nil {
			return newCount, err
		}
		if entry.Kind != r.grantKind {
			continue
		}
		newCount.number++
		if newCount.number <= maxSearched {
			newCount.first = append(newCount.first, entry.Grant)
		}
		if entry.Expires.Axis == cw721.Never {
			newCount.endlessCount++
		}
		if newCount.number == maxGrantsCounted {
			break
		}
	}
	return newCount, nil
}
