package wasm_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

func TestAContractReadsAndWritesItsStorage(t *testing.T) {
	w := newWorld(t)
	for range 12 {
		w.mustExecute(`{"count":{}}`)
	}
	w.requireAnswer(`{"count":{}}`, "12")
	if diff := cmp.Diff([][2]string{{fmt.Sprintf("%x", "count"), "12"}}, w.dump()); diff != "" {
		t.Error(diff)
	}
}

func TestAResponseHasAttributesAndMessages(t *testing.T) {
	w := newWorld(t)
	want := wasm.Response{Messages: []wasm.SubMessage{}, Attributes: []wasm.Attribute{{Key: "action", Value: "count"}}}
	if diff := cmp.Diff(want, w.mustExecute(`{"count":{}}`)); diff != "" {
		t.Error(diff)
	}
	want = wasm.Response{
		Messages:   []wasm.SubMessage{{ID: 7, Msg: []byte(`{"wasm":{"execute":{"contract_addr":"` + market + `","msg":"e30=","funds":[]}}}`), ReplyOn: "always"}},
		Attributes: []wasm.Attribute{},
	}
	if diff := cmp.Diff(want, w.mustExecute(`{"give":{}}`)); diff != "" {
		t.Error(diff)
	}
}

func TestAContractReceivesItsEnvAndTheSender(t *testing.T) {
	w := newWorld(t)
	w.mustExecute(`{"env":{}}`)
	const env = `{"block":{"height":1000,"time":"1700000000000000001","chain_id":"test-1"},"transaction":{"index":0},"contract":{"address":"self"}}`
	if got := w.dump()[0][1]; got != env {
		t.Error(got)
	}
	w.mustExecute(`{"info":{}}`)
	if got := w.dump()[0][1]; got != `{"sender":"`+alice+`","funds":[]}` {
		t.Error(got)
	}
}

func TestAContractReceivesAReplyAsAChainWritesIt(t *testing.T) {
	for _, c := range []struct {
		refusal string
		want    string
	}{
		{"no", `{"error":"no"}`},
		{"", `{"ok":{"events":[],"msg_responses":[]}}`},
	} {
		w := newWorld(t)
		err := w.db.Update(func(t kv.Txn) error {
			_, err := w.Reply(t, w.env, wasm.Reply{ID: 7, Refusal: c.refusal})
			return err
		})
		want := `{"id":7,"payload":"","gas_used":0,"result":` + c.want + `}`
		if got := w.dump()[0][1]; err != nil || got != want {
			t.Errorf("%s %v\nwant %s", got, err, want)
		}
	}
}

func TestMigrateRunsTheContractsMigrate(t *testing.T) {
	w := newWorld(t)
	w.mustExecute(`{"count":{}}`)
	err := w.db.Update(func(t kv.Txn) error {
		_, err := w.Migrate(t, w.env, alice, []byte(`{"count":{}}`))
		return err
	})
	kvtest.OK(t, err)
	w.requireAnswer(`{"count":{}}`, "2")
}

func TestAScanRunsBothWaysAndContinuesAfterAWrite(t *testing.T) {
	w := newWorld(t)
	w.requireAnswer(`{"scan":{}}`, `""`)
	for _, key := range []string{"b", "a", "d", "c"} {
		w.mustExecute(`{"s":"` + key + `"}`)
	}
	w.requireAnswer(`{"scan":{}}`, `"abcd"`)
	w.requireAnswer(`{"reverse":{}}`, `"dcba"`)
	_, err := w.query(`{"order":{}}`)
	w.requireRefusal(err, "Error in guest/host communication: Got an invalid value for iteration order: 3")
	_, err = w.query(`{"z":{}}`)
	w.requireRefusal(err, "Error calling into the VM's backend: Iterator with ID 9 does not exist")
	w.mustExecute(`{"wipe":{}}`)
	w.requireAnswer(`{"scan":{}}`, `""`)
}

func TestARefusedMessageGivesTheReasonAndTheNextCallWorks(t *testing.T) {
	w := newWorld(t)
	w.mustExecute(`{"count":{}}`)
	for msg, reason := range map[string]string{ // the beginning of the text
		`{"no":{}}`:     "Unauthorized",
		`{"panic":{}}`:  "Aborted: panicked at 'overflow'",
		`{"trap":{}}`:   "Error executing Wasm: unreachable",
		`{"junk":{}}`:   "Error parsing into type ContractResult: ",
		`{"verify":{}}`: "the contract calls secp256k1_verify, and this host does no cryptography",
		`{"key":{}}`:    "Generic error: Key too big. Tried to write 65537 bytes to storage, limit is 65536.",
		`{"huge":{}}`:   "Generic error: Value too big. Tried to write 131073 bytes to storage, limit is 131072.",
		`{"beyond":{}}`: "Error in guest/host communication: Tried to access memory of region {offset:2147418112",
	} {
		_, err := w.execute(msg)

		var refusal *wasm.Refusal
		if !errors.As(err, &refusal) || !strings.HasPrefix(refusal.Text, reason) {
			t.Errorf("%s: got %T %v\nwant %s", msg, err, err, reason)
		}
		w.requireAnswer(`{"count":{}}`, "1")
	}
}

func TestAQueryIsRefusedIfItWrites(t *testing.T) {
	w := newWorld(t)
	for _, msg := range []string{`{"write":{}}`, `{"delete":{}}`} {
		_, err := w.query(msg)
		w.requireRefusal(err, "Must not call a writing storage function in this context.")
	}
	_, err := w.query(`{"no":{}}`)
	w.requireRefusal(err, "Unauthorized")
	_, err = w.query(`{"junk":{}}`)
	w.requireRefusal(err, "Generic error: Query response must be valid JSON.")
	w.requireAnswer(`{"empty":{}}`, "")
}

func TestACallThatTakesTooMuchTimeOrMemoryIsStopped(t *testing.T) {
	w := newWorldWith(t, wasm.Options{TimeLimit: shortLimit})
	w.mustExecute(`{"count":{}}`)
	_, err := w.execute(`{"loop":{}}`)
	w.requireLimit(err, "the contract was stopped: a call may take 100ms")
	_, err = w.query(`{"loop":{}}`)
	w.requireLimit(err, "the contract was stopped: a call may take 100ms")
	w.requireAnswer(`{"count":{}}`, "1")

	w = newWorld(t)
	_, err = w.execute(`{"allocate":{}}`)
	w.requireLimit(err, "the contract was stopped: it asked for more than 32 MiB of memory")
	_, err = w.execute(`{"recurse":{}}`)
	w.requireLimit(err, "the contract was stopped: its calls are nested too deeply")
	w.mustExecute(`{"count":{}}`)
}

func TestACallFindsNothingOfTheCallBeforeInMemoryAndGlobals(t *testing.T) {
	w := newWorld(t)
	for range 5 {
		w.requireAnswer(`{"memory":{}}`, "1")
		w.requireAnswer(`{"globals":{}}`, "1")
		w.mustExecute(`{"more":{}}`)
	}
}

func TestAddressFunctionsAnswerAsTheChains(t *testing.T) {
	w := newWorld(t)
	w.requireAnswer(`{"a":"`+alice+`"}`, "")
	w.requireAnswer(`{"a":"`+strings.ToUpper(alice)+`"}`, `"address not normalized"`)
	w.requireAnswer(`{"a":""}`, `"Input is empty"`)
	w.requireAnswer("{\"a\":\"\xff\"}", `"Input is not valid UTF-8"`)
	w.requireAnswer(`{"a":"alicealice"}`, `"decoding bech32 failed: invalid separator index -1"`)
	w.requireAnswer(`{"b":"`+strings.ToUpper(alice)+`"}`, `"`+alice+`"`)
	w.requireAnswer(`{"b":"cosmos1"}`, `"decoding bech32 failed: invalid bech32 string length 7"`)
	_, err := w.query(`{"a":"` + strings.Repeat("q", 257) + `"}`)
	w.requireRefusal(err, "Error in guest/host communication: Region length too big. Got 257, limit 256")
}

func TestAContractCanQueryOnlyItself(t *testing.T) {
	w := newWorld(t)
	w.mustExecute(`{"count":{}}`)
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
		w.requireAnswer(`{"q":`+c.request+`}`, c.want)
	}
	got, err := w.query(`{"q":{"wasm":7}}`)
	if err != nil || !strings.HasPrefix(got, `{"error":{"invalid_request":{"error":`) {
		t.Error(got, err)
	}
}

func TestDebugIsCalledWithEachLineThatTheContractLogs(t *testing.T) {
	w := newWorld(t)
	var lines []string
	w.env.Debug = func(line string) { lines = append(lines, line) }
	w.mustExecute(`{"debug":{}}`)
	if diff := cmp.Diff([]string{"a line"}, lines); diff != "" {
		t.Error(diff)
	}
}

// brokenStore is a store that cannot be read.
type brokenStore struct{ kv.Txn }

var errDisk = errors.New("the disk is gone")

func (brokenStore) Get([]byte) ([]byte, bool, error) { return nil, false, errDisk }

func TestAnErrorOfTheStoreIsReturnedUnchanged(t *testing.T) {
	w := newWorld(t)
	if _, err := w.Query(brokenStore{}, w.env, []byte(`{"count":{}}`)); err != errDisk {
		t.Error(err)
	}
	smart := `{"q":{"wasm":{"smart":{"contract_addr":"self","msg":"eyJjb3VudCI6e319"}}}}`
	if _, err := w.Query(brokenStore{}, w.env, []byte(smart)); err != errDisk {
		t.Error(err)
	}
}

func TestManyCallsWithTrapsTakeNoMoreMemoryThanFew(t *testing.T) {
	w := newWorld(t)
	calls := 2000 * kvtest.Times()
	var bytesEarly uint64 // in use after a quarter of the calls
	for i := range calls {
		if i%7 == 0 {
			_, err := w.execute(`{"trap":{}}`)
			w.requireRefusal(err, "Error executing Wasm: unreachable")
		} else {
			w.mustExecute(`{"count":{}}`)
		}
		if i == calls/4 {
			bytesEarly = heapBytes()
		}
	}

	if bytesLate := heapBytes(); bytesLate > bytesEarly+bytesEarly/2+(8<<20) {
		t.Errorf("%d bytes are in use after a quarter of the calls, %d at the end", bytesEarly, bytesLate)
	}
}

// heapBytes returns the bytes in use after a garbage collection.
func heapBytes() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func TestParallelCallsDoNotShareMemory(t *testing.T) {
	w := newWorld(t)
	w.mustExecute(`{"count":{}}`)

	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range 50 {
				w.requireAnswer(`{"memory":{}}`, "1")
			}
		})
	}
	callers.Wait()
}
