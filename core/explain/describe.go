package explain

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// NothingChanges describes a message that writes no record, or writes a token's record
// again as it was.
const NothingChanges = "nothing changes"

// displayNameFunc returns the name that people use for an address.
type displayNameFunc = func(cw721.Address) string

// Describe describes changes of the contract's records in sentences, in their order. They can
// be those of one message, or the differences between two moments of the history.
func Describe(layout *cw721.Layout, changes []kv.Change, displayName displayNameFunc) []string {
	d := describer{layout: layout, displayName: displayName}
	var sentences []string
	for _, change := range changes {
		sentences = append(sentences, d.describeChange(change)...)
	}
	return sentences
}

// describer has the arguments of [Describe].
type describer struct {
	layout      *cw721.Layout
	displayName displayNameFunc
}

// describeChange describes the change of one record. It returns nothing for a record of the
// index of tokens by owner, because the record of the token has the owner, too.
func (d describer) describeChange(change kv.Change) []string {
	if _, _, isOwnerIndex := cw721.DecodeOwnerIndexKey(change.Key); isOwnerIndex {
		return nil
	}
	if id, before, after, isToken := cw721.TokenChange(change.Key, change.OldValue, change.NewValue); isToken {
		return d.describeToken(id, before, after)
	}

	// A record of the roles also holds an offer, which counts as a grant. A record that cannot
	// be decoded has no grants.
	before, beforeErr := d.layout.DecodeGrants(change.Key, change.OldValue)
	after, afterErr := d.layout.DecodeGrants(change.Key, change.NewValue)
	var grants []string
	hasGrants := beforeErr == nil && afterErr == nil && len(before)+len(after) > 0
	if hasGrants {
		grants = d.describeGrants(before, after)
	}
	role, isRole := d.describeRole(change)
	if hasGrants || isRole {
		return append(grants, role...)
	}
	if fields, isInfo := d.describeInfo(change); isInfo {
		return fields
	}
	if minter, isMinter := cw721.DecodeMinterKey(change.Key); isMinter {
		if change.NewValue == nil {
			return []string{d.displayName(minter) + " is no additional minter any more"}
		}
		return []string{d.displayName(minter) + " becomes an additional minter"}
	}

	// Show the values of any other record, such as "token count: 2 → 3". A record that the
	// built-in contract does not have is named by its key.
	oldText := recordText(change.OldValue)
	if change.OldValue == nil && cw721.IsTokenCountKey(change.Key) {
		oldText = "0"
	}
	name := d.layout.RecordName(change.Key)
	if name == "record" {
		name = strings.Join(chain.KeyParts(change.Key), " / ")
	}
	return []string{fmt.Sprintf("%s: %s → %s", name, oldText, recordText(change.NewValue))}
}

// describeToken describes the change of a token's record. before is nil for a new token, after
// for a burned one.
func (d describer) describeToken(id string, before, after *cw721.Token) (sentences []string) {
	tokenLabel := fmt.Sprintf("token %q", id)
	if before == nil {
		return []string{fmt.Sprintf("%s is new, owned by %s", tokenLabel, d.displayName(after.Owner))}
	}

	// A burned token takes its approvals with it.
	oldApprovals := approvalsOf(id, before)
	if after == nil {
		sentences = []string{tokenLabel + " is gone"}
		return append(sentences, d.describeGrants(oldApprovals, nil)...)
	}

	if before.Owner != after.Owner {
		text := fmt.Sprintf("%s goes from %s to %s",
			tokenLabel,
			d.displayName(before.Owner),
			d.displayName(after.Owner))
		sentences = append(sentences, text)
	}
	grantSentences := d.describeGrants(oldApprovals, approvalsOf(id, after))
	sentences = append(sentences, grantSentences...)

	missing := none
	oldURI := *cmp.Or(before.TokenURI, &missing)
	newURI := *cmp.Or(after.TokenURI, &missing)
	if oldURI != newURI {
		sentences = append(sentences, fmt.Sprintf("%s: token_uri %s → %s", tokenLabel, oldURI, newURI))
	}
	if loss := DescribeLoss(id, before, after, true); loss != "" {
		sentences = append(sentences, loss)
	}
	if !bytes.Equal(cw721.ExtensionJSON(before), cw721.ExtensionJSON(after)) {
		sentences = append(sentences, tokenLabel+" gets other metadata")
	}
	if len(sentences) == 0 {
		sentences = append(sentences, NothingChanges)
	}
	return sentences
}

// DescribeLoss names the members that cw721 does not know and that a token loses by a change,
// because a message wrote its record; "" for none. Its arguments are the results of
// [cw721.TokenChange].
func DescribeLoss(id string, before, after *cw721.Token, isToken bool) string {
	if !isToken || before == nil || after == nil || len(before.KeptMembers) <= len(after.KeptMembers) {
		return ""
	}
	var fields []string
	for _, member := range before.KeptMembers {
		fields = append(fields, member.Field)
	}
	return fmt.Sprintf("token %q loses what cw721 does not know: %s", id, strings.Join(fields, ", "))
}

// approvalsOf returns the approvals of a token as grants without Owner, so that an approval by
// the previous owner equals one by the next owner for the same spender.
func approvalsOf(id string, token *cw721.Token) []cw721.Grant {
	grants := make([]cw721.Grant, len(token.Approvals))
	for i, approval := range token.Approvals {
		grants[i] = cw721.Grant{
			Kind:    cw721.GrantApproval,
			Token:   id,
			Spender: approval.Spender,
			Expires: approval.Expires,
		}
	}
	return grants
}

// describeGrants describes the difference between two lists of grants: first those that are
// gone or have another expiry, then the new ones.
func (d describer) describeGrants(before, after []cw721.Grant) (sentences []string) {
	for _, oldGrant := range before {
		grantNoun := DescribeGrant(oldGrant, strconv.Quote(oldGrant.Token), d.displayName).Name
		index := slices.IndexFunc(after, oldGrant.EqualExceptExpiry)
		switch {
		case index < 0:
			sentences = append(sentences, grantNoun+" is gone")
		case after[index].Expires != oldGrant.Expires:
			text := fmt.Sprintf("%s holds %s, instead of %s",
				grantNoun,
				untilText(after[index].Expires),
				untilText(oldGrant.Expires))
			sentences = append(sentences, text)
		}
	}

	for _, grant := range after {
		if !slices.ContainsFunc(before, grant.EqualExceptExpiry) {
			grantText := DescribeGrant(grant, strconv.Quote(grant.Token), d.displayName)
			sentences = append(sentences, grantText.Given+", "+untilText(grant.Expires))
		}
	}
	return sentences
}

// describeRole describes that a role got another holder, or none. isRole is false if the
// record is not that of a role.
func (d describer) describeRole(change kv.Change) (sentences []string, isRole bool) {
	role, before, after, isRole := d.layout.RoleChange(change.Key, change.OldValue, change.NewValue)
	if !isRole {
		return nil, false
	}

	nobody := new(cw721.Address)
	oldHolder := *cmp.Or(before.Owner, nobody)
	newHolder := *cmp.Or(after.Owner, nobody)
	var text string
	switch {
	case oldHolder == newHolder:
		return nil, true
	case oldHolder == *nobody:
		text = fmt.Sprintf("the %s role goes to %s", role, d.displayName(newHolder))
	case newHolder == *nobody:
		text = fmt.Sprintf("the %s role of %s is given up, for good", role, d.displayName(oldHolder))
	default:
		text = fmt.Sprintf("the %s role goes from %s to %s", role, d.displayName(oldHolder), d.displayName(newHolder))
	}
	return []string{text}, true
}

// maxValueRunes is how many characters of a value are shown.
const maxValueRunes = 60

// recordText shows the beginning of a record, or "nothing" for nil.
func recordText(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return truncate(string(value), maxValueRunes)
}
