package cw721

import (
	"bytes"
	"fmt"
	"strings"
)

// Version is what the code notes of itself under contract_info (cw2).
func (c Contract) Version() Version { return Version{c.name(), c.rules().version} }

// CodeOf tells which rules and which flavour code has, by what it calls itself:
// 0.20 and later have the rules of v0.22.0. An empty flavour is one that the
// name does not tell. known is false for what no release calls itself; its rules
// are a guess then.
func CodeOf(v Version) (rules Rules, flavour Flavour, known bool) {
	rules = RulesStandard
	var major, minor int
	n, _ := fmt.Sscanf(v.Version, "%d.%d", &major, &minor)
	if n == 2 && (major > 0 || minor >= 20) {
		rules = RulesV022
	}
	for _, f := range []Flavour{FlavourBase, FlavourOnchain} {
		if strings.HasSuffix(v.Contract, "cw721-"+string(f)) {
			flavour = f
		}
	}
	return rules, flavour, flavour != "" && n == 2 && major == 0 && 19 <= minor && minor <= 22
}

// HasMetadata tells whether a record is a token's with metadata in its
// extension, which no code of the flavour base has written.
func HasMetadata(key, value []byte) bool {
	if bytes.HasSuffix(value, []byte(`"extension":null}`)) || bytes.HasSuffix(value, []byte(`"extension":{}}`)) {
		return false
	}
	_, _, t, ok := TokenChange(key, nil, value)
	return ok && t.Extension.Metadata != nil
}
