package tokens

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openMint opens the form that creates one token, or several with consecutive ids. It has
// fields for metadata only if the collection keeps metadata on the chain.
func openMint(state *app.State) tea.Cmd {
	fields := []widget.Field{
		{Name: "token_id", Label: "Token id", Placeholder: "any text", Hint: `"" is the empty id`},
		form.FilledAccountField(state, "owner", "Owner", state.Actor),
		{
			Name:        "token_uri",
			Label:       "Token URI",
			Placeholder: "none",
			Hint:        "an absolute URL, like ipfs://bafy…/1.json",
		},
	}
	if state.Config.Flavour != cw721.FlavourBase {
		fields = append(fields, metadataFields(nil)...)
	}
	fields = append(fields, widget.Field{
		Name:  "count",
		Label: "How many",
		Value: "1",
		Hint:  "several get ids that count up: ape-09, ape-10",
	})
	return form.Open(state, form.NewMessage("Mint a token", readMint, fields...))
}

// maxMinted is how many tokens one form can mint at most.
const maxMinted = 1000

// readMint reads the form of [openMint]. It returns the message for one token. For several it
// returns nil, and the form opens a batch of messages. The first of these has the typed id,
// which must end in a digit, and the others have the ids that follow.
//
// The empty id is valid but hardly ever meant. So an empty field is reported as a problem, and
// the user types two quotation marks for the empty id.
func readMint(input *form.Input) cw721.ExecuteMsg {
	mint := &cw721.Mint{TokenID: input.Values["token_id"], Owner: input.ReadAddress("owner")}
	if uri := input.Values["token_uri"]; uri != "" {
		mint.TokenURI = &uri
	}
	if metadata, isSet := readMetadata(input, nil); isSet {
		mint.Extension.Metadata = metadata
	}
	switch mint.TokenID {
	case "":
		input.Fail("token_id", `token_id: type an id, or "" for the empty one`)
	case `""`:
		mint.TokenID = ""
		warning := themes.GlyphWarn + " the id is empty, which is a valid id"
		input.Note("token_id", widget.Styled(themes.Warn, warning))
	}
	typedCount := strings.TrimSpace(input.Values["count"])
	if typedCount == "1" {
		return mint
	}

	// Mint several tokens.
	count, err := strconv.Atoi(typedCount)
	switch {
	case err != nil || count < 1 || count > maxMinted:
		input.Fail("count", "count: expected a number from 1 to 1,000")
	case mint.TokenID == "" || !isDigit(mint.TokenID[len(mint.TokenID)-1]):
		input.Fail("token_id",
			"token_id: expected an id that ends in a number, from which the others count on")
	}
	input.Effect = batchNotice
	input.Then = func(state *app.State) tea.Cmd {
		jobs := make([]form.Job, count)
		ownerName := state.DisplayName(mint.Owner)
		next := *mint
		for i := range jobs {
			jobs[i] = form.Job{
				Description: human.TokenID(next.TokenID) + " " + themes.GlyphArrow + " " + ownerName,
				Msg:         cw721.Encode(&next),
			}
			next.TokenID = nextID(next.TokenID)
		}
		return form.OpenBatch(state, "Mint "+human.Plural(count, "token"), jobs, false)
	}
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// nextID adds one to the number that an id ends in. It keeps leading zeros: ape-09 is
// followed by ape-10, and ape-99 by ape-100. The id must end in a digit.
func nextID(id string) string {
	prefix := strings.TrimRight(id, "9")
	zeros := strings.Repeat("0", len(id)-len(prefix))
	last := len(prefix) - 1
	if last < 0 || !isDigit(prefix[last]) { // all digits were 9
		return prefix + "1" + zeros
	}
	return prefix[:last] + string(prefix[last]+1) + zeros
}
