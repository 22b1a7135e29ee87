package cw721

import (
	"cmp"
	"iter"
	"slices"

	"ephemera/core/kv"
)

// QueryMsg is a message that reads a collection (spec §11). All of its
// implementations are in this package; [Rules.QueryNames] lists them.
type QueryMsg interface {
	// answer returns the value whose JSON answers the query. A refusal is an [*Error].
	answer(call *call) (any, error)
}

// How many items a page of an answer may have (spec §11).
const (
	DefaultLimit = 10   // if the query names no limit
	MaxLimit     = 1000 // even if the query names a higher one
)

// pageSize returns how many items a page may have. limit is nil if the query names none.
func pageSize(limit *uint32) int {
	if limit == nil {
		return DefaultLimit
	}
	return int(min(*limit, MaxLimit))
}

func collectPage[T any](items iter.Seq2[T, error], maxItems int) ([]T, error) {
	const initialCapacity = 64 // a limit can be much larger than the page
	page := make([]T, 0, min(maxItems, initialCapacity))
	if maxItems == 0 {
		return page, nil
	}

	for item, err := range items {
		if err != nil {
			return nil, err
		}
		page = append(page, item)
		if len(page) == maxItems {
			break
		}
	}
	return page, nil
}

// The queries on tokens and on the accounts that may move them. Queries with
// IncludeExpired answer without expired grants unless it is true.
type (
	// OwnerOf asks for a token's owner and approvals.
	OwnerOf struct {
		TokenID        string `wire:"token_id"`
		IncludeExpired *bool  `wire:"include_expired"`
	}
	// ApprovalQuery asks for a spender's approval of a token.
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
	// Operator asks for the grant of one operator of an owner.
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
	// AllNftInfo asks for the answers to [OwnerOf] and [NftInfo].
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
	// GetNftByExtension asks which tokens of a page have metadata that contains
	// the given one.
	GetNftByExtension struct {
		Extension  Extension `wire:"extension,optional"`
		StartAfter *string   `wire:"start_after"`
		Limit      *uint32   `wire:"limit"`
	}
)

// The answers to queries on tokens, in the contract's JSON.
type (
	// Access is a token's owner and approvals.
	Access struct {
		Owner     Address    `wire:"owner"`
		Approvals []Approval `wire:"approvals"`
	}
	// TokenInfo is a token's URI and extension.
	TokenInfo struct {
		TokenURI  *string   `wire:"token_uri"`
		Extension Extension `wire:"extension,optional"`
	}
	// approvalAnswer is the approval of one spender or operator.
	approvalAnswer struct {
		Approval Approval `wire:"approval"`
	}
	// tokensAnswer is a page of the ids of tokens.
	tokensAnswer struct {
		Tokens []string `wire:"tokens"`
	}
)

func (c *call) visibleApprovals(approvals []Approval, includeExpired *bool) []Approval {
	return slices.DeleteFunc(slices.Clone(approvals), func(approval Approval) bool {
		return !c.isVisible(approval, includeExpired)
	})
}

// isVisible reports whether a query with the member include_expired shows an approval.
func (c *call) isVisible(approval Approval, includeExpired *bool) bool {
	showsExpired := includeExpired != nil && *includeExpired
	return showsExpired || !approval.Expires.HasExpired(c.env.Block)
}

func (c *call) visibleAccess(token *Token, includeExpired *bool) Access {
	return Access{
		Owner:     token.Owner,
		Approvals: c.visibleApprovals(token.Approvals, includeExpired),
	}
}

func (t *Token) info() TokenInfo { return TokenInfo{TokenURI: t.TokenURI, Extension: t.Extension} }

func (m *OwnerOf) answer(call *call) (any, error) {
	token, err := call.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}
	return call.visibleAccess(token, m.IncludeExpired), nil
}

// answer counts the owner as a spender whose approval never expires. Only some rule sets
// validate the spender's address (spec §0.2).
func (m *ApprovalQuery) answer(call *call) (any, error) {
	if call.ruleSet().validatesApprovalSpender {
		if err := call.checkAddress(m.Spender, "spender"); err != nil {
			return nil, err
		}
	}

	token, err := call.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}
	if token.Owner == m.Spender {
		return approvalAnswer{Approval{Spender: m.Spender}}, nil
	}

	approval, exists := token.approval(m.Spender)
	if !exists || !call.isVisible(approval, m.IncludeExpired) {
		return nil, errNoApproval
	}
	return approvalAnswer{approval}, nil
}

func (m *Approvals) answer(call *call) (any, error) {
	token, err := call.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}
	return struct {
		Approvals []Approval `wire:"approvals"`
	}{call.visibleApprovals(token.Approvals, m.IncludeExpired)}, nil
}

// answer refuses the query if no visible grant is stored.
func (m *Operator) answer(call *call) (any, error) {
	err := cmp.Or(
		call.checkAddress(m.Owner, "owner"),
		call.checkAddress(m.Operator, "operator"),
	)
	if err != nil {
		return nil, err
	}

	key := operatorKey{First: m.Owner, Second: m.Operator}
	expires, exists, err := operatorsMap.Load(call.reader, key)
	if err != nil {
		return nil, err
	}
	grant := Approval{Spender: m.Operator, Expires: expires}
	if !exists || !call.isVisible(grant, m.IncludeExpired) {
		return nil, errNoApproval
	}
	return approvalAnswer{grant}, nil
}

// answer leaves out expired grants unless the query asks for them. They don't count for the
// limit.
func (m *AllOperators) answer(call *call) (any, error) {
	err := cmp.Or(
		call.checkOptionalAddress(m.StartAfter, "start_after"),
		call.checkAddress(m.Owner, "owner"),
	)
	if err != nil {
		return nil, err
	}

	allOperators := OperatorsOf(call.reader, m.Owner, Walk{Place: (*string)(m.StartAfter)})
	visibleOperators := kv.Filter(allOperators, func(operator Approval) bool {
		return call.isVisible(operator, m.IncludeExpired)
	})
	operators, err := collectPage(visibleOperators, pageSize(m.Limit))
	return struct {
		Operators []Approval `wire:"operators"`
	}{operators}, err
}

func (m *NftInfo) answer(call *call) (any, error) {
	token, err := call.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}
	return token.info(), nil
}

func (m *AllNftInfo) answer(call *call) (any, error) {
	token, err := call.loadToken(m.TokenID)
	if err != nil {
		return nil, err
	}
	return struct {
		Access Access    `wire:"access"`
		Info   TokenInfo `wire:"info"`
	}{call.visibleAccess(token, m.IncludeExpired), token.info()}, nil
}

func (m *TokensQuery) answer(call *call) (any, error) {
	if err := call.checkAddress(m.Owner, "owner"); err != nil {
		return nil, err
	}
	ownedTokenIDs := TokenIDsOf(call.reader, m.Owner, Walk{Place: m.StartAfter})
	ids, err := collectPage(ownedTokenIDs, pageSize(m.Limit))
	return tokensAnswer{ids}, err
}

func (m *AllTokens) answer(call *call) (any, error) {
	allTokenIDs := TokenIDs(call.reader, Walk{Place: m.StartAfter})
	ids, err := collectPage(allTokenIDs, pageSize(m.Limit))
	return tokensAnswer{ids}, err
}
