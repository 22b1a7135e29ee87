package scenario_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
)

func TestARecordingNamesAContractThatHasNoName(t *testing.T) {
	w := newCollection(t)
	shop := chaintest.Must(chain.AddressFor("cosmos", "shop", cw721.ContractBytes))(t)
	chaintest.Must(w.C.AddAccount("contract-1", "", ""))(t)
	w.Do("alice", `{"mint":{"token_id":"1","owner":"$alice"}}`)
	w.Do("alice", `{"send_nft":{"contract":%q,"token_id":"1","msg":""}}`, shop)
	text := recordAll(w, scenario.JSONLines)
	if !strings.Contains(text, `"contract-2":"`+string(shop)+`"`) || !strings.Contains(text, `"contracts":{"contract-2":"accepts"}`) {
		t.Error(text)
	}
	replayOf(t, "x.jsonl", text)
}

func TestARecordingHasANoteForAMessageWithARemovedName(t *testing.T) {
	w := newCollection(t)
	// The message is broken behind the name, so the name stays in it.
	w.Refused("alice", `{"mint":{"owner":"$alice","token_id":7}}`)
	chaintest.OK(t, w.C.RemoveAccount("alice"))
	text := recordAll(w, scenario.JSONLines)
	if !strings.Contains(text, `a scenario cannot hold it: no account is named \"alice\" any more`) {
		t.Error(text)
	}
	replayOf(t, "x.jsonl", text)
}

func TestAScenarioThatCreatesACollectionIsRefusedOnAnExistingOne(t *testing.T) {
	w := newCollection(t)
	if _, err := playOn(w.C, opening); err == nil || !strings.Contains(err.Error(), "it begins with an instantiate message, and the database holds a collection already") {
		t.Errorf("got %v", err)
	}
	chaintest.Same(t, "the head, as nothing happened", 1, int(w.Head()))
}

var errBroken = errors.New("the disk is gone")

// brokenReader fails after its text.
type brokenReader struct{ r *bytes.Reader }

func (b brokenReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != nil {
		err = errBroken
	}
	return n, err
}

func TestAReadErrorIsReportedWithItsPlace(t *testing.T) {
	for name, want := range map[string]string{
		"x.jsonl": "x.jsonl:3: it cannot be read further: the disk is gone",
		"x.yaml":  "x.yaml: it cannot be read: the disk is gone",
	} {
		r, err := scenario.Open(name, brokenReader{bytes.NewReader([]byte(opening))})
		if err == nil {
			_, err = scenario.Run(context.Background(), r, scenario.Options{Open: chaintest.InMemory})
		}
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
