package explain

import (
	"cmp"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// DescribeMessage describes an execute message.
func DescribeMessage(msg cw721.ExecuteMsg, sender cw721.Address, displayName displayNameFunc) cw721.MessageWords {
	text, isKnown := cw721.WordsOf(msg)
	if !isKnown {
		request := describeCollectionMessage(msg, displayName)
		return cw721.MessageWords{Request: request, Outcome: "done: " + request}
	}

	token := ""
	if id := cw721.TokenOf(msg); id != nil {
		token = human.TokenID(*id)
	}
	var expires *cw721.Expiration
	switch msg := msg.(type) {
	case *cw721.Approve:
		expires = msg.Expires
	case *cw721.ApproveAll:
		expires = msg.Expires
	}
	placeholders := strings.NewReplacer(
		"TOKEN", token,
		"WHO", displayName(cw721.AccountOf(msg)),
		"UNTIL", untilSuffix(expires),
		"SENDER", displayName(sender))
	return cw721.MessageWords{
		Request: placeholders.Replace(text.Request),
		Outcome: placeholders.Replace(cmp.Or(text.Outcome, "done: "+text.Request)),
	}
}

// describeCollectionMessage describes a message about the collection or a role, such as
// "royalty 5 % to bob". Other messages are described by their names.
func describeCollectionMessage(msg cw721.ExecuteMsg, displayName displayNameFunc) string {
	switch msg := msg.(type) {
	case *cw721.UpdateMinterOwnership:
		return describeRoleAction("minter", msg.OwnershipAction, displayName)
	case *cw721.UpdateOwnership:
		return describeRoleAction("minter", msg.OwnershipAction, displayName)
	case *cw721.UpdateCreatorOwnership:
		return describeRoleAction("creator", msg.OwnershipAction, displayName)
	case *cw721.UpdateCollectionInfo:
		extension := msg.CollectionInfo.Extension
		if extension != nil && extension.RoyaltyInfo != nil {
			return "royalty " + royaltyText(extension.RoyaltyInfo, displayName)
		}
	}
	return strings.ReplaceAll(cw721.MessageName(msg), "_", " ")
}

// royaltyText returns a text such as "5 % to bob".
func royaltyText(royalty *cw721.RoyaltyInfo, displayName displayNameFunc) string {
	return fmt.Sprintf("%s %% to %s", royalty.Share.Percentage(), displayName(royalty.PaymentAddress))
}

// describeRoleAction returns a text such as "offer the minter role to bob".
func describeRoleAction(role string, action cw721.OwnershipAction, displayName displayNameFunc) string {
	if action.Transfer == nil {
		verb := strings.TrimSuffix(action.Name, "_ownership")
		return fmt.Sprintf("%s the %s role", verb, role)
	}
	return fmt.Sprintf("offer the %s role to %s%s",
		role,
		displayName(action.Transfer.NewOwner),
		untilSuffix(action.Transfer.Expiry))
}

// BeforeExpiry is the text in front of an expiry in the words of a message.
const BeforeExpiry = " until "

// untilSuffix returns the expiry of a new grant as the end of a phrase, such as " until height
// 1,110", or nothing if it never expires. A time has no fractions of a second.
func untilSuffix(expires *cw721.Expiration) string {
	if expires == nil || expires.Axis == cw721.Never {
		return ""
	}
	if expires.Axis == cw721.AtHeight {
		return BeforeExpiry + human.Expiry(*expires)
	}
	date, _, _ := strings.Cut(human.Time(cw721.Time(expires.Value)), ".")
	return BeforeExpiry + date
}

// maxRawRunes is how many characters are shown of a message that does not decode.
const maxRawRunes = 100

// DescribeNode describes one node of the history, such as "approve bob for ape-04 until height
// 1,110" or "clock +3 blocks to 1,105". A message that the contract cannot decode is shown as
// JSON in one line.
func DescribeNode(contract cw721.Contract, node history.Node, displayName displayNameFunc) string {
	switch node.Kind {
	case history.KindClock:
		return DescribeMove(node)
	case history.KindImport:
		return "import of " + strings.Trim(node.Message, `"`) // such as "12 records"
	case history.KindInstantiate:
		return "instantiate"
	case history.KindMigrate:
		return "migrate to another contract"
	}

	msg, _, err := contract.DecodeExecute([]byte(node.Message), nil)
	if err != nil {
		oneLine := strings.Join(strings.Fields(node.Message), " ")
		return truncate(oneLine, maxRawRunes)
	}
	return DescribeMessage(msg, node.Sender, displayName).Request
}

// truncate cuts a text after maxRunes characters, and appends "…" if it cut anything.
func truncate(text string, maxRunes int) string {
	runes := []rune(text)
	if len(runes) <= maxRunes {
		return text
	}
	return string(runes[:maxRunes]) + "…"
}

// DescribeMove describes a move of the clock: "clock +3 blocks to 1,105", "clock +2h 05m" if
// the height stayed the same, "6 s a block" if the seconds per block changed.
func DescribeMove(node history.Node) string {
	clockBefore, clockAfter, isReadable := chain.ClocksOf(node)
	switch {
	case !isReadable:
		return "a move of the clock"
	case clockBefore.SecondsPerBlock != clockAfter.SecondsPerBlock:
		return fmt.Sprintf("%d s a block", clockAfter.SecondsPerBlock)
	case clockBefore.Height == clockAfter.Height:
		return "clock +" + human.Span(uint64(clockAfter.Time-clockBefore.Time))
	}
	blocks := human.Plural(uint64(clockAfter.Height-clockBefore.Height), "block")
	return fmt.Sprintf("clock +%s to %s", blocks, human.Thousands(uint64(clockAfter.Height)))
}
