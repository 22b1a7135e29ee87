package cw721_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// quote writes ids as a JSON list.
func quote(ids []string) string { return string(wire.Encode(ids)) }

func TestTokensArePagedInTheOrderOfTheirBytes(t *testing.T) {
	// U+E000 comes before an emoji by bytes, and after it in UTF-16.
	ids := []string{"", "\u0000", "01", "1", "10", "1a", "2", "B", "a", "a\u0000", "aa", "é", "\ue000", "😀"}
	mixed := slices.Clone(ids)
	slices.Reverse(mixed)
	w := begin(t, mixed...)
	w.mints("bob", "15", "zz")
	all := append(slices.Clone(ids), "15", "zz")
	slices.Sort(all)
	for _, q := range []struct {
		name string
		ids  []string
		msg  string
	}{{"all_tokens", all, ``}, {"tokens", ids, `"owner":"$alice",`}} {
		for i := range q.ids {
			after := string(wire.AppendString(nil, q.ids[i]))
			for _, n := range []int{0, 1, 2, 100} {
				w.answers(fmt.Sprintf(`{"%s":{%s"start_after":%s,"limit":%d}}`, q.name, q.msg, after, n),
					`{"tokens":`+quote(q.ids[i+1:min(i+1+n, len(q.ids))])+`}`)
			}
		}
		w.answers(`{"`+q.name+`":{`+q.msg+`"limit":100,"start_after":null}}`, `{"tokens":`+quote(q.ids)+`}`)
	}
	// What a page starts after need not exist, nor be the owner's.
	w.answers(`{"all_tokens":{"start_after":"10x","limit":1}}`, `{"tokens":["15"]}`)
	w.answers(`{"tokens":{"owner":"$alice","start_after":"15","limit":1}}`, `{"tokens":["1a"]}`)
	w.answers(`{"all_tokens":{"start_after":"😀😀"}}`, `{"tokens":[]}`)
}

func TestAPageHoldsTenByDefaultAndAThousandAtMost(t *testing.T) {
	w := begin(t)
	ids := make([]string, 1005)
	for i := range ids {
		ids[i] = fmt.Sprintf("%04d", i)
	}
	w.mints("alice", ids...)
	for limit, want := range map[string]int{``: 10, `,"limit":null`: 10, `,"limit":0`: 0, `,"limit":1`: 1, `,"limit":1000`: 1000, `,"limit":1001`: 1000, `,"limit":4294967295`: 1000} {
		for _, q := range []string{`{"all_tokens":{"start_after":null` + limit + `}}`, `{"tokens":{"owner":"$alice"` + limit + `}}`} {
			w.answers(q, `{"tokens":`+quote(ids[:want])+`}`)
		}
		got, err := w.query(`{"get_nft_by_extension":{"start_after":"0003"` + limit + `}}`)
		if n := strings.Count(string(got), "token_uri"); err != nil || n != want {
			t.Errorf("get_nft_by_extension with %s gives %d, %v", limit, n, err)
		}
	}
	w.answers(`{"num_tokens":{}}`, `{"count":1005}`)
}

func TestEndedOperatorsAreLeftOutBeforeThePageIsCut(t *testing.T) {
	w := begin(t)
	var names []string
	for i := range 30 {
		name := "op" + string(rune('a'+i/10)) + string(rune('a'+i%10))
		names = append(names, addr(name))
		end := ""
		if i%3 == 0 {
			end = `,"expires":{"at_height":1001}`
		}
		w.does("alice", `{"approve_all":{"operator":"$`+name+`"`+end+`}}`)
	}
	w.does("bob", `{"approve_all":{"operator":"$zoe"}}`)
	slices.Sort(names)
	ended := map[string]bool{}
	for i := range 30 {
		if i%3 == 0 {
			ended[addr("op"+string(rune('a'+i/10))+string(rune('a'+i%10)))] = true
		}
	}
	w.env.Block.Height = 1001
	page := func(from, n int, all bool) string {
		list := []string{}
		for _, name := range names[from:] {
			if end := `{"never":{}}`; len(list) < n && (all || !ended[name]) {
				if ended[name] {
					end = `{"at_height":1001}`
				}
				list = append(list, `{"spender":"`+name+`","expires":`+end+`}`)
			}
		}
		return `{"operators":[` + strings.Join(list, ",") + `]}`
	}
	w.answers(`{"all_operators":{"owner":"$alice"}}`, page(0, 10, false))
	w.answers(`{"all_operators":{"owner":"$alice","include_expired":false,"limit":15}}`, page(0, 15, false))
	w.answers(`{"all_operators":{"owner":"$alice","include_expired":null,"limit":1000}}`, page(0, 20, false))
	w.answers(`{"all_operators":{"owner":"$alice","include_expired":true,"limit":1000}}`, page(0, 30, true))
	w.answers(`{"all_operators":{"owner":"$alice","limit":0}}`, page(0, 0, true))
	for i, name := range names {
		w.answers(`{"all_operators":{"owner":"$alice","start_after":"`+name+`","limit":3}}`, page(i+1, 3, false))
		w.answers(`{"all_operators":{"owner":"$alice","start_after":"`+name+`","limit":3,"include_expired":true}}`, page(i+1, 3, true))
	}
	w.answers(`{"all_operators":{"owner":"$nobody"}}`, `{"operators":[]}`)
}

func TestAllOperatorsChecksWhereItStartsBeforeTheOwner(t *testing.T) {
	w := begin(t)
	for start, field := range map[string]string{`"x"`: "start_after", `""`: "start_after", `"$bob"`: "owner", `null`: "owner"} {
		_, err := w.query(`{"all_operators":{"owner":"nobody","start_after":` + start + `}}`)
		if e := w.refusal(start, err, cw721.KindAddress, "…"); e.Field != field {
			t.Errorf("starting after %s the member at fault is %s", start, e.Field)
		}
	}
	_, err := w.query(`{"operator":{"owner":"x","operator":"y"}}`)
	if e := w.refusal("operator", err, cw721.KindAddress, "…"); e.Field != "owner" {
		t.Errorf("the member at fault is %s", e.Field)
	}
	_, err = w.query(`{"operator":{"owner":"$alice","operator":"y"}}`)
	if e := w.refusal("operator", err, cw721.KindAddress, "…"); e.Field != "operator" {
		t.Errorf("the member at fault is %s", e.Field)
	}
	w.answersNot(`{"tokens":{"owner":""}}`, cw721.KindAddress, "Generic error: addr_validate errored: Input is empty")
	w.answers(`{"tokens":{"owner":"$nobody"}}`, `{"tokens":[]}`)
}

func TestEndedApprovalsAreHiddenUnlessAskedFor(t *testing.T) {
	w := begin(t, "1")
	w.does("alice", `{"approve":{"spender":"$carol","token_id":"1","expires":{"at_height":1002}}}`)
	w.does("alice", `{"approve":{"spender":"$bob","token_id":"1"}}`)
	w.does("alice", `{"approve":{"spender":"$dave","token_id":"1","expires":{"at_time":"1700000000000000002"}}}`)
	const bob, carol, dave = `{"spender":"$bob","expires":{"never":{}}}`, `{"spender":"$carol","expires":{"at_height":1002}}`, `{"spender":"$dave","expires":{"at_time":"1700000000000000002"}}`
	for _, c := range []struct {
		block cw721.Block
		live  string
	}{
		{cw721.Block{Height: 1001, Time: 1_700_000_000_000_000_001}, carol + "," + bob + "," + dave},
		{cw721.Block{Height: 1002, Time: 1_700_000_000_000_000_001}, bob + "," + dave},
		{cw721.Block{Height: 1001, Time: 1_700_000_000_000_000_002}, carol + "," + bob},
		{cw721.Block{Height: 1002, Time: 1_700_000_000_000_000_002}, bob},
	} {
		w.env.Block = c.block
		for _, include := range []string{``, `,"include_expired":false`, `,"include_expired":null`, `,"include_expired":true`} {
			list := c.live
			if strings.Contains(include, "true") {
				list = carol + "," + bob + "," + dave
			}
			w.answers(`{"approvals":{"token_id":"1"`+include+`}}`, `{"approvals":[`+list+`]}`)
			access := `{"owner":"$alice","approvals":[` + list + `]}`
			w.answers(`{"owner_of":{"token_id":"1"`+include+`}}`, access)
			w.answers(`{"all_nft_info":{"token_id":"1"`+include+`}}`, `{"access":`+access+`,"info":{"token_uri":null,"extension":null}}`)
			for name, one := range map[string]string{"bob": bob, "carol": carol, "dave": dave} {
				q := `{"approval":{"token_id":"1","spender":"$` + name + `"` + include + `}}`
				if strings.Contains(list, one) {
					w.answers(q, `{"approval":`+one+`}`)
				} else {
					w.answersNot(q, cw721.KindContract, "Approval not found not found")
				}
			}
		}
	}
	// The owner is not among the approvals, and asked for he has one for good.
	w.answers(`{"approval":{"token_id":"1","spender":"$alice"}}`, `{"approval":{"spender":"$alice","expires":{"never":{}}}}`)
}

func TestAnOperatorsApprovalIsAskedForByOwnerAndOperator(t *testing.T) {
	w := begin(t)
	w.does("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":1001}}}`)
	const q = `{"operator":{"owner":"$alice","operator":"$bob"`
	w.answers(q+`}}`, `{"approval":{"spender":"$bob","expires":{"at_height":1001}}}`)
	w.answersNot(`{"operator":{"owner":"$bob","operator":"$alice"}}`, cw721.KindContract, "Approval not found not found")
	w.env.Block.Height = 1001
	w.answersNot(q+`}}`, cw721.KindContract, "Approval not found not found")
	w.answersNot(q+`,"include_expired":false}}`, cw721.KindContract, "Approval not found not found")
	w.answers(q+`,"include_expired":true}}`, `{"approval":{"spender":"$bob","expires":{"at_height":1001}}}`)
	// There is no owner's own entry here, as approval has one.
	w.answersNot(`{"operator":{"owner":"$alice","operator":"$alice"}}`, cw721.KindContract, "Approval not found not found")
}

func TestEveryQueryOfAnUnknownTokenIsNotFound(t *testing.T) {
	w := begin(t)
	for i, name := range []string{"owner_of", "approvals", "nft_info", "all_nft_info"} {
		id := strconv.Itoa(i)
		w.answersNot(`{"`+name+`":{"token_id":"`+id+`"}}`, cw721.KindNotFound, `token "`+id+`" not found`)
	}
	w.answersNot(`{"approval":{"token_id":"x\"y","spender":"$bob"}}`, cw721.KindNotFound, `token "x\"y" not found`)
}
