package explain

import (
	"fmt"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

// DescribePermissionChange describes a change in one line, such as "+ operator bob of alice
// until height 120 · was until height 80". The sign + means gained, and - only lost. The sign
// ~ is for a change that is neither, because the comparison is an estimate.
func DescribePermissionChange(change PermissionChange, displayName displayNameFunc) string {
	sign := "~"
	switch {
	case change.IsGained:
		sign = "+"
	case change.IsLost:
		sign = "-"
	}
	permission := change.Permission()
	parts := []string{sign + " " + permissionText(permission, displayName)}

	// Say what the permission was before, unless it is new or gone, which the sign says.
	switch {
	case change.After == nil && permission.Kind == kindOwner:
		parts = append(parts, "burned")
	case change.Before == nil && permission.Kind == kindOwner:
		parts = append(parts, "minted")
	case change.After == nil || change.Before == nil:
	case permission.IsGrant():
		parts = append(parts, "was "+untilText(change.Before.Expires))
	default:
		parts = append(parts, "was "+displayName(change.Before.Holder))
	}

	if change.IsIncomparable {
		parts = append(parts, "not comparable, as there is no clock")
	}
	if change.IsEstimated {
		parts = append(parts, "compared at the clock's pace")
	}

	if change.OperatorCount > 0 {
		text := fmt.Sprintf("%s of %s may move it",
			human.Plural(change.OperatorCount, "operator"),
			displayName(permission.Holder))
		parts = append(parts, text)
	}
	if change.LostApprovalCount > 0 {
		parts = append(parts, human.Plural(change.LostApprovalCount, "approval")+" lost")
	}
	return strings.Join(parts, " · ")
}

// permissionText describes a permission, such as "approval bob ape-1 until height 1,110" or
// "operator bob of alice until never". If anyone has the permission, the holder is "*".
func permissionText(permission Permission, displayName displayNameFunc) string {
	holder := "*"
	if permission.Holder != "" {
		holder = displayName(permission.Holder)
	}
	words := []string{KindWord(permission.Kind), holder}
	switch {
	case permission.Kind == kindOwner || permission.Kind == string(cw721.GrantApproval):
		words = append(words, quoteIfNeeded(permission.Token))
	case permission.Giver != "":
		words = append(words, "of", displayName(permission.Giver))
	}

	if permission.IsGrant() {
		words = append(words, "until "+human.Expiry(permission.Expires))
	}
	return strings.Join(words, " ")
}

// KindWord returns a kind of permission as one word: "additional-minter".
func KindWord(kind string) string { return strings.ReplaceAll(kind, " ", "-") }
