package scenario_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEveryDifferentRecordOfTheStorageIsListed(t *testing.T) {
	minter := hex.EncodeToString([]byte("collection_minter"))
	res, err := play("x.jsonl", opening+`{"state":[["`+minter+`","{}"],["7a","gone"]]}`)
	if err != nil || res.FailedSteps != 1 {
		t.Fatal(res, err)
	}
	m := res.Mismatches[0]
	got := []string{m.Subject + ", " + m.Expected}
	for _, d := range m.Differences {
		got = append(got, d.Path+": "+d.Expected+", got "+d.Got[:1])
	}
	key := func(name string) string { return fmt.Sprintf("%q (%x): ", name, name) }
	want := []string{
		"storage, 2 records", key("collection_minter") + "{}, got {", key("z") + "gone, got n", key("contract_info") + "nothing, got {",
		key("cw721_collection_info") + "nothing, got {", key("ownership") + "nothing, got {",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnExpectationWithTooManyValuesIsNotParsed(t *testing.T) {
	many := "[" + strings.Repeat("0,", 1<<20) + "0]"
	if e := errorOf(t, "x.jsonl", opening+`{"as":"alice","execute":{"mint":{}},"expect":{"ok":{"attributes":`+many+`}}}`); !strings.Contains(e.Text, "it holds more than 1048576 values") {
		t.Errorf("got %v", e)
	}
	res, err := play("x.jsonl", opening+`{"query":{"num_tokens":{}},"expect":{"ok":`+many+`}}`)
	if err != nil || res.FailedSteps != 1 {
		t.Fatalf("%d failed, %v", res.FailedSteps, err)
	}
	if d := res.Mismatches[0].Differences; len(d) != 1 || d[0].Got != `{"count":0}` || len(d[0].Expected) > 500 {
		t.Errorf("got %+v", d)
	}
}
