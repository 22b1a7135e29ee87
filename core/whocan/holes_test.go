package whocan

import (
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

// worlds are questions with their answers. Every world begins at height 1,000, and alice owns
// rose. She is passive unless the question says that she is active. way is the shortest way; it is empty
// if nobody can.
var worlds = []struct{ about, world, question, way string }{
	// Holes.
	{"a live approval", `alice approve bob rose 1100`, "transfer",
		"1000 bob transfer bob [approval]"},
	{"a live operator", `alice approve_all bob 1100`, "burn",
		"1000 bob burn [operator]"},
	{"an operator approves himself and outlives his grant", `alice approve_all bob 1100`, "transfer after 1200 unmoved",
		"1000 bob approve bob [operator]; 1200 bob transfer bob [approval]"},
	{"an operator approves somebody else, who outlives the grant", `alice approve_all bob 1100`, "transfer as carol after 1200 unmoved",
		"1000 bob approve carol [operator]; 1200 carol transfer carol [approval]"},
	{"an operator approves whoever comes", `alice approve_all bob 1100`, "transfer passive alice after 1200 unmoved",
		"1000 bob approve bob [operator]; 1200 bob transfer bob [approval]"},
	{"a stale approval outlives the operator who gave it", "alice approve_all bob\nbob approve carol rose\nalice revoke_all bob", "transfer",
		"1000 carol transfer carol [approval]"},
	{"a spender takes the token and keeps it", `alice approve bob rose 1100`, "transfer after 1200",
		"1000 bob transfer bob [approval]; 1200 bob transfer bob [owner]"},
	{"an operator hands the token to somebody else", `alice approve_all bob 1100`, "burn as carol after 1200",
		"1000 bob transfer carol [operator]; 1200 carol burn [owner]"},
	{"an operator of an operator, with his help", "alice approve_all bob 1100\nbob approve_all carol", "transfer as carol",
		"1000 bob transfer carol [operator]; 1000 carol transfer carol [owner]"},
	{"an operator of old reaches a token that came back", "alice approve_all bob\nalice transfer carol rose\ncarol transfer alice rose", "transfer",
		"1000 bob transfer bob [operator]"},
	{"an operator was given before the token was bought", "dave approve_all bob\nalice transfer dave rose", "transfer",
		"1000 bob transfer bob [operator]"},
	{"an operator known by his address alone", `alice approve_all stranger`, "send",
		"1000 stranger send_nft [operator]"},
	{"a contract that is an operator", `alice approve_all market 1100`, "transfer after 1200 unmoved",
		"1000 market approve market [operator]; 1200 market transfer market [approval]"},
	{"an approval that expires in time, not in blocks", `alice approve bob rose t1000600`, "transfer after 1119 unmoved",
		"1119 bob transfer bob [approval]"},
	{"the owner helps where another is passive", `alice approve bob rose 1100`, "approve as dave passive bob active alice unmoved",
		"1000 alice approve_all dave [anyone]; 1000 dave approve dave [operator]"},
	{"an approval is turned into the permission to approve", `alice approve bob rose 1100`, "approve as bob",
		"1000 bob transfer bob [approval]; 1000 bob approve bob [owner]"},
	{"an operator revokes", `alice approve_all bob 1100`, "revoke",
		"1000 bob revoke [operator]"},
	{"a role that was offered", `creator offer-minter bob 1100`, "mint",
		"1000 bob update_minter_ownership [pending owner]; 1000 bob mint [minter]"},
	{"a token has the name that comes to mind", "creator offer-minter bob 1100\ncreator mint new alice\ncreator mint new- alice", "mint",
		"1000 bob update_minter_ownership [pending owner]; 1000 bob mint [minter]"},
	{"a role that was offered goes on to somebody else", `creator offer-creator bob 1100`, "update-token as carol after 1200",
		"1000 bob update_creator_ownership [pending owner]; 1000 bob update_creator_ownership [creator]; 1000 carol update_creator_ownership [pending owner]; 1200 carol update_nft_info [creator]"},
	{"an offer without end", `creator offer-creator bob`, "set-withdraw-address after 5000",
		"1000 bob update_creator_ownership [pending owner]; 5000 bob set_withdraw_address [creator]"},
	{"the offer was made before the role was lost", "creator offer-minter bob\nbob accept-minter\nbob offer-minter carol", "accept-minter",
		"1000 carol update_minter_ownership [pending owner]"},
	{"whoever holds the role may offer it to anybody", ``, "offer-minter passive alice active creator",
		"1000 creator update_minter_ownership [minter]"},

	// Safe worlds.
	{"nothing was granted", ``, "transfer", ""},
	{"nothing was granted, and nobody can burn", ``, "burn", ""},
	{"an approval that has expired", "alice approve bob rose 1100\nclock 1100", "transfer", ""},
	{"an operator who has expired", "alice approve_all bob 1100\nclock 1100", "transfer", ""},
	{"an approval that was revoked", "alice approve bob rose\nalice revoke bob rose", "transfer", ""},
	{"an operator who was revoked", "alice approve_all bob\nalice revoke_all bob", "send", ""},
	{"an approval ends with the transfer", "alice approve bob rose\nalice transfer carol rose\ncarol transfer alice rose", "transfer", ""},
	{"an approval that expires before the act, of a token that stays", `alice approve bob rose 1100`, "transfer after 1100 unmoved", ""},
	{"a spender may not approve", `alice approve bob rose`, "approve unmoved", ""},
	{"a spender may not revoke", `alice approve bob rose`, "revoke unmoved", ""},
	{"an operator may not make operators", `alice approve_all bob`, "approve as carol unmoved", ""},
	{"nor can he by revoking an approval", "alice approve dave rose\nalice approve_all bob", "approve as carol passive alice,dave unmoved", ""},
	{"an operator of an operator, alone", "alice approve_all bob\nbob approve_all carol", "transfer passive alice,bob", ""},
	{"all who could are passive", "alice approve_all bob\nalice approve carol rose", "transfer passive alice,bob,carol", ""},
	{"an operator of somebody else", "dave approve_all bob", "transfer passive alice,dave", ""},
	{"a former owner's operator", "alice approve_all bob\nalice transfer carol rose", "transfer", ""},
	{"creator and minter have no permission over tokens", `creator offer-minter bob`, "burn", ""},
	{"an offer that has lapsed", "creator offer-minter bob 1100\nclock 1100", "mint", ""},
	{"an offer in time, which has lapsed", "creator offer-creator bob t1000500\nclock 1100", "update-token", ""},
	{"a role that was renounced", `creator renounce-minter`, "mint passive alice", ""},
	{"an offer that was replaced", "creator offer-creator bob\ncreator offer-creator alice", "update-collection passive creator,alice", ""},
	{"an offer of the other role", `creator offer-minter bob`, "set-withdraw-address", ""},
	{"a token that somebody else owns", "creator mint lily bob\nbob approve_all carol", "transfer", ""},
}

func TestHolesAreFoundByTheirShortestWayAndSafeWorldsAreSafe(t *testing.T) {
	for _, c := range worlds {
		t.Run(c.about, func(t *testing.T) {
			w := newWorld(t).do(c.world)
			a := w.ask(c.question)
			if c.way == "" {
				if a.Verdict != None {
					t.Errorf("%s is answered with %q, and a way of %q", c.question, a.Verdict, ways(a))
				}
				return
			}
			if a.Verdict != WayExists || ways(a) != c.way {
				t.Fatalf("%s is answered with %q\ngot  %s\nwant %s", c.question, a.Verdict, ways(a), c.way)
			}
			w.play(a.Ways[0])
		})
	}
}

// ways describes the ways in an answer, with | between them.
func ways(a Answer) (text string) {
	for i, way := range a.Ways {
		if i > 0 {
			text += " | "
		}
		text += told(way)
	}
	return text
}

// play sends the messages of a way, each in its block.
func (w *world) play(way []Step) {
	w.t.Helper()
	for i, s := range way {
		chaintest.Must(w.c.Advance(chain.ClockStep{Height: &s.Block.Height, Time: &s.Block.Time}))(w.t)
		r := chaintest.Must(w.c.Execute(s.Sender, cw721.Encode(s.Message)))(w.t)
		if r.Refusal != nil {
			w.t.Fatalf("step %d of %s: %v", i+1, told(way), r.Refusal)
		}
	}
}
