package inspect

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// maxFindings is how many dangling grants the list shows at most.
const maxFindings = 500

// findingDetail is what the detail of the list shows of one dangling grant.
type findingDetail struct {
	explain.Finding
	way []wayStep // messages by which the spender can still transfer a token; may be empty
}

// OpenDangling opens the list of dangling grants: grants that would surprise somebody,
// such as an operator who was named long ago and may move a token that the owner bought
// today. Enter opens the message that revokes the grant under the cursor.
func OpenDangling(st *app.State, _ app.Subject) tea.Cmd {
	b := form.NewStack[findingDetail](st.ByRuleBook("Dangling grants"),
		widget.Column{Title: "DANGER", Width: 19},
		widget.Column{Title: "WHAT", Width: 20, Flex: 1})
	b.Table.Empty = "there are no dangling grants"
	b.Rows = findingRows
	b.Read = func(v *chain.View, facts app.Facts, row widget.Row) (findingDetail, error) {
		finding := row.OwnerData.(explain.Finding)
		way, err := wayToTransfer(v, finding, facts.Words())
		return findingDetail{Finding: finding, way: way}, err
	}
	b.Lines = findingLines
	b.RowCommands = findingKeys
	return b.Open(st)
}

// findingRows reads the rows of the list. If there are more than maxFindings, the total
// number is shown as "500+". A last row says what is not known without a rule set.
func findingRows(v *chain.View, _ app.Facts, req widget.Request) (widget.Page, error) {
	findings, hasMore, err := app.TakeFirst(explain.Dangling(context.Background(), v), maxFindings)
	if errors.As(err, new(*chain.NoRulesError)) {
		findings = append(findings, explain.Finding{Danger: "not known", Text: err.Error()})
		err = nil
	}
	rows := make([]widget.Row, len(findings))
	for i, finding := range findings {
		rows[i] = widget.Row{
			Key:       string(finding.Danger) + grantKey(finding.Grant),
			OwnerData: finding,
			Cells: []widget.Line{
				widget.In(themes.Warn, themes.GlyphWarn+" "+string(finding.Danger)),
				widget.Plain(finding.Text),
			},
		}
	}
	page := widget.WholePage(req, rows)
	page.TotalIsLeast = hasMore
	return page, err
}

// wayToTransfer searches for the messages by which the spender of a dangling grant can
// transfer a token: the token of the grant, or for an operator the first token of the
// owner. The result is empty for offers of a role, for grants to oneself, if two messages
// are not enough, and if no rule set is known.
func wayToTransfer(v *chain.View, finding explain.Finding, words app.Words) ([]wayStep, error) {
	grant := finding.Grant
	permitsTransfer := grant.Kind == cw721.GrantApproval || grant.Kind == cw721.GrantOperator
	if !permitsTransfer || grant.Spender == grant.Owner {
		return nil, nil
	}
	tokenID, isFound, err := findTokenOf(v, grant.Owner, finding.Token)
	if err != nil || !isFound {
		return nil, err
	}

	transfer, _ := cw721.ActionNamed("transfer")
	answer, err := reach.Ask(context.Background(), v, reach.Question{
		Action: transfer,
		Token:  tokenID,
		As:     grant.Spender,
		Depth:  2,
	})
	if errors.As(err, new(*chain.NoRulesError)) {
		return nil, nil
	}
	if err != nil || answer.Verdict != reach.Way {
		return nil, err
	}
	return wayInWords(v, answer, 0, words), nil
}

// findingLines returns the detail of a dangling grant: the sentence in full, the
// message that caused it, who can revoke it, and how it can still be used.
func findingLines(st *app.State, detail findingDetail, _ int) []widget.Line {
	lines := []widget.Line{widget.Plain(detail.Text)}
	if detail.Node != 0 { // 0: the message that caused it is not known, as after an import
		lines = append(lines, widget.Muted(fmt.Sprintf("caused by #%d of the history", detail.Node)))
	}
	if detail.Remedy != nil {
		lines = append(lines, widget.Muted("enter removes it, as "+st.DisplayName(detail.By)))
	}

	if len(detail.way) > 0 {
		heading := "How " + st.DisplayName(detail.Grant.Spender) + " can still transfer the token"
		lines = append(lines, nil, widget.Header(heading))
	}
	for i, step := range detail.way {
		lines = append(lines,
			append(widget.Plain("  "), step.line(st, i+1, themes.Text)...),
			widget.Muted("     allowed: "+step.allowedBy))
	}
	return lines
}

// findingKeys returns the commands for the dangling grant under the cursor, and none if
// the list is empty.
func findingKeys(st *app.State, row widget.Row, hasRow bool) []app.Command {
	if !hasRow {
		return nil
	}
	finding := row.OwnerData.(explain.Finding)
	subject := subjectOfGrant(finding.Grant)
	subject.Token = finding.Token
	return []app.Command{
		app.DialogCommand("enter D", "remove it", func() tea.Cmd { return revokeFinding(st, finding) }),
		app.DialogCommand("w", "why", func() tea.Cmd { return OpenWhy(st, subject) }),
		app.DialogCommand("W", "who could", func() tea.Cmd { return OpenWhoCould(st, subject) }),
		app.DialogCommand("B", "probe", func() tea.Cmd { return OpenProbe(st, subject) }),
	}
}

// revokeFinding opens the form of the message that revokes a dangling grant, or says
// that no message does.
func revokeFinding(st *app.State, finding explain.Finding) tea.Cmd {
	if finding.Remedy == nil {
		return app.Notify(app.LevelInfo, "no message removes this")
	}
	what := "the grant of an operator"
	if finding.Grant.Kind == cw721.GrantApproval {
		what = "an approval of " + app.ShortTokenName(finding.Grant.Token)
	}
	return openChangeForm(st, explain.Counterfactual{
		Text:    "remove " + what,
		By:      finding.By,
		Message: finding.Remedy,
	})
}
