package cw721

import (
	"cmp"
	"iter"
)

// QueryMsg is one of the messages that read a collection (spec §11). The types
// that implement it are all in this package; [Rules.QueryNames] lists them.
type QueryMsg interface {
	// answer gives a value whose JSON is the contract's answer.
	answer(c *call) (any, error)
}

// Pages hold 10 items where no limit is given, and never more than 1,000
// (spec §11).
const (
	DefaultLimit = 10
	MaxLimit     = 1000
)

func pageSize(limit *uint32) int {
	if limit == nil {
		return DefaultLimit
	}
	return int(min(*limit, MaxLimit))
}

// collectPage collects at most n items.
func collectPage[T any](seq iter.Seq2[T, error], n int) ([]T, error) {
	out := make([]T, 0, min(n, 64))
	if n == 0 {
		return out, nil
	}
	for v, err := range seq {
		if err != nil {
			return nil, err
		}
		if out = append(out, v); len(out) == n {
			break
		}
	}
	return out, nil
}

// The queries on tokens and who may move them.
type (
	// OwnerOf asks for a token's owner and approvals.
	OwnerOf struct {
		TokenID        string `wire:"token_id"`
		IncludeExpired *bool  `wire:"include_expired"`
	}
	// ApprovalQuery asks for one spender's approval.
	ApprovalQuery struct {
		TokenID        string  `wire:"token_id"`
		Spender        Address `wire:"spender"`
		IncludeExpired *bool   `wire:"include_expired"`
	}
	// Approvals asks for all approvals of a token.
	Approvals struct {
		TokenID        string `wire:"token_id"`
		IncludeExpired *bool  `wire:"include_expired"`
	}
	// Operator asks for one operator of an owner.
	Operator struct {
		Owner          Address `wire:"owner"`
		Operator       Address `wire:"operator"`
		IncludeExpired *bool   `wire:"include_expired"`
	}
	// AllOperators asks for a page of an owner's operators.
	AllOperators struct {
		Owner          Address  `wire:"owner"`
		IncludeExpired *bool    `wire:"include_expired"`
		StartAfter     *Address `wire:"start_after"`
		Limit          *uint32  `wire:"limit"`
	}
	// NftInfo asks for a token's URI and extension.
	NftInfo struct {
		TokenID string `wire:"token_id"`
	}
	// AllNftInfo is [OwnerOf] and [NftInfo] in one.
	AllNftInfo struct {
		TokenID        string `wire:"token_id"`
		IncludeExpired *bool  `wire:"include_expired"`
	}
	// TokensQuery asks for a page of an owner's tokens.
	TokensQuery struct {
		Owner      Address `wire:"owner"`
		StartAfter *string `wire:"start_after"`
		Limit      *uint32 `wire:"limit"`
	}
	// AllTokens asks for a page of all tokens.
	AllTokens struct {
		StartAfter *string `wire:"start_after"`
		Limit      *uint32 `wire:"limit"`
	}
	// GetNftByExtension asks for tokens whose metadata contains what is given.
	GetNftByExtension struct {
		Extension  Extension `wire:"extension,optional"`
		StartAfter *string   `wire:"start_after"`
		Limit      *uint32   `wire:"limit"`
	}
)

// The answers to queries on tokens.
type (
	// Access is who owns a token and who else may move it.
	Access struct {
		Owner     Address    `wire:"owner"`
		Approvals []Approval `wire:"approvals"`
	}
	// TokenInfo is what a token shows.
	TokenInfo struct {
		TokenURI  *string   `wire:"token_uri"`
		Extension Extension `wire:"extension,optional"`
	}
	approvalAnswer struct {
		Approval Approval `wire:"approval"`
	}
	approvalsAnswer struct {
		Approvals []Approval `wire:"approvals"`
	}
	operatorsAnswer struct {
		Operators []Approval `wire:"operators"`
	}
	allInfoAnswer struct {
		Access Access    `wire:"access"`
		Info   TokenInfo `wire:"info"`
	}
	tokensAnswer struct {
		Tokens []string `wire:"tokens"`
	}
)

// visibleApprovals keeps the approvals that a query shows: all of them, or those that have
// not ended in the block of the query.
func (c *call) visibleApprovals(all []Approval, includeExpired *bool) []Approval {
	out := make([]Approval, 0, len(all))
	for _, a := range all {
		if c.isVisible(a, includeExpired) {
			out = append(out, a)
		}
	}
	return out
}

func (c *call) isVisible(a Approval, includeExpired *bool) bool {
	return includeExpired != nil && *includeExpired || !a.Expires.Expired(c.env.Block)
}

// ofToken answers about a token.
func (c *call) ofToken(id string, answer func(*Token) any) (any, error) {
	t, err := c.loadToken(id)
	if err != nil {
		return nil, err
	}
	return answer(t), nil
}

func (m *OwnerOf) answer(c *call) (any, error) {
	return c.ofToken(m.TokenID, func(t *Token) any { return Access{t.Owner, c.visibleApprovals(t.Approvals, m.IncludeExpired)} })
}

func (m *ApprovalQuery) answer(c *call) (any, error) {
	if check := c.ruleSet().approvalSpender; check != nil {
		if err := check(c.Contract, m.Spender, "spender"); err != nil {
			return nil, err
		}
	}
	t, err := c.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}
	if t.Owner == m.Spender {
		return approvalAnswer{Approval{Spender: m.Spender}}, nil
	}
	if a, ok := t.approval(m.Spender); ok && c.isVisible(a, m.IncludeExpired) {
		return approvalAnswer{a}, nil
	}
	return nil, errNoApproval
}

func (m *Approvals) answer(c *call) (any, error) {
	return c.ofToken(m.TokenID, func(t *Token) any { return approvalsAnswer{c.visibleApprovals(t.Approvals, m.IncludeExpired)} })
}

func (m *Operator) answer(c *call) (any, error) {
	if err := cmp.Or(c.checkAddress(m.Owner, "owner"), c.checkAddress(m.Operator, "operator")); err != nil {
		return nil, err
	}
	expires, ok, err := operatorsMap.Load(c.reader, operatorKey{First: m.Owner, Second: m.Operator})
	if err != nil {
		return nil, err
	}
	if a := (Approval{m.Operator, expires}); ok && c.isVisible(a, m.IncludeExpired) {
		return approvalAnswer{a}, nil
	}
	return nil, errNoApproval
}

func (m *AllOperators) answer(c *call) (any, error) {
	var w Walk
	if m.StartAfter != nil {
		if err := c.checkAddress(*m.StartAfter, "start_after"); err != nil {
			return nil, err
		}
		w.Place = (*string)(m.StartAfter)
	}
	if err := c.checkAddress(m.Owner, "owner"); err != nil {
		return nil, err
	}
	// What has ended is left out before the page is cut, so pages stay full.
	ops, err := collectPage(filter(OperatorsOf(c.reader, m.Owner, w), func(a Approval) bool { return c.isVisible(a, m.IncludeExpired) }), pageSize(m.Limit))
	return operatorsAnswer{ops}, err
}

func filter[T any](seq iter.Seq2[T, error], keep func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v, err := range seq {
			if (err != nil || keep(v)) && !yield(v, err) {
				return
			}
		}
	}
}

func (t *Token) info() TokenInfo { return TokenInfo{t.TokenURI, t.Extension} }

func (m *NftInfo) answer(c *call) (any, error) {
	return c.ofToken(m.TokenID, func(t *Token) any { return t.info() })
}

func (m *AllNftInfo) answer(c *call) (any, error) {
	return c.ofToken(m.TokenID, func(t *Token) any {
		return allInfoAnswer{Access{t.Owner, c.visibleApprovals(t.Approvals, m.IncludeExpired)}, t.info()}
	})
}

func (m *TokensQuery) answer(c *call) (any, error) {
	if err := c.checkAddress(m.Owner, "owner"); err != nil {
		return nil, err
	}
	ids, err := collectPage(TokenIDsOf(c.reader, m.Owner, Walk{Place: m.StartAfter}), pageSize(m.Limit))
	return tokensAnswer{ids}, err
}

func (m *AllTokens) answer(c *call) (any, error) {
	ids, err := collectPage(TokenIDs(c.reader, Walk{Place: m.StartAfter}), pageSize(m.Limit))
	return tokensAnswer{ids}, err
}
