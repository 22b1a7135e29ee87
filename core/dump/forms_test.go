package dump_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/dump"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// form opens files of testdata/forms.
func form(t *testing.T, names ...string) *dump.Pages {
	t.Helper()
	var readers []io.Reader
	for _, name := range names {
		file := kvtest.Must(os.Open(filepath.Join("testdata/forms", name)))(t)
		t.Cleanup(func() { file.Close() })
		readers = append(readers, file)
	}
	return dump.Read(readers...)
}

// written is what an export of the records is.
func written(t *testing.T, all []kv.Pair) string {
	t.Helper()
	slices.SortFunc(all, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
	var w strings.Builder
	kvtest.OK(t, dump.Write(&w, nil, records(all...)))
	return w.String()
}

func TestEveryFormOfOneCollectionExportsTheSameBytes(t *testing.T) {
	want := kvtest.Must(os.ReadFile("testdata/forms/want.json"))(t)
	const self = "stars1lf6fde9wsspsdh6ph4jcsqpe9cjdhzkywec4n44alz3rk2xyf6sqm24vyl"
	for _, c := range []struct{ files, contract string }{
		{"want.json", ""},
		{"rest-1.json rest-2.json", ""},
		{"rest-2.json rest-1.json", ""},
		{"wasmd.json", ""},
		{"wasmd.yaml", ""},
		{"genesis.json", self},
		{"grpcurl.json cosmjs.json", ""},
		{"cosmjs.json rest-1.json", ""},
		{"packed.json.gz", ""},
	} {
		pages := form(t, strings.Fields(c.files)...)
		pages.Contract = c.contract
		all, err := collect(t, pages)
		if err != nil {
			t.Errorf("%s: %v", c.files, err)
			continue
		}
		if pages.HasMissingPage() {
			t.Errorf("%s: a page is missing", c.files)
		}
		if diff := cmp.Diff(string(want), written(t, all)); diff != "" {
			t.Errorf("%s: %s", c.files, diff)
		}
	}
}

func TestOfSeveralContractsInAGenesisOneMustBeNamed(t *testing.T) {
	_, err := collect(t, form(t, "genesis.json"))
	if err == nil || !strings.Contains(err.Error(), "several contracts, stars1other and stars1lf6") {
		t.Errorf("got %v", err)
	}
	pages := form(t, "genesis.json")
	pages.Contract = "stars1nobody"
	if _, err := collect(t, pages); err == nil || !strings.Contains(err.Error(), `no contract "stars1nobody"`) {
		t.Errorf("got %v", err)
	}
}

func TestANoteIsReadBackBeforeTheFirstRecord(t *testing.T) {
	var w strings.Builder
	kvtest.OK(t, dump.Write(&w, []byte(`{"height":7}`), records(kv.Pair{Key: []byte("a"), Value: []byte("b")})))
	if !strings.HasPrefix(w.String(), `{"ephemera":{"height":7},"models":[{"key":"61"`) {
		t.Errorf("wrote %s", w.String())
	}
	pages := dump.Read(strings.NewReader(w.String()))
	for _, err := range pages.Records() {
		if err != nil || string(pages.Note()) != `{"height":7}` {
			t.Errorf("note is %s, %v", pages.Note(), err)
		}
	}
}
