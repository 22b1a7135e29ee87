package grants

import (
	"context"
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// danglingGrants are the grants of a list that allow more than people expect, for the filter
// is:dangling, with what was not looked at.
type danglingGrants struct {
	list        expiry.List // the list that was looked at
	revision    uint64      // the revision of the chain at that time
	judgedCount int         // how many grants of the list were looked at
	findings    map[cw721.Grant][]explain.Finding
	gaps        []string // what was not looked at, and why; empty if there is no such thing
}

// The limits of what is looked at for the filter, so that the user does not wait for it. The
// command ephemera dangling has no limits.
const (
	maxJudged   = 500
	maxMessages = 5000
)

// findDangling returns which grants of the list dangle, by the rules of [explain.Dangling].
func (r grantReader) findDangling(view *chain.View) (danglingGrants, error) {
	found := danglingGrants{
		list:     r.list,
		revision: view.Revision,
		findings: map[cw721.Grant][]explain.Finding{},
	}
	if r.lockReason != nil {
		found.gaps = append(found.gaps, r.lockReason.Error())
		return found, nil
	}

	// Look at the grants themselves.
	var noRules *chain.NoRulesError
	for entry, err := range view.List(r.list, expiry.Walk{}) {
		if err != nil {
			return found, err
		}
		if entry.Kind != r.grantKind {
			continue
		}
		if found.judgedCount == maxJudged {
			gap := fmt.Sprintf("only the first %d were looked at; ephemera dangling looks at all", maxJudged)
			found.gaps = append(found.gaps, gap)
			break
		}
		found.judgedCount++
		findings, err := explain.FindingsAbout(context.Background(), view, entry.Grant)
		if err != nil && !errors.As(err, &noRules) {
			return found, err
		}
		if len(findings) > 0 {
			found.findings[entry.Grant] = findings
		}
	}
	if noRules != nil {
		found.gaps = append(found.gaps, "whether a grant outlives its expiry is not known: "+noRules.Error())
	}

	// Look at the messages of the history.
	state, err := view.HistoryState()
	if err != nil {
		return found, err
	}
	if state.NodeCount() > maxMessages {
		gap := fmt.Sprintf("the history was not looked at, as it has more than %s messages; ephemera dangling reads it",
			human.Thousands(maxMessages))
		found.gaps = append(found.gaps, gap)
		return found, nil
	}
	var historyGap *explain.HistoryGapError
	for finding, err := range explain.DanglingHistory(view) {
		switch {
		case errors.As(err, &historyGap), errors.As(err, &noRules):
			found.gaps = append(found.gaps, err.Error())
		case err != nil:
			return found, err
		case finding.Grant.Kind == r.grantKind:
			found.findings[finding.Grant] = append(found.findings[finding.Grant], finding)
		}
	}
	return found, nil
}

// harmSigns has the sign for each level of harm.
var harmSigns = map[explain.Harm]widget.Line{
	explain.HarmAccess:  widget.Styled(themes.Bad, themes.GlyphNo+" "),
	explain.HarmLasting: widget.Warning(""),
	explain.HarmNone:    widget.Styled(themes.Muted, themes.GlyphDot+" "),
}

// danglingLines says for the filter is:dangling why the grant under the cursor dangles, which
// message caused it, and who can revoke it. Then it says what was not looked at.
func (s *Screen) danglingLines(state *app.State) (lines []widget.Line) {
	entry, _ := s.grantUnderCursor()
	for _, finding := range s.dangling.findings[entry.Grant] {
		line := append(widget.Plain(""), harmSigns[finding.Danger.Harm()]...).Text(finding.Text)
		if finding.Node != 0 {
			line = line.Muted(fmt.Sprintf(" · caused by #%d", finding.Node))
		}
		lines = append(lines, line.Muted(" · r revokes it, as "+state.DisplayName(finding.Remover)))
	}
	for _, gap := range s.dangling.gaps {
		lines = append(lines, widget.Warning("").Muted(gap))
	}
	return lines
}
