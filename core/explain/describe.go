package explain

import (
	"fmt"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Describe says in words what changes of the contract's records mean, one
// sentence each. The changes are those of one message or of many, as between
// two moments of the history: a token can have moved and got other metadata.
// call gives what people call an address.
func Describe(changes []kv.Change, call func(cw721.Address) string) []string {
	var out []string
	for _, c := range changes {
		out = append(out, describe(c, call)...)
	}
	return out
}

// NothingChanges is what a message does that leaves every record as it was.
const NothingChanges = "nothing changes"

func describe(c kv.Change, call func(cw721.Address) string) []string {
	if _, _, ok := cw721.DecodeOwnerIndexKey(c.Key); ok {
		return nil // the token's own record says it
	}
	if id, before, after, ok := cw721.TokenChange(c.Key, c.Old, c.New); ok {
		return describeToken(id, before, after, call)
	}
	before, err1 := cw721.DecodeGrants(c.Key, c.Old)
	after, err2 := cw721.DecodeGrants(c.Key, c.New)
	if err1 == nil && err2 == nil && (len(before) > 0 || len(after) > 0) {
		return append(describeGrants(before, after, call), describeRole(c, call)...)
	}
	if text := describeRole(c, call); text != nil {
		return text
	}
	if text, ok := describeInfo(c, call); ok {
		return text
	}
	if a, ok := cw721.DecodeMinterKey(c.Key); ok {
		if c.New == nil {
			return []string{call(a) + " is no additional minter any more"}
		}
		return []string{call(a) + " becomes an additional minter"}
	}
	was := brief(c.Old)
	if c.Old == nil && cw721.IsTokenCountKey(c.Key) {
		was = "0" // the contract writes no count before the first token
	}
	name := cw721.RecordName(c.Key)
	if name == "record" { // of a contract that keeps others
		name = strings.Join(chain.KeyParts(c.Key), " / ")
	}
	return []string{fmt.Sprintf("%s: %s → %s", name, was, brief(c.New))}
}

func describeToken(id string, before, after *cw721.Token, call func(cw721.Address) string) (out []string) {
	name := fmt.Sprintf("token %q", id)
	switch {
	case before == nil:
		return []string{fmt.Sprintf("%s is new, owned by %s", name, call(after.Owner))}
	case after == nil:
		return append([]string{name + " is gone"}, describeGrants(grantsOf(id, before), nil, call)...)
	case before.Owner != after.Owner:
		out = []string{fmt.Sprintf("%s goes from %s to %s", name, call(before.Owner), call(after.Owner))}
	}
	out = append(out, describeGrants(grantsOf(id, before), grantsOf(id, after), call)...)
	if s := change(before.TokenURI, after.TokenURI); s != "" {
		out = append(out, name+": token_uri "+s)
	}
	if string(cw721.ExtensionJSON(before)) != string(cw721.ExtensionJSON(after)) {
		out = append(out, name+" gets other metadata")
	}
	if len(out) == 0 {
		out = append(out, NothingChanges)
	}
	return out
}

func grantsOf(id string, t *cw721.Token) []cw721.Grant {
	out := make([]cw721.Grant, len(t.Approvals))
	for i, a := range t.Approvals {
		out[i] = cw721.Grant{Kind: cw721.GrantApproval, Token: id, Spender: a.Spender, Expires: a.Expires}
	}
	return out
}

func describeGrants(before, after []cw721.Grant, call func(cw721.Address) string) (out []string) {
	for _, g := range before {
		if h, kept := sameGrant(after, g); !kept {
			out = append(out, DescribeGrant(g, strconv.Quote(g.Token), call).Name+" is gone")
		} else if h.Expires != g.Expires {
			out = append(out, fmt.Sprintf("%s holds %s now, and not %s", DescribeGrant(g, strconv.Quote(g.Token), call).Name, until(h.Expires), until(g.Expires)))
		}
	}
	for _, g := range after {
		if _, had := sameGrant(before, g); !had {
			out = append(out, DescribeGrant(g, strconv.Quote(g.Token), call).Given+", "+until(g.Expires))
		}
	}
	return out
}

func sameGrant(in []cw721.Grant, g cw721.Grant) (cw721.Grant, bool) {
	for _, h := range in {
		if h.EqualExceptExpiry(g) {
			return h, true
		}
	}
	return g, false
}

// describeRole says who holds a role when that changes.
func describeRole(c kv.Change, call func(cw721.Address) string) []string {
	role, before, after, ok := cw721.RoleChange(c.Key, c.Old, c.New)
	if !ok {
		return nil
	}
	was, is := before.Owner, after.Owner
	switch {
	case was == nil && is == nil, was != nil && is != nil && *was == *is:
		return []string{}
	case was == nil:
		return []string{fmt.Sprintf("the %s role goes to %s", role, call(*is))}
	case is == nil:
		return []string{fmt.Sprintf("the %s role of %s is given up, for good", role, call(*was))}
	}
	return []string{fmt.Sprintf("the %s role goes from %s to %s", role, call(*was), call(*is))}
}

func change(before, after *string) string {
	show := func(s *string) string {
		if s == nil {
			return "none"
		}
		return *s
	}
	if show(before) == show(after) {
		return ""
	}
	return show(before) + " → " + show(after)
}

// brief shows a record that has no words of its own.
func brief(b []byte) string {
	if b == nil {
		return "nothing"
	}
	return shortened(string(b))
}

const briefly = 60 // characters of a value that are shown

func shortened(text string) string {
	if r := []rune(text); len(r) > briefly {
		return string(r[:briefly]) + "…"
	}
	return text
}
