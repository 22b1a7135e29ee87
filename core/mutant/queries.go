package mutant

import (
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// startAtGivenItem makes a page of tokens begin with the item that start_after names,
// by letting it begin after the item before.
func startAtGivenItem(r kv.Reader, msg cw721.QueryMsg) error {
	switch query := msg.(type) {
	case *cw721.AllTokens:
		return moveBackStart(r, &query.StartAfter)
	case *cw721.TokensQuery:
		return moveBackStart(r, &query.StartAfter)
	}
	return nil
}

// moveBackStart sets a start_after member to the token before the one that it names.
// It sets nil if there is none.
func moveBackStart(r kv.Reader, startAfter **string) error {
	if *startAfter == nil {
		return nil
	}
	tokensBefore := cw721.TokenIDs(r, cw721.Walk{Place: *startAfter, Reverse: true})
	*startAfter = nil
	for id, err := range tokensBefore {
		*startAfter = &id
		return err
	}
	return nil
}

// invertIncludeExpired makes queries list expired grants if the query does not ask for
// them, and leave them out if it does.
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

// inverse returns the opposite of a flag that is false if absent.
func inverse(flag *bool) *bool {
	isSet := flag != nil && *flag
	return new(!isSet)
}
