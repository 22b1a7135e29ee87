package wasm_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

func TestAContractReadsAndWritesItsStorage(t *testing.T) {
	w := begin(t)
	for range 12 {
		w.does(`{"count":{}}`)
	}
	w.says(`{"count":{}}`, "12")
	if diff := cmp.Diff([][2]string{{fmt.Sprintf("%x", "count"), "12"}}, w.dump()); diff != "" {
		t.Error(diff)
	}
}

func TestAnAnswerHasAttributesMessagesEventsAndData(t *testing.T) {
	w := begin(t)
	want := wasm.Response{Messages: []wasm.SubMessage{}, Attributes: []wasm.Attribute{{Key: "action", Value: "count"}}, Events: []wasm.Event{}}
	if diff := cmp.Diff(want, w.does(`{"count":{}}`)); diff != "" {
		t.Error(diff)
	}
	want = wasm.Response{
		Messages:   []wasm.SubMessage{{ID: 7, Msg: []byte(`{"wasm":{"execute":{"contract_addr":"` + market + `","msg":"e30=","funds":[]}}}`), ReplyOn: "always"}},
		Attributes: []wasm.Attribute{},
		Events:     []wasm.Event{{Type: "sent", Attributes: []wasm.Attribute{}}},
		Data:       []byte("hi"),
	}
	if diff := cmp.Diff(want, w.does(`{"give":{}}`)); diff != "" {
		t.Error(diff)
	}
}

func TestAContractIsToldWhereItIsAndWhoActs(t *testing.T) {
	w := begin(t)
	w.does(`{"env":{}}`)
	const env = `{"block":{"height":1000,"time":"1700000000000000001","chain_id":"test-1"},"transaction":{"index":0},"contract":{"address":"self"}}`
	if got := w.dump()[0][1]; got != env {
		t.Error(got)
	}
	w.does(`{"info":{}}`)
	if got := w.dump()[0][1]; got != `{"sender":"`+alice+`","funds":[]}` {
		t.Error(got)
	}
}

func TestAReplyIsHandedOverAsTheChainWritesIt(t *testing.T) {
	for _, c := range []struct {
		result wasm.ReplyResult
		want   string
	}{
		{wasm.ReplyResult{Error: "no"}, `{"error":"no"}`},
		{wasm.ReplyResult{Ok: &wasm.ReplyOk{}}, `{"ok":{"events":[],"msg_responses":[]}}`},
		{wasm.ReplyResult{Ok: &wasm.ReplyOk{Data: []byte("hi")}}, `{"ok":{"events":[],"data":"aGk=","msg_responses":[]}}`},
	} {
		w := begin(t)
		err := w.db.Update(func(t kv.Txn) error {
			_, err := w.Reply(t, w.env, wasm.Reply{ID: 7, Result: c.result})
			return err
		})
		want := `{"id":7,"payload":"","gas_used":0,"result":` + c.want + `}`
		if got := w.dump()[0][1]; err != nil || got != want {
			t.Errorf("%s %v\nwant %s", got, err, want)
		}
	}
}

func TestMigrateRunsTheMigrationOfTheCode(t *testing.T) {
	w := begin(t)
	w.does(`{"count":{}}`)
	err := w.db.Update(func(t kv.Txn) error {
		_, err := w.Migrate(t, w.env, alice, []byte(`{"count":{}}`))
		return err
	})
	kvtest.OK(t, err)
	w.says(`{"count":{}}`, "2")
}

func TestScansGoBothWaysAndCanBeWrittenThrough(t *testing.T) {
	w := begin(t)
	w.says(`{"scan":{}}`, `""`)
	for _, key := range []string{"b", "a", "d", "c"} {
		w.does(`{"s":"` + key + `"}`)
	}
	w.says(`{"scan":{}}`, `"abcd"`)
	w.says(`{"reverse":{}}`, `"dcba"`)
	_, err := w.query(`{"order":{}}`)
	w.refuses(err, "Error in guest/host communication: Got an invalid value for iteration order: 3")
	_, err = w.query(`{"z":{}}`)
	w.refuses(err, "Error calling into the VM's backend: Iterator with ID 9 does not exist")
	w.does(`{"wipe":{}}`)
	w.says(`{"scan":{}}`, `""`)
}

func TestARefusedMessageSaysWhyAndLeavesTheContractAlive(t *testing.T) {
	const broken = "Error in guest/host communication: "
	w := begin(t)
	w.does(`{"count":{}}`)
	for msg, text := range map[string]string{
		`{"no":{}}`:     "Unauthorized",
		`{"panic":{}}`:  "Aborted: panicked at 'overflow'",
		`{"trap":{}}`:   "Error executing Wasm: unreachable",
		`{"junk":{}}`:   "",
		`{"verify":{}}`: "the contract calls secp256k1_verify, and this host does no cryptography",
		`{"key":{}}`:    "Generic error: Key too big. Tried to write 65537 bytes to storage, limit is 65536.",
		`{"huge":{}}`:   "Generic error: Value too big. Tried to write 131073 bytes to storage, limit is 131072.",
		`{"beyond":{}}`: "",
		`{"s":""}`:      "",
	} {
		_, err := w.execute(msg)
		var r *wasm.Refusal
		switch {
		case msg == `{"s":""}`: // an empty key is the store's affair
			continue
		case !errors.As(err, &r):
			t.Errorf("%s: %T %v", msg, err, err)
		case text != "" && r.Text != text:
			t.Errorf("%s: %s\nwant %s", msg, r.Text, text)
		case msg == `{"junk":{}}` && !strings.HasPrefix(r.Text, "Error parsing into type ContractResult: "):
			t.Errorf("%s: %s", msg, r.Text)
		case msg == `{"beyond":{}}` && !strings.HasPrefix(r.Text, broken+"Tried to access memory of region {offset:2147418112"):
			t.Errorf("%s: %s", msg, r.Text)
		}
		w.says(`{"count":{}}`, "1")
	}
}

func TestAQueryCannotWrite(t *testing.T) {
	w := begin(t)
	for _, msg := range []string{`{"write":{}}`, `{"delete":{}}`} {
		_, err := w.query(msg)
		w.refuses(err, "Must not call a writing storage function in this context.")
	}
	_, err := w.query(`{"no":{}}`)
	w.refuses(err, "Unauthorized")
	_, err = w.query(`{"junk":{}}`)
	w.refuses(err, "Generic error: Query response must be valid JSON.")
	w.says(`{"empty":{}}`, "")
}

func TestWhatTakesTooMuchIsStopped(t *testing.T) {
	w := beginWith(t, wasm.Options{TimeLimit: short})
	w.does(`{"count":{}}`)
	_, err := w.execute(`{"loop":{}}`)
	w.limits(err, "the contract was stopped: a call may take 100ms")
	_, err = w.query(`{"loop":{}}`)
	w.limits(err, "the contract was stopped: a call may take 100ms")
	w.says(`{"count":{}}`, "1")

	w = begin(t)
	_, err = w.execute(`{"allocate":{}}`)
	w.limits(err, "the contract was stopped: it asked for more than 32 MiB of memory")
	_, err = w.execute(`{"recurse":{}}`)
	w.limits(err, "the contract was stopped: its calls are nested too deeply")
	w.does(`{"count":{}}`)
}

func TestNothingIsLeftToTheNextCall(t *testing.T) {
	w := begin(t)
	for range 5 {
		w.says(`{"memory":{}}`, "1")
		w.says(`{"globals":{}}`, "1")
		w.does(`{"more":{}}`)
	}
}

func TestAddressesAreThoseOfTheChain(t *testing.T) {
	w := begin(t)
	w.says(`{"a":"`+alice+`"}`, "")
	w.says(`{"a":"`+strings.ToUpper(alice)+`"}`, `"address not normalized"`)
	w.says(`{"a":""}`, `"Input is empty"`)
	w.says("{\"a\":\"\xff\"}", `"Input is not valid UTF-8"`)
	w.says(`{"a":"alicealice"}`, `"decoding bech32 failed: invalid separator index -1"`)
	w.says(`{"b":"`+strings.ToUpper(alice)+`"}`, `"`+alice+`"`)
	w.says(`{"b":"cosmos1"}`, `"decoding bech32 failed: invalid bech32 string length 7"`)
	_, err := w.query(`{"a":"` + strings.Repeat("q", 257) + `"}`)
	w.refuses(err, "Error in guest/host communication: Region length too big. Got 257, limit 256")
}

func TestAContractCanAskAboutItselfOnly(t *testing.T) {
	w := begin(t)
	w.does(`{"count":{}}`)
	for _, c := range []struct{ request, want string }{
		{`{"wasm":{"smart":{"contract_addr":"self","msg":"eyJjb3VudCI6e319"}}}`, `{"ok":{"ok":"MQ=="}}`},
		{`{"wasm":{"smart":{"contract_addr":"self","msg":"eyJubyI6e319"}}}`, `{"ok":{"error":"codespace: wasm, code: 9"}}`},
		{`{"wasm":{"smart":{"contract_addr":"market","msg":"e30="}}}`, `{"error":{"no_such_contract":{"addr":"market"}}}`},
		{`{"wasm":{"raw":{"contract_addr":"self","key":"Y291bnQ="}}}`, `{"ok":{"ok":"MQ=="}}`},
		{`{"wasm":{"raw":{"contract_addr":"self","key":"bm9uZQ=="}}}`, `{"ok":{"ok":""}}`},
		{`{"wasm":{"contract_info":{"contract_addr":"self"}}}`, `{"ok":{"ok":"eyJjb2RlX2lkIjoxLCJjcmVhdG9yIjoiY3JlYXRvciIsImFkbWluIjpudWxsLCJwaW5uZWQiOmZhbHNlLCJpYmNfcG9ydCI6bnVsbH0="}}`},
		{`{"wasm":{"code_info":{"code_id":1}}}`, `{"error":{"unsupported_request":{"kind":"wasm"}}}`},
		{`{"bank":{"balance":{"address":"a","denom":"b"}}}`, `{"error":{"unsupported_request":{"kind":"bank"}}}`},
		{`{}`, `{"error":{"unsupported_request":{"kind":"unknown"}}}`},
	} {
		w.says(`{"q":`+c.request+`}`, c.want)
	}
	got, err := w.query(`{"q":{"wasm":7}}`)
	if err != nil || !strings.HasPrefix(got, `{"error":{"invalid_request":{"error":`) {
		t.Error(got, err)
	}
}

func TestWhatAContractLogsIsTold(t *testing.T) {
	w := begin(t)
	var lines []string
	w.env.Debug = func(line string) { lines = append(lines, line) }
	w.does(`{"debug":{}}`)
	if diff := cmp.Diff([]string{"a line"}, lines); diff != "" {
		t.Error(diff)
	}
}

// A store that fails is neither a refusal nor a limit.
type brokenStore struct{ kv.Txn }

var errDisk = errors.New("the disk is gone")

func (brokenStore) Get([]byte) ([]byte, bool, error) { return nil, false, errDisk }

func TestTroubleOfTheStoreComesThroughAsItIs(t *testing.T) {
	w := begin(t)
	if _, err := w.Query(brokenStore{}, w.env, []byte(`{"count":{}}`)); err != errDisk {
		t.Error(err)
	}
	smart := `{"q":{"wasm":{"smart":{"contract_addr":"self","msg":"eyJjb3VudCI6e319"}}}}`
	if _, err := w.Query(brokenStore{}, w.env, []byte(smart)); err != errDisk {
		t.Error(err)
	}
}

func TestManyCallsWithTrapsAmongThemLeaveMemoryFlat(t *testing.T) {
	w := beginWith(t, wasm.Options{})
	calls, trap := 2000, 7
	if os.Getenv("EPHEMERA_LONG") != "" {
		calls = 10_000
	}
	var first uint64
	for i := range calls {
		if i%trap == 0 {
			_, err := w.execute(`{"trap":{}}`)
			w.refuses(err, "Error executing Wasm: unreachable")
		} else {
			w.does(`{"count":{}}`)
		}
		if i == calls/4 {
			first = heap()
		}
	}
	if last := heap(); last > first+first/2+(8<<20) {
		t.Errorf("%d bytes in use after a quarter of the calls, %d at the end", first, last)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestCallsAtTheSameTimeDoNotMeet(t *testing.T) {
	w := begin(t)
	w.does(`{"count":{}}`)
	done := make(chan error)
	for range 8 {
		go func() {
			for range 50 {
				if got, err := w.query(`{"memory":{}}`); err != nil || got != "1" {
					done <- fmt.Errorf("%s %v", got, err)
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
