package dump_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/dump"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func records(pairs ...kv.Pair) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		for _, p := range pairs {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func collect(t *testing.T, p *dump.Pages) ([]kv.Pair, error) {
	t.Helper()
	var out []kv.Pair
	for pair, err := range p.Records() {
		if err != nil {
			return out, err
		}
		out = append(out, pair)
	}
	return out, nil
}

func TestWhatIsWrittenReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.SliceOfN(rapid.Byte(), 1, 20), 0, 30, func(k []byte) string { return string(k) }).Draw(t, "keys")
		var in []kv.Pair
		for _, k := range keys {
			in = append(in, kv.Pair{Key: k, Value: rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "value")})
		}
		var w bytes.Buffer
		kvtest.OK(t, dump.Write(&w, nil, records(in...)))
		var out []kv.Pair
		for p, err := range dump.Read(&w).Records() {
			kvtest.OK(t, err)
			out = append(out, p)
		}
		if diff := cmp.Diff(in, out); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheErrorOfARecordStopsTheWriting(t *testing.T) {
	broken := errors.New("the disk is gone")
	var w bytes.Buffer
	err := dump.Write(&w, nil, func(yield func(kv.Pair, error) bool) { yield(kv.Pair{}, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("got %v, expected the record's error", err)
	}
}

func TestTheErrorOfTheWriterIsGivenAsItIs(t *testing.T) {
	full := errors.New("state.json: the disk is full")
	r, w := io.Pipe()
	r.CloseWithError(full)
	if err := dump.Write(w, nil, func(func(kv.Pair, error) bool) {}); err != full {
		t.Errorf("got %v, expected the writer's own error", err)
	}
}

// collection makes a chain with a few tokens and grants.
func collection(t *testing.T) *chain.Chain {
	t.Helper()
	w := chaintest.New(t)
	w.Do("creator", `{"update_collection_info":{"collection_info":{"extension":{"description":"d","image":"ipfs://x"}}}}`)
	for i := range 20 {
		w.Do("creator", `{"mint":{"token_id":"%d","owner":"$alice","extension":{"name":"日本"}}}`, i)
		w.Do("alice", `{"approve":{"spender":"$bob","token_id":"%d","expires":{"at_height":%d}}}`, i, i+105)
	}
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	return w.C
}

func export(t *testing.T, c *chain.Chain) string {
	t.Helper()
	var w bytes.Buffer
	kvtest.OK(t, c.View(func(v *chain.View) error { return dump.Write(&w, nil, v.Records()) }))
	return w.String()
}

func importInto(c *chain.Chain, pages ...string) error {
	return c.Import(chain.Genesis{}, dump.Read(readers(pages...)...).Records(), nil)
}

func empty(t *testing.T) *chain.Chain {
	t.Helper()
	return kvtest.Must(chain.Open(kv.NewMemory()))(t)
}

func TestExportAfterImportGivesTheSameBytes(t *testing.T) {
	first := export(t, collection(t))
	second := empty(t)
	kvtest.OK(t, importInto(second, first))
	if diff := cmp.Diff(first, export(t, second)); diff != "" {
		t.Error(diff)
	}
	answer, err := second.Query([]byte(`{"num_tokens":{}}`))
	if err != nil || string(answer) != `{"count":20}` {
		t.Errorf("num_tokens is %s, %v", answer, err)
	}
}

func TestAPageGivenTwiceIsRefused(t *testing.T) {
	whole := export(t, collection(t))
	err := importInto(empty(t), whole, whole)
	n := strings.Count(whole, `"key"`)
	want := fmt.Sprintf("%d of the dump's %d records have a key that another one has, expected every key once: was a page given twice?", n, 2*n)
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
