package cw721

import "cmp"

func (m *Mint) decide(c *call) (*Decision, error) { return c.mayMint() }

// execute looks at what the rule set names, in its order, and then whether the
// id is free (spec §0.3, §5.1).
func (m *Mint) execute(x *exec) error {
	for _, check := range x.rules().mintChecks {
		if err := check(m, x); err != nil {
			return err
		}
	}
	taken, err := tokensMap.Has(x.r, m.TokenID)
	if err != nil {
		return err
	}
	if taken {
		return errClaimed.at("token_id")
	}
	x.report("action", "mint", "minter", string(x.sender), "owner", string(m.Owner), "token_id", m.TokenID)
	if m.TokenURI != nil {
		x.report("token_uri", cmp.Or(*m.TokenURI, "empty"))
	}
	minted := Token{Owner: m.Owner, Approvals: []Approval{}, TokenURI: emptyToNil(m.TokenURI), Extension: m.Extension}
	return cmp.Or(x.saveToken(m.TokenID, minted), x.count(+1))
}

func (m *Mint) checkURI(*exec) error       { return checkTokenURI(m.TokenURI) }
func (m *Mint) checkOwner(x *exec) error   { return x.address(m.Owner, "owner") }
func (m *Mint) checkExtension(*exec) error { return m.Extension.check() }

// checkTokenURI holds a URI to being a URL; none, and an empty one, need not.
func checkTokenURI(uri *string) error {
	return checkURLs("", link{"token_uri", emptyToNil(uri)})
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
	token, err := c.token(m.TokenID)
	if err != nil {
		return nil, err
	}
	d, err := c.creatorOnly(errNotCreator)
	if err != nil {
		return nil, err
	}
	d.TokenID, d.Owner = &m.TokenID, &token.Owner
	return d, nil
}

func (m *UpdateNftInfo) execute(x *exec) error {
	t, err := x.token(m.TokenID)
	if err != nil {
		return err
	}
	changed := *t
	if m.TokenURI != nil {
		changed.TokenURI = emptyToNil(m.TokenURI)
	}
	if err := cmp.Or(checkTokenURI(m.TokenURI), m.Extension.check()); err != nil {
		return err
	}
	if m.Extension.Metadata != nil {
		changed.Extension = Extension{Metadata: m.Extension.Metadata.merge(t.Extension.Metadata)}
	} else {
		changed.Extension = m.Extension // absent takes the stored one away
	}
	x.report("action", "update_nft_info", "token_id", m.TokenID)
	if x.rules().reportsURI {
		x.report("token_uri", *cmp.Or(m.TokenURI, new(string)))
	}
	return tokensMap.Save(x.w, m.TokenID, changed) // the owner stays
}

func (m *UpdateExtension) decide(c *call) (*Decision, error) { return c.anyone() }

func (m *UpdateExtension) execute(*exec) error { return nil }
