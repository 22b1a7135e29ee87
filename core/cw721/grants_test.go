package cw721_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// grants returns all grants of the store, in the order of their records' keys.
func (w *world) grants() (all []cw721.Grant) {
	w.Helper()
	for _, p := range w.records() {
		all = append(all, kvtest.Must(cw721.DecodeGrants(p.Key, p.Value))(w)...)
	}
	return all
}

func TestDecodingAllRecordsGivesAllGrantsOfACollection(t *testing.T) {
	w := newCollectionWithGrants(t)
	w.mustExecute("minter", `{"update_minter_ownership":`+offer+`}`)
	w.mustExecute("creator", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"$zoe"}}}`)
	w.env.Block.Height = 9999 // some have expired

	var want []cw721.Grant
	add := func(kind cw721.GrantKind, token, owner, spender string, e cw721.Expiration) {
		want = append(want, cw721.Grant{
			Kind:    kind,
			Token:   token,
			Owner:   cw721.Address(addr(owner)),
			Spender: cw721.Address(addr(spender)),
			Expires: e,
		})
	}
	add(cw721.GrantApproval, "1", "alice", "bob", cw721.Expiration{})
	add(cw721.GrantApproval, "1", "alice", "carol", cw721.UntilHeight(1010))
	add(cw721.GrantOperator, "", "alice", "dave", cw721.Expiration{})
	add(cw721.GrantOperator, "", "alice", "erin", cw721.UntilHeight(1010))
	add(cw721.GrantOperator, "", "alice", "frank", cw721.UntilTime(1_700_000_000_000_000_100))
	add(cw721.GrantMinterOffer, "", "minter", "bob", cw721.UntilHeight(5))
	add(cw721.GrantCreatorOffer, "", "creator", "zoe", cw721.Expiration{})

	byKindAndSpender := cmpopts.SortSlices(func(a, b cw721.Grant) bool {
		return string(a.Kind)+string(a.Spender) < string(b.Kind)+string(b.Spender)
	})
	if diff := cmp.Diff(want, w.grants(), byKindAndSpender); diff != "" {
		t.Error(diff)
	}
}

func TestGrantsAreEqualExceptForTheirExpiryOnly(t *testing.T) {
	grant := cw721.Grant{Kind: cw721.GrantApproval, Token: "1", Owner: "a", Spender: "b", Expires: cw721.UntilHeight(5)}

	renewed := grant
	renewed.Expires = cw721.UntilTime(9)
	if !grant.EqualExceptExpiry(renewed) {
		t.Error("a renewed grant is another one")
	}

	for _, other := range []cw721.Grant{
		{Kind: cw721.GrantOperator, Token: "1", Owner: "a", Spender: "b"},
		{Kind: cw721.GrantApproval, Token: "2", Owner: "a", Spender: "b"},
		{Kind: cw721.GrantApproval, Token: "1", Owner: "x", Spender: "b"},
		{Kind: cw721.GrantApproval, Token: "1", Owner: "a", Spender: "x"},
	} {
		if grant.EqualExceptExpiry(other) {
			t.Errorf("%+v and %+v are equal", grant, other)
		}
	}
}

func TestDecodingTheGrantsOfABrokenRecordFails(t *testing.T) {
	for key, value := range map[string]string{
		"\x00\x06tokens1":             `{}`,
		"\x00\x06tokens2":             `{"owner":"a","approvals":[]`,
		"\x00\x09operators\x00":       `{"never":{}}`,
		"\x00\x09operators\x00\x01ab": `{"never":1}`,
		"ownership":                   `x`,
		"collection_minter":           `{"owner":1}`,
	} {
		if grants, err := cw721.DecodeGrants([]byte(key), []byte(value)); err == nil {
			t.Errorf("%q = %s holds %v", key, value, grants)
		}
	}
}

// expectCorruptRecord expects that a record cannot be decoded, either because its key is
// unknown or because its value is broken.
func expectCorruptRecord(t *testing.T, key, value string, isUnknown bool) {
	t.Helper()
	_, err := cw721.CurrentLayout.DecodeRecord([]byte(key), []byte(value))
	var corrupt *kv.CorruptError
	if !errors.As(err, &corrupt) || string(corrupt.Key) != key {
		t.Errorf("%q = %s gives %v", key, value, err)
	}
	if cw721.IsUnknownRecord(err) != isUnknown {
		t.Errorf("%q: unknown is %v: %v", key, !isUnknown, err)
	}
}

func TestARecordThatTheContractDoesNotWriteCannotBeDecoded(t *testing.T) {
	const (
		token     = `{"owner":"a","approvals":[],"token_uri":null,"extension":null}`
		extension = "\x00\x1fcw721_collection_info_extension"
	)
	brokenValues := map[string][]string{
		"\x00\x06tokens1": {
			``,
			token + "x",
			`{"owner":"a"}`,
			`{"approvals":[],"token_uri":null,"extension":{"x":1}}`,
			`{"owner":"a","approvals":[{"spender":"b","expires":null}],"token_uri":null,"extension":null}`,
		},
		"\x00\x0dtokens__owner\x00\x01a1": {`"1"`},
		"\x00\x0dtokens__owner\x00\x05a1": {`1`},
		"\x00\x0dtokens__owner":           {`1`},
		"\x00\x09operators\x00\x01ab":     {`null`},
		"\x00\x09operators\x00":           {`{"never":{}}`},
		extension + "image":               {`"x"`, `{"key":"image","value":"!"}`},
		"num_tokens":                      {`-1`, `"1"`},
		"withdraw_address":                {`null`},
		"ownership":                       {`{"x":1}`},
		"collection_minter":               {`[]`},
		"cw721_collection_info":           {`{"name":"N","symbol":"S","updated_at":1}`},
		"contract_info":                   {`{"contract":"x"}`},
	}
	for key, values := range brokenValues {
		for _, value := range values {
			expectCorruptRecord(t, key, value, false)
		}
	}

	unknownKeys := map[string]string{"": `x`, "tokens1": token, "\x00\x07tokens1x": token, "num_tokens2": `1`, "config": `{}`}
	for key, value := range unknownKeys {
		expectCorruptRecord(t, key, value, true)
	}
}
