package scenario

import (
	"maps"
	"slices"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// collectionQueries has the queries for the number of tokens and for each role. Each query
// is a list of the forms that it has in the releases of the contract, the newest first. A
// contract that knows no form of a query has no such role.
var collectionQueries = [][]string{
	{`{"num_tokens":{}}`},
	{`{"get_minter_ownership":{}}`, `{"ownership":{}}`, `{"minter":{}}`},
	{`{"get_creator_ownership":{}}`},
	{`{"get_additional_minters":{"limit":1000}}`},
}

// yieldQueries calls yield with steps that query the collection and expect the answers that
// it gives now. They query the number of tokens, the roles, the owner and the approvals of
// each token, and the operators of each account. The answers include expired grants.
func (r *recording) yieldQueries(yield func(Step) error) error {
	// Query the collection, with the first form of each query that the contract knows.
	for _, forms := range collectionQueries {
		for _, query := range forms {
			isKnown, err := r.yieldQuery(query, yield)
			if err != nil {
				return err
			}
			if isKnown {
				break
			}
		}
	}

	// Query each token. Collect the accounts with a name, a token or an operator, whose
	// operators are queried below.
	if err := r.view.CheckReadable(); err != nil {
		return err
	}
	accounts := map[cw721.Address]bool{}
	for address := range r.names {
		accounts[address] = true
	}
	for token, err := range r.view.Tokens("", cw721.Walk{}) {
		if err != nil {
			return err
		}
		accounts[token.Owner] = true
		query := cw721.Encode(&cw721.OwnerOf{TokenID: token.ID, IncludeExpired: new(true)})
		if _, err := r.yieldQuery(string(query), yield); err != nil {
			return err
		}
	}

	for entry, err := range r.view.Grants(expiry.Index{OnlyOperators: true}) {
		if err != nil {
			return err
		}
		accounts[entry.Owner] = true
	}
	for _, account := range slices.Sorted(maps.Keys(accounts)) {
		if err := r.yieldOperatorQueries(account, yield); err != nil {
			return err
		}
	}
	return nil
}

// yieldOperatorQueries queries each page of an account's operators, which is one empty page for
// an account without operators.
func (r *recording) yieldOperatorQueries(owner cw721.Address, yield func(Step) error) error {
	var operators []cw721.Address
	for operator, err := range r.view.OperatorsOf(owner) {
		if err != nil {
			return err
		}
		operators = append(operators, operator.Spender)
	}

	// A page begins after the last operator of the page before.
	query := cw721.AllOperators{
		Owner:          owner,
		IncludeExpired: new(true),
		Limit:          new(uint32(cw721.MaxLimit)),
	}
	for {
		message := string(cw721.Encode(&query))
		if _, err := r.yieldQuery(message, yield); err != nil {
			return err
		}
		if len(operators) <= cw721.MaxLimit {
			return nil
		}
		query.StartAfter = &operators[cw721.MaxLimit-1]
		operators = operators[cw721.MaxLimit:]
	}
}

// yieldQuery calls yield with a step that expects the present answer to a query, unless the
// contract does not know the query.
func (r *recording) yieldQuery(query string, yield func(Step) error) (isKnown bool, err error) {
	step := Step{Kind: Query, Message: r.replaceAddresses(Query, query)}
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
		answerWithNames := r.addressReplacer.Replace(string(answer))
		step.Expect = &Expect{Answer: []byte(answerWithNames)}
	}
	return true, yield(step)
}
