package scenario

import (
	"maps"
	"slices"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// collectionQueries ask for the number of tokens and for each role. Each has one or more
// forms, the newest first; releases before 0.19 have only the later ones. A contract without
// any form of a query has no such role.
var collectionQueries = [][]string{
	{`{"num_tokens":{}}`},
	{`{"get_minter_ownership":{}}`, `{"ownership":{}}`, `{"minter":{}}`},
	{`{"get_creator_ownership":{}}`},
	{`{"get_additional_minters":{"limit":1000}}`},
}

// eachCheck calls yield with queries about the collection and with the answers that they
// have now: the number of tokens, the roles, the owner and the approvals of each token, and
// the operators of each account that has a name, owns a token or has an operator. Expired
// grants are in the answers.
func (r *recording) eachCheck(yield func(Step) error) error {
	// About the collection: of the forms of a query, the first that the contract knows.
	for _, forms := range collectionQueries {
		for _, query := range forms {
			isKnown, err := r.check(query, yield)
			if err != nil {
				return err
			}
			if isKnown {
				break
			}
		}
	}

	// About each token. Its owner is asked about below.
	if err := r.view.CheckReadable(); err != nil {
		return err
	}
	owners := map[cw721.Address]bool{}
	for address := range r.names {
		owners[address] = true
	}
	for token, err := range r.view.Tokens("", cw721.Walk{}) {
		if err != nil {
			return err
		}
		owners[token.Owner] = true
		query := cw721.Encode(&cw721.OwnerOf{TokenID: token.ID, IncludeExpired: new(true)})
		if _, err := r.check(string(query), yield); err != nil {
			return err
		}
	}

	// About each account that can have operators.
	for entry, err := range r.view.Grants(expiry.Index{Operators: true}) {
		if err != nil {
			return err
		}
		owners[entry.Owner] = true
	}
	for _, owner := range slices.Sorted(maps.Keys(owners)) {
		if err := r.checkOperators(owner, yield); err != nil {
			return err
		}
	}
	return nil
}

// checkOperators calls yield with the queries for all operators of an account, page by page.
// An account without operators has one page, which is empty.
func (r *recording) checkOperators(owner cw721.Address, yield func(Step) error) error {
	var operators []cw721.Address
	for operator, err := range r.view.OperatorsOf(owner) {
		if err != nil {
			return err
		}
		operators = append(operators, operator.Spender)
	}

	// A page begins after the last operator of the page before.
	query := cw721.AllOperators{Owner: owner, IncludeExpired: new(true), Limit: new(uint32(cw721.MaxLimit))}
	for first := 0; first == 0 || first < len(operators); first += cw721.MaxLimit {
		if first > 0 {
			query.StartAfter = &operators[first-1]
		}
		if _, err := r.check(string(cw721.Encode(&query)), yield); err != nil {
			return err
		}
	}
	return nil
}

// check calls yield with a query and the answer that it has now. isKnown is false, and yield
// is not called, if the contract has no such query.
func (r *recording) check(query string, yield func(Step) error) (isKnown bool, err error) {
	step := Step{Kind: Query, Message: r.withNames(Query, query)}
	answer, err := r.view.Query([]byte(query))
	refusal := cw721.AsError(err)
	switch {
	case refusal != nil && refusal.Kind == cw721.KindParse:
		return false, nil
	case refusal != nil:
		step.Expect = expectRefusal(refusal.Kind, refusal.Text)
	case err != nil:
		return false, err
	default:
		step.Expect = &Expect{Answer: []byte(r.addressNames.Replace(string(answer)))}
	}
	return true, yield(step)
}
