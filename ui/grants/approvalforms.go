package grants

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
)

// openRevocation opens the dialog that previews a revocation of each approval, and then
// sends them. With asOwners, the owner of each token sends its revocation.
func openRevocation(state *app.State, approvals []expiry.Entry, asOwners bool) tea.Cmd {
	jobs := make([]form.Job, len(approvals))
	for i, entry := range approvals {
		jobs[i] = form.RevokeJob(state.DisplayName, entry.Grant)
	}
	title := "Revoke an approval"
	if len(approvals) > 1 {
		title = fmt.Sprintf("Revoke %d approvals", len(approvals))
	}
	return form.OpenBatch(state, title, jobs, asOwners)
}

// openExtension opens the form that gives an approval another expiry. Its message approves
// the same spender again, which replaces the approval.
func openExtension(state *app.State, entry expiry.Entry) tea.Cmd {
	spender := form.FilledAccountField(state, "spender", "Spender", entry.Spender)
	expires := form.ChangedExpiryField(state, "expires", entry.Expires)
	title := form.TokenTitle("Change an approval of", entry.Token)
	extension := form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		return &cw721.Approve{
			Spender: input.ReadAddress("spender"),
			TokenID: entry.Token,
			Expires: input.ReadExpiry("expires"),
		}
	}, spender, expires)
	extension.Form.Focus("expires")
	return form.Open(state, extension)
}
