package explain

import (
	"cmp"
	"fmt"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// MessageText describes an execute message in two phrases.
type MessageText struct {
	Request string // what the message asks for: "approve bob for ape-04 until height 1,110"
	Outcome string // what it did if the contract carried it out: "approved bob for ape-04"
}

// DescribeMessage describes an execute message. call returns the name that people use
// for an address.
func DescribeMessage(msg cw721.ExecuteMsg, sender cw721.Address, call func(cw721.Address) string) MessageText {
	token := ""
	if id := cw721.SubjectOf(msg).TokenID; id != nil {
		token = tokenName(*id)
	}

	switch m := msg.(type) {
	case *cw721.TransferNft:
		return MessageText{
			Request: fmt.Sprintf("transfer %s → %s", token, call(m.Recipient)),
			Outcome: fmt.Sprintf("%s went to %s", token, call(m.Recipient)),
		}
	case *cw721.SendNft:
		return MessageText{
			Request: fmt.Sprintf("send %s → %s", token, call(m.Contract)),
			Outcome: fmt.Sprintf("%s went to %s", token, call(m.Contract)),
		}
	case *cw721.Approve:
		return MessageText{
			Request: fmt.Sprintf("approve %s for %s%s", call(m.Spender), token, untilExpiry(m.Expires)),
			Outcome: fmt.Sprintf("approved %s for %s", call(m.Spender), token),
		}
	case *cw721.Revoke:
		return MessageText{
			Request: fmt.Sprintf("revoke the approval for %s on %s", call(m.Spender), token),
			Outcome: fmt.Sprintf("revoked the approval for %s on %s", call(m.Spender), token),
		}
	case *cw721.ApproveAll:
		return MessageText{
			Request: fmt.Sprintf("make %s an operator%s", call(m.Operator), untilExpiry(m.Expires)),
			Outcome: fmt.Sprintf("%s is an operator of %s now", call(m.Operator), call(sender)),
		}
	case *cw721.RevokeAll:
		return MessageText{
			Request: fmt.Sprintf("revoke %s as operator", call(m.Operator)),
			Outcome: fmt.Sprintf("%s is no longer an operator of %s", call(m.Operator), call(sender)),
		}
	case *cw721.Mint:
		return MessageText{
			Request: fmt.Sprintf("mint %s for %s", token, call(m.Owner)),
			Outcome: fmt.Sprintf("minted %s for %s", token, call(m.Owner)),
		}
	case *cw721.Burn:
		return MessageText{Request: "burn " + token, Outcome: "burned " + token}
	}

	request := describeCollectionMessage(msg, call)
	return MessageText{Request: request, Outcome: "done: " + request}
}

// describeCollectionMessage describes what a message asks for that changes the
// collection, a role, or the metadata of a token.
func describeCollectionMessage(msg cw721.ExecuteMsg, call func(cw721.Address) string) string {
	switch m := msg.(type) {
	case *cw721.UpdateNftInfo:
		return "update " + tokenName(m.TokenID)
	case *cw721.UpdateMinterOwnership:
		return describeRoleAction("minter", m.OwnershipAction, call)
	case *cw721.UpdateOwnership:
		return describeRoleAction("minter", m.OwnershipAction, call)
	case *cw721.UpdateCreatorOwnership:
		return describeRoleAction("creator", m.OwnershipAction, call)
	case *cw721.AddMinter:
		return fmt.Sprintf("make %s an additional minter", call(m.Minter))
	case *cw721.RemoveMinter:
		return fmt.Sprintf("remove %s as additional minter", call(m.Minter))
	case *cw721.SetWithdrawAddress:
		return "withdraw to " + call(m.Address)
	case *cw721.UpdateCollectionInfo:
		extension := m.CollectionInfo.Extension
		if extension != nil && extension.RoyaltyInfo != nil {
			royalty := extension.RoyaltyInfo
			return fmt.Sprintf("royalty %s %% to %s", royalty.Share.Percentage(), call(royalty.PaymentAddress))
		}
	}
	return strings.ReplaceAll(cw721.MessageName(msg), "_", " ")
}

// describeRoleAction describes what is asked for a role: "offer the minter role to bob",
// "accept the creator role".
func describeRoleAction(role string, action cw721.OwnershipAction, call func(cw721.Address) string) string {
	if action.Transfer == nil {
		verb := strings.TrimSuffix(action.Name, "_ownership")
		return fmt.Sprintf("%s the %s role", verb, role)
	}
	return fmt.Sprintf("offer the %s role to %s%s", role, call(action.Transfer.NewOwner), untilExpiry(action.Transfer.Expiry))
}

// untilExpiry returns the expiry of a new grant as the end of a phrase, such as
// " until height 1,110". A time is cut to the second. The text is empty if the grant
// never expires.
func untilExpiry(expires *cw721.Expiration) string {
	if expires == nil || expires.Axis == cw721.Never {
		return ""
	}
	if expires.Axis == cw721.AtHeight {
		return " until " + human.Expiry(*expires)
	}
	date, _, _ := strings.Cut(human.Time(cw721.Time(expires.Value)), ".")
	return " until " + date
}

// tokenName returns the id of a token as it stands among words. The empty id is shown
// as two quotes.
func tokenName(id string) string { return cmp.Or(id, `""`) }

// maxRawRunes is how many characters of a message are shown that does not decode.
const maxRawRunes = 100

// DescribeNode describes a node of the history: "approve bob for ape-04 until height
// 1,110", "clock +3 blocks to 1,105". The contract decodes the messages; one that does
// not decode is shown as it is, in one line.
func DescribeNode(contract cw721.Contract, n history.Node, call func(cw721.Address) string) string {
	switch n.Kind {
	case history.KindClock:
		return DescribeMove(n)
	case history.KindImport:
		return "import of " + strings.Trim(n.Message, `"`) // such as "12 records"
	case history.KindInstantiate:
		return "instantiate"
	case history.KindMigrate:
		return "migrate to another contract"
	}

	msg, _, err := contract.DecodeExecute([]byte(n.Message), nil)
	if err != nil {
		return truncate(strings.Join(strings.Fields(n.Message), " "), maxRawRunes)
	}
	return DescribeMessage(msg, n.Sender, call).Request
}

// truncate cuts a text after a number of characters and marks the cut.
func truncate(text string, maxRunes int) string {
	runes := []rune(text)
	if len(runes) <= maxRunes {
		return text
	}
	return string(runes[:maxRunes]) + "…"
}
