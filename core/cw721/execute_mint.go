package cw721

import "cmp"

// decide permits the minter and, under rule sets that have them, the additional minters.
func (m *Mint) decide(c *call) (*Decision, error) { return c.decideMint() }

// execute creates the token. It refuses a malformed URI, owner or extension, and then an id
// that another token has (spec §0.3, §5.1).
func (m *Mint) execute(x *execution) error {
	wrongURI := checkTokenURI(m.TokenURI)
	wrongOwner := x.checkAddress(m.Owner, "owner")
	wrongExtension := m.Extension.check()

	// If several members are malformed, the rule set decides which one the refusal names.
	refusal := cmp.Or(wrongURI, wrongOwner, wrongExtension)
	if x.ruleSet().checksExtensionFirst {
		refusal = cmp.Or(wrongURI, wrongExtension, wrongOwner)
	}
	if refusal != nil {
		return refusal
	}

	// The id must be free.
	exists, err := tokensMap.Has(x.reader, m.TokenID)
	if err != nil {
		return err
	}
	if exists {
		return errTokenIDClaimed.withField("token_id")
	}

	x.addAttributes(
		"action", "mint",
		"minter", string(x.sender),
		"owner", string(m.Owner),
		"token_id", m.TokenID,
	)
	if m.TokenURI != nil {
		x.addAttributes("token_uri", cmp.Or(*m.TokenURI, "empty"))
	}

	// Store the token and count it.
	token := Token{
		Owner:     m.Owner,
		Approvals: []Approval{},
		TokenURI:  nilIfEmpty(m.TokenURI),
		Extension: m.Extension,
	}
	if err := x.saveToken(m.TokenID, token); err != nil {
		return err
	}
	return x.addToTokenCount(+1)
}

// checkTokenURI refuses a URI that is no URL. The URI may be nil or empty.
func checkTokenURI(uri *string) error {
	return checkURLs("", urlMember{"token_uri", nilIfEmpty(uri)})
}

// check refuses malformed metadata of a token (spec §9).
func (e Extension) check() error {
	if e.Metadata == nil {
		return nil
	}
	return e.Metadata.check()
}

// decide permits the creator to change a token. A missing token is refused before the role
// is checked (spec §5.2).
func (m *UpdateNftInfo) decide(c *call) (*Decision, error) {
	token, err := c.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}

	decision, err := c.decideCreatorOnly(errNotCreator)
	if err != nil {
		return nil, err
	}
	decision.TokenID = &m.TokenID
	decision.Owner = &token.Owner
	return decision, nil
}

// execute changes the URI and the extension of the token. A message without a URI keeps the
// stored one. A message without an extension removes the stored one (spec §5.2).
func (m *UpdateNftInfo) execute(x *execution) error {
	if err := checkTokenURI(m.TokenURI); err != nil {
		return err
	}
	if err := m.Extension.check(); err != nil {
		return err
	}
	stored, err := x.loadToken(m.TokenID)
	if err != nil {
		return err
	}

	changed := *stored
	if m.TokenURI != nil {
		changed.TokenURI = nilIfEmpty(m.TokenURI)
	}

	// Metadata in the message replace the stored ones member by member.
	changed.Extension = m.Extension
	if m.Extension.Metadata != nil {
		changed.Extension.Metadata = m.Extension.Metadata.merge(stored.Extension.Metadata)
	}

	x.addAttributes("action", "update_nft_info", "token_id", m.TokenID)
	if x.ruleSet().updateReportsURI {
		x.addAttributes("token_uri", *cmp.Or(m.TokenURI, new(string)))
	}
	return tokensMap.Save(x.writer, m.TokenID, changed) // the owner index stays as it is
}

// decide permits anyone to send the message, which has no effect.
func (m *UpdateExtension) decide(c *call) (*Decision, error) { return c.allowAnyone() }

// execute does nothing. Contracts that extend this one give the message an effect.
func (m *UpdateExtension) execute(*execution) error { return nil }
