package cw721

import "cmp"

// execute refuses a malformed member first, and then an id that another token has (spec §0.3,
// §5.1).
func (m *Mint) execute(exec *execution) error {
	if err := m.checkMembers(exec.Contract); err != nil {
		return err
	}

	// The id must be free.
	exists, err := tokensMap.Has(exec.reader, m.TokenID)
	if err != nil {
		return err
	}
	if exists {
		return errTokenIDClaimed.withField("token_id")
	}

	exec.addAttributes(
		"action", "mint",
		"minter", string(exec.sender),
		"owner", string(m.Owner),
		"token_id", m.TokenID,
	)
	if m.TokenURI != nil {
		exec.addAttributes("token_uri", cmp.Or(*m.TokenURI, "empty"))
	}

	// Store the token and count it.
	token := Token{
		Owner:     m.Owner,
		Approvals: []Approval{},
		TokenURI:  nilIfEmpty(m.TokenURI),
		Extension: m.Extension,
	}
	if err := exec.saveToken(m.TokenID, token); err != nil {
		return err
	}
	return exec.addToTokenCount(+1)
}

func checkTokenURI(uri *string) error {
	return checkURLs("", urlMember{"token_uri", nilIfEmpty(uri)})
}

// checkMembers refuses malformed members. The rule set decides which one the refusal names.
func (m *Mint) checkMembers(contract Contract) error {
	uriErr := checkTokenURI(m.TokenURI)
	ownerErr := contract.checkAddress(m.Owner, "owner")
	extensionErr := m.Extension.Metadata.check()
	if contract.ruleSet().checksExtensionFirst {
		return cmp.Or(uriErr, extensionErr, ownerErr)
	}
	return cmp.Or(uriErr, ownerErr, extensionErr)
}

// decideTokenUpdate refuses a missing token before it checks the role (spec §5.2).
func (c *call) decideTokenUpdate(m *UpdateNftInfo) (*Decision, error) {
	token, err := c.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}
	creator, _, err := creatorItem.Load(c.reader)
	if err != nil {
		return nil, err
	}

	decision := c.newDecision()
	decision.TokenID = &m.TokenID
	decision.Owner = &token.Owner
	isCreator := decision.addHolderCheck(RuleCreator, creator.Owner)
	return decision.conclude(isCreator, errNotCreator), nil
}

// execute keeps the stored URI if the message has none, and removes the stored extension if it
// has none (spec §5.2).
func (m *UpdateNftInfo) execute(exec *execution) error {
	if err := cmp.Or(checkTokenURI(m.TokenURI), m.Extension.Metadata.check()); err != nil {
		return err
	}
	oldToken, err := exec.loadToken(m.TokenID)
	if err != nil {
		return err
	}

	newToken := *oldToken
	if m.TokenURI != nil {
		newToken.TokenURI = nilIfEmpty(m.TokenURI)
	}

	// Metadata in the message replace the stored ones member by member.
	newToken.Extension = m.Extension
	if m.Extension.Metadata != nil {
		newToken.Extension.Metadata = m.Extension.Metadata.merge(oldToken.Extension.Metadata)
	}

	exec.addAttributes("action", "update_nft_info", "token_id", m.TokenID)
	if exec.ruleSet().updateReportsURI {
		exec.addAttributes("token_uri", *cmp.Or(m.TokenURI, new(string)))
	}

	// The owner index stays as it is.
	return tokensMap.Save(exec.writer, m.TokenID, newToken)
}

func (m *UpdateExtension) execute(*execution) error { return nil }
