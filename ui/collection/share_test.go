package collection

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/ui/uitest"
)

func TestTheHighestShareIsTheLargestThatTheContractAccepts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := rapid.SampledFrom(cw721.AllRules()).Draw(rt, "rules")
		old := chaintest.Must(cw721.ParseShare(fmt.Sprintf("0.%03d", rapid.IntRange(0, 100).Draw(rt, "old"))))(rt)
		c := uitest.WithRules(t, rules)
		who := chaintest.Address("creator")
		set := func(share string) *cw721.Error {
			r, err := c.Execute(who, []byte(`{"update_collection_info":{"collection_info":{"extension":{"royalty_info":{"payment_address":"`+string(who)+`","share":"`+share+`"}}}}}`))
			chaintest.OK(rt, err)
			return r.Refusal
		}
		set("0")
		for at := cw721.Percent(2); at.Cmp(old) < 0; {
			set(at.String())
			next, _ := cw721.ParseShare(fmt.Sprintf("0.%02d", 2+at.PortionOf(100)))
			at = next
		}
		if refusal := set(old.String()); refusal != nil {
			rt.Fatal(refusal)
		}
		highest := highestShare(rules, &cw721.RoyaltyInfo{Share: old})
		if refusal := set(highest.String()[:] + more(highest)); refusal == nil {
			rt.Fatalf("from %s more than %s is taken", old, highest)
		}
		if refusal := set(highest.String()); refusal != nil {
			rt.Fatalf("from %s the highest %s is refused: %s", old, highest, refusal.Text)
		}
	})
}

// more is what makes a share a little larger when it is put behind it.
func more(s cw721.Share) string {
	if strings.Contains(s.String(), ".") {
		return "000001"
	}
	return ".000001"
}

func TestEveryInquirySendsAValidMessage(t *testing.T) {
	for _, rules := range cw721.AllRules() {
		c := uitest.WithRules(t, rules)
		creator := chaintest.Address("creator")
		chaintest.OK(t, c.View(func(v *chain.View) error {
			now := chaintest.Must(v.Collection())(t)
			for _, field := range fieldsOf(rules, cw721.CurrentLayout) {
				if field.inquiries == nil {
					continue
				}
				for _, q := range field.inquiries(now, creator) {
					receipt, err := v.Preview(creator, cw721.Encode(q.msg))
					if err != nil {
						return err
					}
					if _, err := q.findVerdicts(v, accountsToAskAbout(now, creator)); err != nil {
						t.Errorf("%s, %s, %s: who may send it is not known: %v", rules, field.key, q.action, err)
					}
					if r := receipt.Refusal; r != nil && r.Kind != cw721.KindContract {
						t.Errorf("%s, %s, %s: refused as %s: %s", rules, field.key, q.action, r.Kind, r.Text)
					}
				}
			}
			return nil
		}))
	}
}
