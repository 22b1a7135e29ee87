package cw721

import "cmp"

func (m *Mint) decide(c *call) (*Decision, error) { return c.decideMint() }

// execute looks at what the rule set names, in its order, and then whether the
// id is free (spec §0.3, §5.1).
func (m *Mint) execute(x *execution) error {
	for _, check := range x.ruleSet().mintChecks {
		if err := check(m, x); err != nil {
			return err
		}
	}
	taken, err := tokensMap.Has(x.reader, m.TokenID)
	if err != nil {
		return err
	}
	if taken {
		return errTokenIDClaimed.withField("token_id")
	}
	x.addAttributes("action", "mint", "minter", string(x.sender), "owner", string(m.Owner), "token_id", m.TokenID)
	if m.TokenURI != nil {
		x.addAttributes("token_uri", cmp.Or(*m.TokenURI, "empty"))
	}
	minted := Token{Owner: m.Owner, Approvals: []Approval{}, TokenURI: nilIfEmpty(m.TokenURI), Extension: m.Extension}
	return cmp.Or(x.saveToken(m.TokenID, minted), x.addToTokenCount(+1))
}

func (m *Mint) checkURI(*execution) error       { return checkTokenURI(m.TokenURI) }
func (m *Mint) checkOwner(x *execution) error   { return x.checkAddress(m.Owner, "owner") }
func (m *Mint) checkExtension(*execution) error { return m.Extension.check() }

// checkTokenURI holds a URI to being a URL; none, and an empty one, need not.
func checkTokenURI(uri *string) error {
	return checkURLs("", urlMember{"token_uri", nilIfEmpty(uri)})
}

// check holds the content of an extension to spec §9.
func (e Extension) check() error {
	if e.Metadata == nil {
		return nil
	}
	return e.Metadata.check()
}

// decide loads the token before it asks for the role (spec §5.2).
func (m *UpdateNftInfo) decide(c *call) (*Decision, error) {
	token, err := c.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}
	d, err := c.decideCreatorOnly(errNotCreator)
	if err != nil {
		return nil, err
	}
	d.TokenID, d.Owner = &m.TokenID, &token.Owner
	return d, nil
}

func (m *UpdateNftInfo) execute(x *execution) error {
	t, err := x.loadToken(m.TokenID)
	if err != nil {
		return err
	}
	changed := *t
	if m.TokenURI != nil {
		changed.TokenURI = nilIfEmpty(m.TokenURI)
	}
	if err := cmp.Or(checkTokenURI(m.TokenURI), m.Extension.check()); err != nil {
		return err
	}
	if m.Extension.Metadata != nil {
		changed.Extension = Extension{Metadata: m.Extension.Metadata.merge(t.Extension.Metadata)}
	} else {
		changed.Extension = m.Extension // absent takes the stored one away
	}
	x.addAttributes("action", "update_nft_info", "token_id", m.TokenID)
	if x.ruleSet().updateReportsURI {
		x.addAttributes("token_uri", *cmp.Or(m.TokenURI, new(string)))
	}
	return tokensMap.Save(x.writer, m.TokenID, changed) // the owner stays
}

func (m *UpdateExtension) decide(c *call) (*Decision, error) { return c.allowAnyone() }

func (m *UpdateExtension) execute(*execution) error { return nil }
