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

// findingDetail is what the detail beside the list shows of a dangling grant, which is a
// grant that allows more than people expect.
type findingDetail struct {
	explain.Finding
	// transferSteps are the messages by which the spender can still transfer a token, in the
	// order in which they are sent. It is empty if a transfer is not possible.
	transferSteps []describedStep
}

// OpenDangling opens the list of dangling grants. These are permissions that would
// surprise somebody: for example, an operator who was named long ago may move a token
// that the owner bought today. Enter opens the message that revokes the grant under the
// cursor.
func OpenDangling(state *app.State, _ app.Subject) tea.Cmd {
	browser := form.NewStack[findingDetail](state.WithRuleBookNote("Dangling grants"),
		widget.Column{Title: "HARM", Width: 8},
		widget.Column{Title: "DANGER", Width: 16},
		widget.Column{Title: "GRANT", Width: 20, Flex: 2},
		widget.Column{Title: "EXPIRES", Width: 20, Flex: 1, DropRank: 1})
	browser.Table.EmptyText = "there are no dangling grants"
	browser.AddFilter("a danger, a token or an account", func(*app.State) widget.Line {
		return widget.Muted(" the worst first")
	})

	// The rows are read in the background, together with the names of their accounts.
	rowView := state.RowView()
	browser.ReadRows = func(
		view *chain.View,
		facts app.Facts,
		filter app.Filter,
		req widget.Request,
	) (widget.Page, error) {
		rowView.Facts = facts
		return findingPage(view, rowView, filter, req)
	}

	// The detail also shows how the grant can still be used.
	browser.ReadDetail = func(view *chain.View, facts app.Facts, row widget.Row) (findingDetail, error) {
		finding := row.OwnerData.(explain.Finding)
		steps, err := findTransferSteps(view, finding, facts.Words())
		return findingDetail{Finding: finding, transferSteps: steps}, err
	}
	browser.DetailLines = findingLines
	browser.RowCommands = findingCommands
	return browser.Open(state)
}

// findingPage reads the rows of the list, the most harmful first. It reads at most
// maxFindings findings. If there are more, their number is shown as "500+". If something
// could not be examined, for example because the collection was imported, a row says so.
func findingPage(
	view *chain.View,
	rowView app.RowView,
	filter app.Filter,
	req widget.Request,
) (widget.Page, error) {
	dangling := explain.Dangling(context.Background(), view)
	findings, hasMore, err := app.ReadAtMost(dangling, maxFindings)
	switch {
	case errors.As(err, new(*chain.NoRulesError)), errors.As(err, new(*explain.HistoryGapError)):
		// Add a row about what could not be examined, so that nobody takes the list for complete.
		findings = append(findings, explain.Finding{Danger: dangerNotKnown, Text: err.Error()})
	case err != nil:
		return widget.Page{}, err
	}

	// Sort by harm; the worst has the least value. Findings with the same harm keep
	// their order.
	slices.SortStableFunc(findings, func(a, b explain.Finding) int {
		return cmp.Compare(a.Danger.Harm(), b.Danger.Harm())
	})
	var rows []widget.Row
	for _, finding := range findings {
		rows = append(rows, findingRow(rowView, view.Clock, finding))
	}
	return matchingPage(req, rows, filter, hasMore), nil
}

// harmLabels has the text that the list shows for each level of harm.
var harmLabels = map[explain.Harm]widget.Line{
	explain.HarmAccess:  widget.Styled(themes.Bad, themes.GlyphNo+" high"),
	explain.HarmLasting: widget.Warning("some"),
	explain.HarmNone:    widget.Styled(themes.Muted, themes.GlyphDot+" none"),
}

// dangerLabels has the texts that the list shows for some dangers. The other dangers are
// shown by the names that they have in JSON.
var dangerLabels = map[explain.Danger]string{
	explain.DangerOutlivesExpiry: "renewable",
	explain.DangerWrongUnit:      "unlikely expiry",
}

// dangerNotKnown is the danger of the row that says what could not be examined.
const dangerNotKnown explain.Danger = "not known"

// findingRow returns the row of a dangling grant. Its cells are the harm that the grant can
// do, the danger, who may act for whom, and the expiry. If a finding is not about a grant
// but, for example, about a royalty, its sentence takes the place of the last two cells.
func findingRow(rowView app.RowView, clock chain.Clock, finding explain.Finding) widget.Row {
	dangerLabel := cmp.Or(dangerLabels[finding.Danger], string(finding.Danger))
	row := widget.Row{
		Key:       string(finding.Danger) + grantKey(finding.Grant),
		OwnerData: finding,
		Cells:     []widget.Line{harmLabel(finding.Danger), widget.Plain(dangerLabel)},
	}

	// A finding that is not about a grant has only its sentence.
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

// harmLabel returns the text that the list shows for the harm of a danger.
func harmLabel(danger explain.Danger) widget.Line {
	if danger == dangerNotKnown {
		return widget.Warning("?")
	}
	return harmLabels[danger.Harm()]
}

// findTransferSteps searches for the messages by which the spender of a dangling grant can
// transfer a token, at most two. The token is that of the finding or, if the finding is
// about an operator, a token of the owner.
//
// The result is empty if there are no such messages, if the grant is the offer of a role, if
// the owner gave the grant to himself, or if the rule set of the contract is not known.
func findTransferSteps(view *chain.View, finding explain.Finding, words app.Words) ([]describedStep, error) {
	grant := finding.Grant
	permitsTransfer := grant.Kind == cw721.GrantApproval || grant.Kind == cw721.GrantOperator
	if !permitsTransfer || grant.Spender == grant.Owner {
		return nil, nil
	}
	tokenID, isFound, err := tokenToTry(view, grant, finding.Token)
	if err != nil || !isFound {
		return nil, err
	}

	// Ask whether the spender can transfer it by at most two messages.
	transfer, _ := cw721.ActionNamed("transfer")
	answer, err := reach.Ask(context.Background(), view, reach.Question{
		Action: transfer,
		Token:  tokenID,
		Actor:  grant.Spender,
		Depth:  2,
	})
	switch {
	case errors.As(err, new(*chain.NoRulesError)):
		return nil, nil
	case err != nil:
		return nil, err
	case answer.Verdict != reach.WayExists:
		return nil, nil
	}
	return describeSteps(view, answer, answer.Ways[0], words), nil
}

// findingLines returns the detail of a dangling grant: why it is dangerous, which message
// caused it, who can revoke it, and by which messages its spender can still use it.
func findingLines(state *app.State, detail findingDetail, _ int) []widget.Line {
	lines := []widget.Line{widget.Plain(detail.Text)}
	isCauseKnown := detail.Node != 0
	if isCauseKnown {
		lines = append(lines, widget.Muted(fmt.Sprintf("caused by #%d of the history", detail.Node)))
	}

	// Say whether the key enter can remove it.
	switch {
	case detail.Remedy != nil:
		lines = append(lines, widget.Muted("enter removes it, as "+state.DisplayName(detail.Remover)))
	case detail.Danger != dangerNotKnown:
		lines = append(lines, widget.Muted("no single message removes it"))
	}

	if len(detail.transferSteps) == 0 {
		return lines
	}

	// Show how the token can still be transferred.
	heading := "How " + state.DisplayName(detail.Grant.Spender) + " can still transfer the token"
	lines = append(lines, nil, widget.Header(heading))
	for i, step := range detail.transferSteps {
		number := i + 1
		line := append(widget.Plain("  "), step.line(state, number, themes.Text)...)
		lines = append(lines, line, widget.Muted("     allowed: "+step.allowedBy))
	}
	return lines
}

// findingCommands returns the commands for the dangling grant under the cursor. One of
// them removes the grant, if one message is enough for that. The others open dialogs that
// explain who may use it. findingCommands returns none if the list is empty.
func findingCommands(state *app.State, row widget.Row, hasRow bool) (commands []app.Command) {
	if !hasRow {
		return nil
	}
	finding := row.OwnerData.(explain.Finding)
	if finding.Remedy != nil {
		revoke := func() tea.Cmd { return revokeFinding(state, finding) }
		commands = append(commands, app.DialogCommand("enter D", "remove it", revoke))
	}

	// The other dialogs are about tokens, so they make no sense for the offer of a role.
	kind := finding.Grant.Kind
	if kind != cw721.GrantApproval && kind != cw721.GrantOperator {
		return commands
	}
	subject := subjectOfGrant(finding.Grant)
	subject.Token = finding.Token
	return append(commands,
		app.DialogCommand("w", "why", func() tea.Cmd { return OpenWhy(state, subject) }),
		app.DialogCommand("W", "who could", func() tea.Cmd { return OpenWhoCould(state, subject) }),
		app.DialogCommand("B", "probe", func() tea.Cmd { return OpenProbe(state, subject) }))
}

// revokeFinding opens the form of the message that revokes a dangling grant.
func revokeFinding(state *app.State, finding explain.Finding) tea.Cmd {
	grantName := "the grant of an operator"
	if finding.Grant.Kind == cw721.GrantApproval {
		grantName = "an approval of " + app.ShortTokenName(finding.Grant.Token)
	}
	return openChangeForm(state, explain.Counterfactual{
		Text:    "remove " + grantName,
		Sender:  finding.Remover,
		Message: finding.Remedy,
	})
}
