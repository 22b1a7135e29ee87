package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
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

// findingDetail is a dangling grant, one that allows more than people expect, as the detail
// beside the list shows it.
type findingDetail struct {
	explain.Finding
	way []wayStep // messages by which the spender can still transfer a token; may be empty
}

// OpenDangling opens the list of dangling grants: grants that would surprise somebody,
// such as an operator who was named long ago and may move a token that the owner bought
// today. Enter opens the message that revokes the grant under the cursor.
func OpenDangling(st *app.State, _ app.Subject) tea.Cmd {
	b := form.NewStack[findingDetail](st.ByRuleBook("Dangling grants"),
		widget.Column{Title: "HARM", Width: 8},
		widget.Column{Title: "DANGER", Width: 16},
		widget.Column{Title: "GRANT", Width: 20, Flex: 2},
		widget.Column{Title: "EXPIRES", Width: 20, Flex: 1, Drop: 1})
	b.Table.Empty = "there are no dangling grants"
	b.AddFilter("a danger, a token or an account", func(*app.State) widget.Line {
		return widget.Muted(" the worst first")
	})
	rowView := st.RowView()

	// The rows are read with the names and the clock of the view that they come from.
	b.Rows = func(v *chain.View, facts app.Facts, filter app.Filter, req widget.Request) (widget.Page, error) {
		rowView.Facts = facts
		return findingPage(v, rowView, filter, req)
	}

	// The detail also shows how the grant can still be used.
	b.Read = func(v *chain.View, facts app.Facts, row widget.Row) (findingDetail, error) {
		finding := row.OwnerData.(explain.Finding)
		way, err := wayToTransfer(v, finding, facts.Words())
		return findingDetail{Finding: finding, way: way}, err
	}
	b.Lines = findingLines
	b.RowCommands = findingKeys
	return b.Open(st)
}

// findingPage reads the rows of the list, the most harmful first. If there are more than
// maxFindings, it reads and sorts only the first of them, and the number is shown as "500+".
// Without a rule set, or without the messages before an import, a row says what is not known.
func findingPage(v *chain.View, rowView app.RowView, filter app.Filter, req widget.Request) (widget.Page, error) {
	findings, hasMore, err := app.TakeFirst(explain.Dangling(context.Background(), v), maxFindings)

	// What could not be examined is a row of its own, so that nobody takes the list for
	// complete.
	isNotExamined := errors.As(err, new(*chain.NoRulesError)) || errors.As(err, new(*explain.HistoryGapError))
	if isNotExamined {
		findings = append(findings, explain.Finding{Danger: dangerNotKnown, Text: err.Error()})
		err = nil
	}

	// Sort by harm, and keep the order of those that are alike.
	slices.SortStableFunc(findings, func(a, b explain.Finding) int {
		return cmp.Compare(a.Danger.Harm(), b.Danger.Harm())
	})
	var rows []widget.Row
	for _, finding := range findings {
		if row := findingRow(rowView, v.Clock, finding); filter.MatchesRow(row) {
			rows = append(rows, row)
		}
	}
	page := widget.WholePage(req, rows)
	page.TotalIsLeast = hasMore
	return page, err
}

// harmLabels are the words of the list for the levels of harm.
var harmLabels = map[explain.Harm]widget.Line{
	explain.HarmAccess:  widget.In(themes.Bad, themes.GlyphNo+" high"),
	explain.HarmLasting: widget.In(themes.Warn, themes.GlyphWarn+" some"),
	explain.HarmNone:    widget.In(themes.Muted, themes.GlyphDot+" none"),
}

// dangerLabels are the labels of dangers in the list, where they are not the names of JSON.
var dangerLabels = map[explain.Danger]string{
	explain.DangerOutlives: "renewable",
	explain.DangerUnit:     "unlikely expiry",
}

// dangerNotKnown is the danger of the row that says what is not known.
const dangerNotKnown explain.Danger = "not known"

// findingRow returns the row of a dangling grant: what harm it can do, the danger, who may
// act for whom, and the expiry. The row of a finding without a grant, such as a royalty, has
// the sentence instead, which the detail repeats in full.
func findingRow(rowView app.RowView, clock chain.Clock, finding explain.Finding) widget.Row {
	danger := cmp.Or(dangerLabels[finding.Danger], string(finding.Danger))
	row := widget.Row{
		Key:       string(finding.Danger) + grantKey(finding.Grant),
		OwnerData: finding,
		Cells:     []widget.Line{harmLabels[finding.Danger.Harm()], widget.Plain(danger)},
	}
	if finding.Danger == dangerNotKnown {
		row.Cells[0] = widget.In(themes.Warn, themes.GlyphWarn+" ?")
	}

	// A finding without a grant has its sentence in place of the grant.
	if finding.Grant.Kind == "" {
		row.Cells = append(row.Cells, widget.Plain(finding.Text))
		return row
	}
	grant := expiry.Entry{Grant: finding.Grant}
	row.Cells = append(row.Cells,
		widget.Plain(rowView.GrantLabel(grant)),
		widget.Muted(rowView.When(finding.Grant.Expires, clock)))
	return row
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

	// Ask whether the spender can transfer it by at most two messages.
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
	} else if detail.Danger != dangerNotKnown {
		lines = append(lines, widget.Muted("no single message removes it"))
	}

	// Show how the token can still be transferred.
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

// findingKeys returns the commands for the dangling grant under the cursor: taking it away
// if one message does that, and the questions about who may use it. It returns none if the
// list is empty.
func findingKeys(st *app.State, row widget.Row, hasRow bool) (commands []app.Command) {
	if !hasRow {
		return nil
	}
	finding := row.OwnerData.(explain.Finding)
	if finding.Remedy != nil {
		revoke := func() tea.Cmd { return revokeFinding(st, finding) }
		commands = append(commands, app.DialogCommand("enter D", "remove it", revoke))
	}

	// The questions below are about a token, so they make no sense for the offer of a role.
	kind := finding.Grant.Kind
	if kind != cw721.GrantApproval && kind != cw721.GrantOperator {
		return commands
	}

	subject := subjectOfGrant(finding.Grant)
	subject.Token = finding.Token
	return append(commands,
		app.DialogCommand("w", "why", func() tea.Cmd { return OpenWhy(st, subject) }),
		app.DialogCommand("W", "who could", func() tea.Cmd { return OpenWhoCould(st, subject) }),
		app.DialogCommand("B", "probe", func() tea.Cmd { return OpenProbe(st, subject) }))
}

// revokeFinding opens the form of the message that revokes a dangling grant.
func revokeFinding(st *app.State, finding explain.Finding) tea.Cmd {
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
