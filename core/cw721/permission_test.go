package cw721_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// newCollectionWithGrants returns a world at height 1000 in which alice owns token 1.
// Bob and carol are approved spenders of it; dave, erin and frank are operators of
// alice. The grants to carol and erin expire at height 1010, that to frank at a time.
func newCollectionWithGrants(t testing.TB) *world {
	w := newCollection(t, "1")
	w.mustExecute("alice", `{"approve":{"spender":"$bob","token_id":"1"}}`)
	w.mustExecute("alice", `{"approve":{"spender":"$carol","token_id":"1","expires":{"at_height":1010}}}`)
	w.mustExecute("alice", `{"approve_all":{"operator":"$dave"}}`)
	w.mustExecute("alice", `{"approve_all":{"operator":"$erin","expires":{"at_height":1010}}}`)
	w.mustExecute("alice", `{"approve_all":{"operator":"$frank","expires":{"at_time":"1700000000000000100"}}}`)
	return w
}

// decide returns the decision that executing a message for a sender would make.
func (w *world) decide(sender, msg string) (d *cw721.Decision, err error) {
	w.Helper()
	m, _, err := w.DecodeExecute([]byte(withAddresses(msg)), nil)
	kvtest.OK(w, err)
	_ = w.db.View(func(r kv.Reader) error {
		d, err = w.Decide(r, w.env, cw721.Info{Sender: cw721.Address(addr(sender))}, m)
		return nil
	})
	return d, err
}

// formatChecks returns the checks of a decision: each rule with its members, holder,
// expiration and outcome.
func formatChecks(d *cw721.Decision) string {
	var checks []string
	for _, c := range d.Checks {
		text := string(c.Rule)
		if len(c.Members) > 0 {
			text += " for " + strings.Join(c.Members, ",")
		}
		if c.Holder != nil {
			text += " " + string(*c.Holder)
		}
		if c.Expires != nil {
			text += " (" + c.Expires.String() + ")"
		}
		if c.Expired(d.Block) {
			text += " expired"
		}
		checks = append(checks, fmt.Sprintf("%s: %v", text, c.Passed))
	}
	return strings.Join(checks, "; ")
}

func TestADecisionOnATokenHasEveryCheckUpToTheFirstThatPasses(t *testing.T) {
	const (
		transfer = `{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`
		approve  = `{"approve":{"spender":"$bob","token_id":"1"}}`
	)
	for _, c := range []struct {
		sender, msg string
		height      cw721.Height
		want        string // the checks
		isAllowed   bool
	}{
		{"alice", transfer, 1000, "owner $alice: true", true},
		{"bob", transfer, 1000, "owner $alice: false; approval $bob (expiration: never): true", true},
		{"carol", transfer, 1009, "owner $alice: false; approval $carol (expiration height: 1010): true", true},
		{"carol", transfer, 1010, "owner $alice: false; approval $carol (expiration height: 1010) expired: false; operator: false", false},
		{"dave", transfer, 1000, "owner $alice: false; approval: false; operator $dave (expiration: never): true", true},
		{"erin", transfer, 1009, "owner $alice: false; approval: false; operator $erin (expiration height: 1010): true", true},
		{"erin", transfer, 1010, "owner $alice: false; approval: false; operator $erin (expiration height: 1010) expired: false", false},
		{"frank", transfer, 1000, "owner $alice: false; approval: false; operator $frank (expiration time: 1700000000.000000100): true", true},
		{"minter", transfer, 1000, "owner $alice: false; approval: false; operator: false", false},
		{"creator", transfer, 1000, "owner $alice: false; approval: false; operator: false", false},
		{"alice", approve, 1000, "owner $alice: true", true},
		{"bob", approve, 1000, "owner $alice: false; operator: false", false},
		{"dave", approve, 1000, "owner $alice: false; operator $dave (expiration: never): true", true},
		{"erin", approve, 1011, "owner $alice: false; operator $erin (expiration height: 1010) expired: false", false},
	} {
		w := newCollectionWithGrants(t)
		w.env.Block.Height = c.height
		d := kvtest.Must(w.decide(c.sender, c.msg))(t)
		got := formatChecks(d)
		want := withAddresses(c.want)
		if got != want || d.Allowed != c.isAllowed {
			t.Errorf("%s at %d: %s\n got %v %s\nwant %v %s", c.sender, c.height, c.msg, d.Allowed, got, c.isAllowed, want)
		}
		isAboutSender := d.Actor == cw721.Address(addr(c.sender)) && d.Block == w.env.Block
		isAboutToken := *d.TokenID == "1" && *d.Owner == cw721.Address(addr("alice"))
		if !isAboutSender || !isAboutToken || d.RequiresAll {
			t.Errorf("%s at %d: the decision is about %+v", c.sender, c.height, d)
		}
	}
}

func TestADecisionOnARoleHasTheCheckOfItsHolder(t *testing.T) {
	const updateAll = `{"update_collection_info":{"collection_info":{"name":"N","symbol":"S","extension":` + fullCollection + `}}}`
	for _, c := range []struct{ sender, msg, want string }{
		{"minter", `{"mint":{"token_id":"2","owner":"$bob"}}`, "minter $minter: true"},
		{"creator", `{"mint":{"token_id":"2","owner":"$bob"}}`, "minter $minter: false"},
		{"creator", `{"update_nft_info":{"token_id":"1"}}`, "creator $creator: true"},
		{"alice", `{"update_nft_info":{"token_id":"1"}}`, "creator $creator: false"},
		{"alice", `{"set_withdraw_address":{"address":"$bob"}}`, "creator $creator: false"},
		{"creator", `{"remove_withdraw_address":{}}`, "creator $creator: true"},
		{"alice", `{"withdraw_funds":{"amount":{"denom":"u","amount":"1"}}}`, "anyone: true"},
		{"alice", `{"approve_all":{"operator":"$bob"}}`, "anyone: true"},
		{"alice", `{"revoke_all":{"operator":"$bob"}}`, "anyone: true"},
		{"alice", `{"update_extension":{"msg":{}}}`, "anyone: true"},
		{"alice", `{"update_collection_info":{"collection_info":{}}}`, "anyone: true"},
		{"alice", `{"update_collection_info":{"collection_info":{"extension":{}}}}`, "anyone: true"},
		{"creator", updateAll, "creator for name,symbol $creator: true; minter for start_trading_time $minter: false"},
		{"minter", updateAll, "creator for name,symbol $creator: false"},
		{"minter", `{"update_collection_info":{"collection_info":{"extension":` + fullCollection + `}}}`,
			"minter for start_trading_time $minter: true; creator for description,image,external_link,explicit_content,royalty_info $creator: false"},
		{"minter", `{"update_minter_ownership":` + offer + `}`, "minter $minter: true"},
		{"creator", `{"update_ownership":` + offer + `}`, "minter $minter: false"},
		{"creator", `{"update_creator_ownership":"renounce_ownership"}`, "creator $creator: true"},
		{"bob", `{"update_creator_ownership":"accept_ownership"}`, "pending owner: false"},
		{"bob", `{"update_minter_ownership":"accept_ownership"}`, "pending owner $bob (expiration height: 1001): true"},
		{"carol", `{"update_minter_ownership":"accept_ownership"}`, "pending owner $bob (expiration height: 1001): false"},
		{"bob", `{"update_ownership":"accept_ownership"}`, "pending owner $bob (expiration height: 1001): true"},
	} {
		w := newCollectionWithGrants(t)
		w.mustExecute("minter", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":1001}}}}`)
		d := kvtest.Must(w.decide(c.sender, c.msg))(t)
		got := formatChecks(d)
		want := withAddresses(c.want)
		isAllowed := !strings.Contains(c.want, "false")
		if got != want || d.Allowed != isAllowed {
			t.Errorf("%s: %s\n got %v %s\nwant %s", c.sender, c.msg, d.Allowed, got, want)
		}
		requiresAll := strings.Contains(c.msg, "update_collection_info")
		if d.RequiresAll != requiresAll {
			t.Errorf("%s: %s: RequiresAll is %v", c.sender, c.msg, d.RequiresAll)
		}
	}
}
