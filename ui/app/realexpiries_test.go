package app

import (
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

func TestAReadingOfRealExpiriesMakesFewSearchesAndTheNextContinues(t *testing.T) {
	w := chaintest.New(t)
	w.Mint("rose", "alice")
	var grants []cw721.Grant
	for height := range 2*searchesPerRead + 1 {
		grants = append(grants, cw721.Grant{
			Kind:    cw721.GrantApproval,
			Token:   "rose",
			Owner:   chaintest.Address("alice"),
			Spender: chaintest.Address("bob"),
			Expires: cw721.UntilHeight(cw721.Height(200 + height)),
		})
	}
	w.View(func(v *chain.View) {
		st := new(State)
		st.Revision = v.Revision
		var ends RealExpiries
		readings := 0
		for ends.Needs(st, grants) != nil && readings < 10 {
			ends = chaintest.Must(ends.Read(v, grants))(t)
			readings++
		}
		chaintest.Same(t, "readings", 3, readings)
	})
}
