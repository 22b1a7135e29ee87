package grants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// danglingGrants are the grants of a screen that allow more than people expect, for the filter
// is:dangling.
type danglingGrants struct {
	revision    uint64 // the revision of the chain at which they were found
	judgedCount int    // how many grants were looked at
	findings    map[cw721.Grant][]explain.Finding
	gap         string // what was not looked at, and why; "" if there is no such thing
}

// The largest collection in which the screens look for dangling grants, so that the user does
// not wait for it. The command ephemera dangling has no limits.
const (
	maxJudgedGrants   = 2000
	maxJudgedMessages = 5000
)

// findDangling returns which grants of the reader's kind dangle, as [explain.Dangling] decides.
func (r grantReader) findDangling() (danglingGrants, error) {
	found := danglingGrants{revision: r.view.Revision, findings: map[cw721.Grant][]explain.Finding{}}
	entries, hasMore, err := app.ReadAtMost(r.view.Grants(expiry.Index{}), maxJudgedGrants)
	state, stateErr := r.view.HistoryState()
	switch {
	case cmp.Or(err, stateErr) != nil:
		return found, cmp.Or(err, stateErr)
	case r.lockReason != nil:
		return danglingGrants{gap: r.lockReason.Error()}, nil // until the lock ends
	case hasMore || state.NodeCount() > maxJudgedMessages:
		found.gap = "nothing was looked at, as there are more than 2,000 grants or 5,000 messages: ephemera dangling looks at all"
		return found, nil
	}
	for _, entry := range entries {
		if entry.Kind == r.grantKind {
			found.judgedCount++
		}
	}
	for finding, err := range explain.Dangling(context.Background(), r.view) {
		switch {
		case errors.As(err, new(*chain.NoRulesError)), errors.As(err, new(*explain.HistoryGapError)):
			found.gap = strings.ReplaceAll(err.Error(), "\n", "; ")
		case err != nil:
			return found, err
		case finding.Grant.Kind == r.grantKind:
			found.findings[finding.Grant] = append(found.findings[finding.Grant], finding)
		}
	}
	return found, nil
}

// danglingLines says for the filter is:dangling why the grant under the cursor dangles, which
// message caused it, and who can revoke it. Then it says what was not looked at.
func (s *Screen) danglingLines(state *app.State) (lines []widget.Line) {
	entry, _ := s.grantUnderCursor()
	for _, finding := range s.known.dangling.findings[entry.Grant] {
		line := widget.Warning("").Text(finding.Text)
		if finding.Node != 0 {
			line = line.Muted(fmt.Sprintf(" · caused by #%d", finding.Node))
		}
		lines = append(lines, line.Muted(" · r revokes it, as "+state.DisplayName(finding.Remover)))
	}
	if s.known.dangling.gap != "" {
		lines = append(lines, widget.Warning("").Muted(s.known.dangling.gap))
	}
	return lines
}
