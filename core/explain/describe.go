package explain

import (
	"fmt"
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

// Describe describes changes of the contract's records in sentences, in the order of
// the changes. The changes can be those of one message, or the differences between two
// moments of the history. layout is the format in which the contract stores the records.
// displayName returns the name that people use for an address.
func Describe(layout *cw721.Layout, changes []kv.Change, displayName displayNameFunc) []string {
	d := describer{layout: layout, displayName: displayName}
	var sentences []string
	for _, change := range changes {
		sentences = append(sentences, d.describeChange(change)...)
	}
	return sentences
}

// describer describes changes of records in sentences. Its fields are the arguments of
// [Describe].
type describer struct {
	layout      *cw721.Layout
	displayName displayNameFunc
}

// describeChange describes the change of one record in sentences. It returns none for a
// record of the index that lists tokens by owner, because the record of the token has the
// owner, too.
func (d describer) describeChange(change kv.Change) []string {
	if _, _, isOwnerIndex := cw721.DecodeOwnerIndexKey(change.Key); isOwnerIndex {
		return nil
	}
	if id, before, after, isToken := cw721.TokenChange(change.Key, change.OldValue, change.NewValue); isToken {
		return d.describeToken(id, before, after)
	}

	// A record of the roles also holds an offer, which counts as a grant.
	grants, hasGrants := d.describeGrantRecord(change)
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
	return []string{d.describeOtherRecord(change)}
}

// describeOtherRecord shows the old and the new value of a record that has no sentence of
// its own, such as "token count: 2 → 3". A record that the built-in contract does not have
// is named by its key.
func (d describer) describeOtherRecord(change kv.Change) string {
	before := recordText(change.OldValue)
	if change.OldValue == nil && cw721.IsTokenCountKey(change.Key) {
		before = "0"
	}

	name := d.layout.RecordName(change.Key)
	if name == "record" {
		name = strings.Join(chain.KeyParts(change.Key), " / ")
	}
	return fmt.Sprintf("%s: %s → %s", name, before, recordText(change.NewValue))
}

// describeToken describes the change of a token's record: its owner, approvals, URI and
// metadata. before is nil for a new token, after for a burned one.
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

	// The token still exists. Say what has changed.
	if before.Owner != after.Owner {
		text := fmt.Sprintf("%s goes from %s to %s",
			tokenLabel,
			d.displayName(before.Owner),
			d.displayName(after.Owner))
		sentences = append(sentences, text)
	}
	grantSentences := d.describeGrants(oldApprovals, approvalsOf(id, after))
	sentences = append(sentences, grantSentences...)

	oldURI := textOrNone(before.TokenURI)
	newURI := textOrNone(after.TokenURI)
	if oldURI != newURI {
		sentences = append(sentences, fmt.Sprintf("%s: token_uri %s → %s", tokenLabel, oldURI, newURI))
	}
	oldMetadata := string(cw721.ExtensionJSON(before))
	newMetadata := string(cw721.ExtensionJSON(after))
	if oldMetadata != newMetadata {
		sentences = append(sentences, tokenLabel+" gets other metadata")
	}
	if len(sentences) == 0 {
		sentences = append(sentences, NothingChanges)
	}
	return sentences
}

// textOrNone returns an optional text, or "none" for nil.
func textOrNone(text *string) string {
	if text == nil {
		return none
	}
	return *text
}

// approvalsOf returns the approvals of a token as grants. It leaves their Owner empty, so
// that an approval by the previous owner equals one by the next owner for the same spender.
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

// describeGrantRecord describes how the grants in the record of an operator or a role have
// changed. hasGrants is false if the record has no grant before the change and none after
// it, or if it cannot be decoded.
func (d describer) describeGrantRecord(change kv.Change) (sentences []string, hasGrants bool) {
	before, err := d.layout.DecodeGrants(change.Key, change.OldValue)
	if err != nil {
		return nil, false
	}
	after, err := d.layout.DecodeGrants(change.Key, change.NewValue)
	if err != nil {
		return nil, false
	}
	return d.describeGrants(before, after), len(before)+len(after) > 0
}

// describeGrants describes the difference between two lists of grants, one sentence for each
// grant. First come the grants that are gone or have another expiry, then the new ones.
func (d describer) describeGrants(before, after []cw721.Grant) (sentences []string) {
	for _, oldGrant := range before {
		grantNoun := DescribeGrant(oldGrant, strconv.Quote(oldGrant.Token), d.displayName).Name
		replacement, isKept := findGrant(after, oldGrant)
		switch {
		case !isKept:
			sentences = append(sentences, grantNoun+" is gone")
		case replacement.Expires != oldGrant.Expires:
			text := fmt.Sprintf("%s holds %s, instead of %s",
				grantNoun,
				untilText(replacement.Expires),
				untilText(oldGrant.Expires))
			sentences = append(sentences, text)
		}
	}

	// A grant that is only in the second list is new.
	for _, grant := range after {
		if _, isOld := findGrant(before, grant); !isOld {
			grantText := DescribeGrant(grant, strconv.Quote(grant.Token), d.displayName)
			sentences = append(sentences, grantText.Given+", "+untilText(grant.Expires))
		}
	}
	return sentences
}

// findGrant returns the grant in a list that equals wantedGrant. Their expiries may
// differ. ok is false if there is no such grant.
func findGrant(grants []cw721.Grant, wantedGrant cw721.Grant) (grant cw721.Grant, ok bool) {
	for _, grant := range grants {
		if grant.EqualExceptExpiry(wantedGrant) {
			return grant, true
		}
	}
	return cw721.Grant{}, false
}

// describeRole describes that the minter's or the creator's role got another holder, or
// none. It returns no sentence if the holder stays the same. isRole is false if the record
// is not that of a role.
func (d describer) describeRole(change kv.Change) (sentences []string, isRole bool) {
	role, before, after, isRole := d.layout.RoleChange(change.Key, change.OldValue, change.NewValue)
	if !isRole {
		return nil, false
	}

	// A role without a holder has a nil owner.
	oldHolder := before.Owner
	newHolder := after.Owner
	var text string
	switch {
	case oldHolder == nil && newHolder == nil:
		return nil, true
	case oldHolder == nil:
		text = fmt.Sprintf("the %s role goes to %s", role, d.displayName(*newHolder))
	case newHolder == nil:
		text = fmt.Sprintf("the %s role of %s is given up, for good", role, d.displayName(*oldHolder))
	case *oldHolder == *newHolder:
		return nil, true
	default:
		text = fmt.Sprintf("the %s role goes from %s to %s",
			role,
			d.displayName(*oldHolder),
			d.displayName(*newHolder))
	}
	return []string{text}, true
}

// maxValueRunes is how many characters of a record's value are shown.
const maxValueRunes = 60

// recordText shows the bytes of a record, or "nothing" for nil.
func recordText(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return truncate(string(value), maxValueRunes)
}
