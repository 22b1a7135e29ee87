package app

import (
	"fmt"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
)

// Words turns messages into short phrases. It holds what it needs, so that a
// command can use it.
type Words struct {
	Contract cw721.Contract
	Call     func(cw721.Address) string
}

// Words captures what the phrases need of the state.
func (f Facts) Words() Words {
	return Words{f.Config.Contract(), f.DisplayName}
}

// Node says what a node of the history is: "approve bob for ape-04, until
// height 1,110", "clock +3 blocks to 1,105".
func (w Words) Node(n history.Node) string {
	switch n.Kind {
	case history.KindClock:
		return explain.DescribeMove(n)
	case history.KindImport:
		return "import of a collection"
	case history.KindInstantiate:
		return "instantiate"
	case history.KindMigrate:
		return "migrate to another contract"
	}
	return w.Message([]byte(n.Message))
}

// Message says what an execute message asks for; one that does not decode is
// shown as it is.
func (w Words) Message(raw []byte) string {
	msg, _, err := w.Contract.DecodeExecute(raw, nil)
	if err != nil {
		return strings.Join(strings.Fields(string(raw[:min(len(raw), 200)])), " ")
	}
	switch m := msg.(type) {
	case *cw721.TransferNft:
		return fmt.Sprintf("transfer %s → %s", TokenName(m.TokenID), w.Call(m.Recipient))
	case *cw721.SendNft:
		return fmt.Sprintf("send %s → %s", TokenName(m.TokenID), w.Call(m.Contract))
	case *cw721.Approve:
		return fmt.Sprintf("approve %s for %s%s", w.Call(m.Spender), TokenName(m.TokenID), expiring(m.Expires))
	case *cw721.Revoke:
		return fmt.Sprintf("revoke the approval for %s on %s", w.Call(m.Spender), TokenName(m.TokenID))
	case *cw721.ApproveAll:
		return fmt.Sprintf("make %s an operator%s", w.Call(m.Operator), expiring(m.Expires))
	case *cw721.RevokeAll:
		return fmt.Sprintf("revoke %s as operator", w.Call(m.Operator))
	case *cw721.Mint:
		return fmt.Sprintf("mint %s for %s", TokenName(m.TokenID), w.Call(m.Owner))
	case *cw721.Burn:
		return "burn " + TokenName(m.TokenID)
	case *cw721.UpdateNftInfo:
		return "update " + TokenName(m.TokenID)
	case *cw721.UpdateMinterOwnership:
		return w.role("minter", m.OwnershipAction)
	case *cw721.UpdateOwnership:
		return w.role("minter", m.OwnershipAction)
	case *cw721.UpdateCreatorOwnership:
		return w.role("creator", m.OwnershipAction)
	case *cw721.AddMinter:
		return fmt.Sprintf("make %s an additional minter", w.Call(m.Minter))
	case *cw721.RemoveMinter:
		return fmt.Sprintf("remove %s as additional minter", w.Call(m.Minter))
	case *cw721.SetWithdrawAddress:
		return "withdraw to " + w.Call(m.Address)
	case *cw721.UpdateCollectionInfo:
		if e := m.CollectionInfo.Extension; e != nil && e.RoyaltyInfo != nil {
			return fmt.Sprintf("royalty %s %% to %s", e.RoyaltyInfo.Share.Percentage(), w.Call(e.RoyaltyInfo.PaymentAddress))
		}
	}
	return strings.ReplaceAll(cw721.MessageName(msg), "_", " ")
}

func (w Words) role(name string, a cw721.OwnershipAction) string {
	if a.Transfer != nil {
		return fmt.Sprintf("offer the %s role to %s%s", name, w.Call(a.Transfer.NewOwner), expiring(a.Transfer.Expiry))
	}
	return strings.TrimSuffix(a.Name, "_ownership") + " the " + name + " role"
}

func expiring(e *cw721.Expiration) string {
	if e == nil || e.Axis == cw721.Never {
		return ""
	}
	if e.Axis == cw721.AtHeight {
		return " until " + human.Expiry(*e)
	}
	return " until " + SecondsOf(cw721.Time(e.Value))
}

// About gives the token that a message is about, and whose grant, if it is one.
func (w Words) About(raw []byte) (s Subject) {
	msg, _, err := w.Contract.DecodeExecute(raw, nil)
	if err != nil {
		return s
	}
	switch m := msg.(type) {
	case *cw721.TransferNft:
		s.Token = &m.TokenID
	case *cw721.SendNft:
		s.Token = &m.TokenID
	case *cw721.Approve:
		s.Token, s.Account = &m.TokenID, m.Spender
	case *cw721.Revoke:
		s.Token, s.Account = &m.TokenID, m.Spender
	case *cw721.ApproveAll:
		s.Account = m.Operator
	case *cw721.RevokeAll:
		s.Account = m.Operator
	case *cw721.Mint:
		s.Token = &m.TokenID
	case *cw721.Burn:
		s.Token = &m.TokenID
	case *cw721.UpdateNftInfo:
		s.Token = &m.TokenID
	}
	return s
}
