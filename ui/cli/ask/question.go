package ask

import (
	"slices"

	"github.com/spf13/cobra"

	"ephemera/core/cw721"
	"ephemera/ui/cli/command"
)

// parseQuestion parses the arguments ACTION and TOKEN. It fails with a [*command.UsageError]
// for an action that is not one of actions, and if TOKEN is missing although the action needs
// one.
func parseQuestion(args []string, actions []cw721.Action) (action cw721.Action, token string, err error) {
	actionIndex := slices.IndexFunc(actions, func(a cw721.Action) bool { return a.Name == args[0] })
	if actionIndex < 0 {
		return action, "", command.UsageErrorf(
			"ACTION: %q is no action, expected one of %s",
			args[0],
			command.JoinNames(actionNames()),
		)
	}
	action = actions[actionIndex]
	if len(args) == 2 {
		return action, args[1], nil
	}
	if action.NeedsToken {
		return action, "", command.UsageErrorf(
			"TOKEN: expected the id of a token, as %s is about one",
			action.Name,
		)
	}
	return action, "", nil
}

// actionNames lists what a question can be about, such as transfer.
func actionNames() []string {
	var names []string
	for _, action := range cw721.AllActions() {
		names = append(names, action.Name)
	}
	return names
}

// completeQuestion returns the shell completion of two arguments, ACTION and then TOKEN.
func completeQuestion(app *command.App) cobra.CompletionFunc {
	completeToken := command.FirstArg(app.Complete(command.TokenIDs))
	return func(
		cmd *cobra.Command,
		args []string,
		prefix string,
	) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return actionNames(), cobra.ShellCompDirectiveNoFileComp
		}
		return completeToken(cmd, args[1:], prefix)
	}
}
