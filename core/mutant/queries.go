package mutant

import (
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// queryMutants are wrong about queries.
var queryMutants = []Mutant{
	{
		Name:        "shows-expired",
		Belief:      "queries list expired grants unless include_expired is true",
		beforeQuery: invertIncludeExpired,
	},
	{
		Name:        "start-after-inclusive",
		Belief:      "start_after is the first item of the page",
		beforeQuery: startAtGivenItem,
	},
}

// startAtGivenItem changes a query for a page of tokens, so that the page begins with the
// token that start_after names. In the true contract it begins with the next one. To do
// so, it moves start_after back by one token.
func startAtGivenItem(reader kv.Reader, msg cw721.QueryMsg) (err error) {
	switch query := msg.(type) {
	case *cw721.AllTokens:
		query.StartAfter, err = tokenBefore(reader, query.StartAfter)
	case *cw721.TokensQuery:
		query.StartAfter, err = tokenBefore(reader, query.StartAfter)
	}
	return err
}

// tokenBefore returns the ID of the token before startAfter. It returns nil, the beginning of
// the list, if no token comes before, and if startAfter is nil.
func tokenBefore(reader kv.Reader, startAfter *string) (*string, error) {
	if startAfter == nil {
		return nil, nil
	}

	// The walk goes backwards, so its first token is the one just before.
	for id, err := range cw721.TokenIDs(reader, cw721.Walk{Place: startAfter, Reverse: true}) {
		return &id, err
	}
	return nil, nil
}

// invertIncludeExpired inverts the member include_expired of the queries that have one.
func invertIncludeExpired(_ kv.Reader, msg cw721.QueryMsg) error {
	switch query := msg.(type) {
	case *cw721.OwnerOf:
		query.IncludeExpired = inverse(query.IncludeExpired)
	case *cw721.Approvals:
		query.IncludeExpired = inverse(query.IncludeExpired)
	case *cw721.AllOperators:
		query.IncludeExpired = inverse(query.IncludeExpired)
	case *cw721.AllNftInfo:
		query.IncludeExpired = inverse(query.IncludeExpired)
	}
	return nil
}

// inverse returns the opposite of an optional flag. nil is an absent flag, which is false.
func inverse(flag *bool) *bool {
	return new(flag == nil || !*flag)
}
