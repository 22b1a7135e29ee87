package ask

import (
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

// finding is one dangling grant, which is a grant that allows more than people expect, in
// JSON.
type finding struct {
	Danger     explain.Danger `wire:"danger"`
	Text       string         `wire:"text"`
	TokenID    *string        `wire:"token_id"` // nil if it is not about a single token
	Node       *history.ID    `wire:"node"`     // the message that caused it; nil if that is not known
	Revocation *revocation    `wire:"cure"`     // nil if nobody can revoke the grant
}

// revocation is who can revoke a grant and by which message, in JSON. Message is empty if more
// than one is needed.
type revocation struct {
	Sender  cw721.Address `wire:"sender"`
	Name    string        `wire:"sender_name,optional"`
	Message wire.Raw      `wire:"message,optional"`
}

func danglingCommand(app *command.App) *cobra.Command {
	var usesExitCode bool       // --exit-code: the status depends on the answer
	var grantsOnly bool         // --grants-only: the history is not read
	var acceptsUnknownCode bool // --tried: code of no known release is accepted
	cmd := &cobra.Command{
		Use:   "dangling",
		Short: "List grants that allow more than people expect",
		Long: `Lists grants that people tend to forget or to misjudge: an approval whose giver
may no longer give it, an old operator who reaches a token that came back, an
expiry in the wrong unit, a grant that never expires or whose spender keeps
access after it expires (see who-can --grants), an offer that has expired. Names
the message that revokes each grant, if there is one.

Of an imported collection the messages before the import are not known, so the list
may lack grants whose giver may no longer give them, and old operators. Then stderr
says so, and --exit-code has status 2 instead of 0. --grants-only looks at the grants
themselves and at no message.

If neither the contract's rules nor its release are known, the list may lack grants
that outlive their expiry. Then stderr says so, and the status is 2.`,
		Example: `  ephemera dangling`,
		Args:    command.NoArgs,
		RunE: app.WithView(func(view *chain.View, _ []string) error {
			if err := view.CheckReadable(); err != nil {
				return err
			}
			grants := explain.Dangling(app.Ctx, view)
			if grantsOnly {
				grants = explain.DanglingGrants(app.Ctx, view)
			}
			return answerDangling(app, view, grants, usesExitCode, acceptsUnknownCode)
		}),
	}
	flags := cmd.Flags()
	flags.BoolVar(&usesExitCode, "exit-code", false, "exit with status 1 if there is any")
	flags.BoolVar(&acceptsUnknownCode, "tried", false, triedUsage)
	flags.BoolVar(&grantsOnly, "grants-only", false, "leave out what only the messages of the history show")
	return cmd
}

// answerDangling prints the dangling grants that were found. It fails with a
// [*chain.NoRulesError] if the rules of the contract are not known. If a part of the
// history is missing, it prints a note.
//
// With usesExitCode it refuses if there is a dangling grant. It fails with a
// [*command.UsageError] if it found none but there could be one: a part of the history is
// missing, or, unless acceptsUnknownCode is set, the contract is compiled and no known release.
func answerDangling(
	app *command.App,
	view *chain.View,
	grants iter.Seq2[explain.Finding, error],
	usesExitCode, acceptsUnknownCode bool,
) error {
	findings := []finding{} // [] and not null
	var notExamined error   // why there may be more findings
	for dangling, err := range grants {
		if command.IsError[*chain.NoRulesError](err) || command.IsError[*explain.HistoryGapError](err) {
			notExamined = err
			break
		}
		if err != nil {
			return err
		}
		findings = append(findings, findingOf(view, dangling))
	}

	// Print it. As a gate, an empty list passes only if everything was examined.
	err := app.Answer(findings, nil)
	isRefused := usesExitCode && len(findings) > 0
	switch {
	case command.IsError[*chain.NoRulesError](notExamined):
		err = errors.Join(err, notExamined)
	case notExamined != nil && usesExitCode && !isRefused:
		unknown := command.UsageErrorf(
			"dangling: the answer is not known: %v; --grants-only leaves messages out",
			notExamined,
		)
		err = errors.Join(err, unknown)
	case notExamined != nil:
		app.Errorf("note: %v", notExamined)
	}
	if err != nil || isRefused || !usesExitCode || acceptsUnknownCode {
		return command.RefusedIf(isRefused, err)
	}
	return checkKnownCode(view)
}

func findingOf(view *chain.View, dangling explain.Finding) finding {
	jsonFinding := finding{Danger: dangling.Danger, Text: dangling.Text, TokenID: dangling.Token}
	if dangling.Node != 0 {
		jsonFinding.Node = &dangling.Node
	}
	if dangling.Remover == "" {
		return jsonFinding
	}
	jsonFinding.Revocation = &revocation{Sender: dangling.Remover, Name: view.NameOf(dangling.Remover)}
	if dangling.Remedy != nil {
		jsonFinding.Revocation.Message = cw721.Encode(dangling.Remedy)
	}
	return jsonFinding
}
