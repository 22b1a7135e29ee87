package chain_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/doctor"
	"ephemera/core/explain"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// otherTokens are records of tokens as other contracts write them. %s stands for alice's address.
var otherTokens = []struct {
	name, record    string
	members         string // that cw721 does not know, with their JSON
	refusal         string // of a transfer under v0.19.0
	readWithoutIt   bool   // v0.20.0 reads the token without these members
	isIgnoredAtBurn bool   // v0.19.0 burns it, since it does not use the extension
}{
	{
		name: "cw2981-royalties",
		record: `{"owner":"%s","approvals":[],"token_uri":"u","extension":{"image":null,"image_data":null,"external_url":null,"description":null,"name":"Ape","attributes":null,` +
			`"background_color":null,"animation_url":null,"youtube_url":null,"royalty_percentage":10,"royalty_payment_address":"stars1x"}}`,
		members:         `extension.royalty_percentage=10 extension.royalty_payment_address="stars1x"`,
		refusal:         "unknown field `royalty_percentage`, expected one of `image`, `image_data`, `external_url`, `description`, `name`, `attributes`, `background_color`, `animation_url`, `youtube_url`",
		readWithoutIt:   true,
		isIgnoredAtBurn: true,
	},
	{
		name:            "cw721-roles",
		record:          `{"owner":"%s","approvals":[],"token_uri":null,"extension":{"role": "core" , "weight":3}}`,
		members:         `extension.role="core" extension.weight=3`,
		refusal:         "unknown field `role`, expected one of `image`",
		readWithoutIt:   true,
		isIgnoredAtBurn: true,
	},
	{
		name:          "members beside the four and in an approval",
		record:        `{"locked":{"until":[1,2]},"owner":"%[1]s","approvals":[{"spender":"%[1]s","expires":{"never":{}},"note":"n"}],"token_uri":null,"extension":null}`,
		members:       `locked={"until":[1,2]} approvals.0.note="n"`,
		refusal:       "unknown field `locked`, expected one of `owner`, `approvals`, `token_uri`, `extension`",
		readWithoutIt: true,
	},
	{
		name:    "an extension that is a text",
		record:  `{"owner":"%s","approvals":[],"token_uri":null,"extension":"level 3"}`,
		members: `extension="level 3"`,
		refusal: "Invalid type",
	},
	{
		name:            "a trait that is a number",
		record:          `{"owner":"%s","approvals":[],"token_uri":null,"extension":{"name":"Ape","attributes":[{"trait_type":"power","value":7}]}}`,
		members:         `extension={"name":"Ape","attributes":[{"trait_type":"power","value":7}]}`,
		refusal:         "Invalid type",
		isIgnoredAtBurn: true,
	},
}

// importToken imports the sample records with another record for the token 0, and returns what
// the import told about kept members.
func importToken(t *testing.T, record string, config chain.Config) (w *World, told string) {
	t.Helper()
	genesis := Genesis()
	genesis.Config = config
	genesis.OnKeptMembers = func(sentence string) { told = sentence }
	w = Blank(t, Memory(t))
	all := withRecord(sampleRecords(t), "\x00\x06tokens0", record)
	all = withRecord(all, "contract_info", `{"contract":"crates.io:cw721-roles","version":"0.19.0"}`)
	OK(t, w.C.Import(genesis, yieldAll(all), nil))
	slices.SortFunc(all, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
	w.View(func(v *chain.View) { Same(t, "the records", all, Collect(t, Copied(v.Records()))) })
	return w, told
}

func TestMembersThatCW721DoesNotKnowAreKeptAndShown(t *testing.T) {
	for _, c := range otherTokens {
		w, told := importToken(t, fmt.Sprintf(c.record, Address("alice")), chain.Config{})

		var members, names []string
		w.View(func(v *chain.View) {
			token, _, err := v.Token("0")
			OK(t, err)
			for _, member := range token.KeptMembers {
				members = append(members, member.Field+"="+string(member.Value))
				names = append(names, member.Name)
			}
		})
		Same(t, c.name, c.members, strings.Join(members, " "))
		want := "1 token has members that cw721 doesn't know: " + strings.Join(names, ", ") + "; they are kept, and not judged"
		Same(t, c.name+": told", want, told)
		w.CheckDerived()
		if r := Must(doctor.Run(w.C, nil))(t); !r.IsClean() || r.KeptTokens != 1 {
			t.Errorf("%s: %d tokens with other members, %+v", c.name, r.KeptTokens, r.Faults)
		}

		_, err := w.C.Execute(Address("alice"), []byte(`{"burn":{"token_id":"0"}}`))
		if err == nil || !strings.Contains(err.Error(), "with its compiled contract") {
			t.Errorf("%s: executed without rules: %v", c.name, err)
		}
	}
}

func TestUnderARuleSetAMessageDropsOtherMembersOrIsRefusedAsInThatRelease(t *testing.T) {
	const transfer = `{"transfer_nft":{"recipient":"$bob","token_id":"0"}}`
	for _, c := range otherTokens {
		record := fmt.Sprintf(c.record, Address("alice"))

		// Up to 0.19, unknown members are refused wherever the record is read.
		for _, rules := range []cw721.Rules{cw721.RulesStandard, cw721.RulesV019} {
			w, _ := importToken(t, record, chain.Config{Rules: rules})
			before := w.State()
			receipt := w.Refused("alice", transfer)
			Same(t, c.name, cw721.KindParse, receipt.Refusal.Kind)
			if !strings.HasPrefix(receipt.Refusal.Text, "Error parsing into type NftInfo: "+c.refusal) {
				t.Errorf("%s: %s: %q", c.name, rules, receipt.Refusal.Text)
			}
			Same(t, c.name+": the records after a refusal", before["c"], w.State()["c"])
			w.View(func(v *chain.View) {
				decision := Must(v.Decide(Address("alice"), &cw721.TransferNft{TokenID: "0", Recipient: Address("bob")}))(t)
				Same(t, c.name+": allowed", false, decision.Allowed)
			})
			_, infoErr := w.C.Query([]byte(`{"nft_info":{"token_id":"0"}}`))
			_, ownerErr := w.C.Query([]byte(`{"owner_of":{"token_id":"0"}}`))
			burnt := Must(w.C.Execute(Address("alice"), []byte(`{"burn":{"token_id":"0"}}`)))(t)
			if infoErr == nil || (ownerErr == nil) != c.isIgnoredAtBurn || (burnt.Refusal == nil) != c.isIgnoredAtBurn {
				t.Errorf("%s: %s: nft_info %v, owner_of %v, burn %v", c.name, rules, infoErr, ownerErr, burnt.Refusal)
			}
		}

		// Since 0.20 they are ignored, and so lost.
		w, _ := importToken(t, record, chain.Config{Rules: cw721.RulesV020})
		before := w.State()
		if !c.readWithoutIt {
			w.Refused("alice", transfer)
			continue
		}
		var sentences []string
		w.View(func(v *chain.View) {
			preview := Must(v.Preview(Address("alice"), []byte(transfer)))(t)
			sentences = explain.Describe(v.Layout, preview.Changes, v.DisplayName)
		})
		var fields []string
		for member := range strings.SplitSeq(c.members, " ") {
			field, _, _ := strings.Cut(member, "=")
			fields = append(fields, field)
		}
		want := `token "0" loses what cw721 does not know: ` + strings.Join(fields, ", ")
		if !strings.Contains(strings.Join(sentences, "\n"), want) {
			t.Errorf("%s: the preview says %q, expected %q", c.name, sentences, want)
		}
		w.Do("alice", transfer)
		w.View(func(v *chain.View) {
			token, _, err := v.Token("0")
			OK(t, err)
			Same(t, c.name+": kept after a message", []wire.UnknownMember(nil), token.KeptMembers)
		})
		w.CheckDerived()
		Must(w.C.Undo(1))(t)
		Same(t, c.name+": after undo", before, w.State())
	}
}
