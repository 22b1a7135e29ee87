package dump_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"ephemera/core/chain"
	"ephemera/core/dump"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// named is a page that has the name of a file.
type named struct {
	io.Reader
	name string
}

func (n named) Name() string { return n.name }

func readers(pages ...string) []io.Reader {
	var out []io.Reader
	for _, p := range pages {
		out = append(out, strings.NewReader(p))
	}
	return out
}

func TestWhatStandsAroundTheRecordsDoesNoHarm(t *testing.T) {
	one := `{"key":"61","value":"Yg=="}`
	for _, text := range []string{
		`{"models":[` + one + `]}`,
		"\n\t{ \"models\" : [ " + one + " ] }\n\n",
		`{"models":[` + one + `],"pagination":{"next_key":null,"total":"0"}}`,
		`{"pagination":{"next_key":"","total":"0"},"models":[` + one + `]}`,
		`{"height":"7","result":{"data":[1,{"x":null}],"models":[` + one + `]}}`,
		`[{"models":[` + one + `]}]`,
		"\ufeff" + `{"models":[` + one + `]}`,
		`{"models":[]}{"models":[` + one + `]}`,
		`{"models":null} {"models":[{"extra":[1],"value":"Yg==","key":"61"}]}`,
	} {
		p := dump.Read(strings.NewReader(text))
		got, err := collect(t, p)
		if err != nil || len(got) != 1 || string(got[0].Key) != "a" || string(got[0].Value) != "b" {
			t.Errorf("%s\ngave %q, %v", text, got, err)
		}
		if p.HasMissingPage() {
			t.Errorf("%s\nmisses nothing", text)
		}
	}
}

func TestAMissingPageIsNoticed(t *testing.T) {
	b := base64.StdEncoding.EncodeToString([]byte("b"))
	a := `{"models":[{"key":"61","value":"Yg=="}],"pagination":{"next_key":"` + b + `"}}`
	last := `{"models":[{"key":"62","value":"Yg=="}],"pagination":{"next_key":null}}`
	later := `{"models":[{"key":"63","value":"Yg=="}],"pagination":{"next_key":""}}`
	odd := `{"models":[{"key":"61","value":"Yg=="}],"pagination":{"next_key":"page 2"}}`
	for _, c := range []struct {
		pages   []string
		missing bool
	}{
		{[]string{a}, true},
		{[]string{a, last}, false},
		{[]string{last, a}, false}, // in another order, but all of them
		{[]string{last}, false},
		{[]string{a, later}, true}, // one between the two
		{[]string{odd}, true},      // not in base64, but it names a page
	} {
		p := dump.Read(readers(c.pages...)...)
		if _, err := collect(t, p); (err != nil) != c.missing {
			t.Errorf("%q: got %v", c.pages, err)
		}
		p = dump.Read(readers(c.pages...)...)
		p.AllowsMissingPages = true
		if _, err := collect(t, p); err != nil {
			t.Errorf("%q, as far as they go: %v", c.pages, err)
		}
		if p.HasMissingPage() != c.missing {
			t.Errorf("%q: missing is %v, expected %v", c.pages, p.HasMissingPage(), c.missing)
		}
	}
}

func TestAnErrorNamesPageRecordAndWhatWasExpected(t *testing.T) {
	one := `{"key":"61","value":"Yg=="}`
	for text, want := range map[string]string{
		``:                `state.json: it is empty, expected {"models":[…]}`,
		`{"a":1}`:         `state.json: it has no "models", expected {"models":[{"key":HEX,"value":BASE64},…]}`,
		`hello`:           `state.json: expected JSON, or YAML as wasmd prints it, got the line "hello"`,
		`{hello`:          `state.json: it is not JSON at byte 1`,
		`{"models":[[]]}`: `state.json: record 1: expected {"key":HEX,"value":BASE64}, got an array`,
		`{"models":[{"key":"` + strings.Repeat("_", 41) + `","value":""}]}`: `state.json: record 1: key: expected hex, or base64 in all records, got "` + strings.Repeat("_", 40) + `"…`,
		`{"models":7}`:                           `state.json: models: expected an array of records, got a number`,
		`{"models":[` + one + `,7]}`:             `state.json: record 2: expected {"key":HEX,"value":BASE64}, got a number`,
		`{"models":[{"key":61}]}`:                `state.json: record 1: key: expected hex in a string, got a number`,
		`{"models":[{"key":"61"}]}`:              `state.json: record 1: it has no value, expected "value":BASE64`,
		`{"models":[{"value":""}]}`:              `state.json: record 1: it has no key, expected "key":HEX`,
		`{"models":[{"key":"61","value":"%"}]}`:  `state.json: record 1: value: expected base64, got "%"`,
		`{"models":[{"key":"61","value":null}]}`: `state.json: record 1: it has no value, expected "value":BASE64`,
		`{"models":[{"key":"61","value":7}]}`:    `state.json: record 1: value: expected base64 in a string, got a number`,
		`{"models":[` + one + `,`:                `state.json: record 2: it ends too early, after 39 bytes, expected the rest of the JSON`,
		`{"models":[` + one + `] x`:              `state.json: it is not JSON at byte 40`,
		`{"models":[` + one + `,` + one:          `state.json: record 2: its key 61 is that of the record before, expected every key once`,
	} {
		_, err := collect(t, dump.Read(named{strings.NewReader(text), "state.json"}))
		var bad *dump.Error
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestAPageWithoutANameIsCalledByItsNumber(t *testing.T) {
	_, err := collect(t, dump.Read(strings.NewReader(`{"models":[]}`), strings.NewReader(`{}`)))
	if err == nil || !strings.HasPrefix(err.Error(), "page 2: ") {
		t.Errorf("got %v", err)
	}
}

func TestAReaderThatFailsSaysSo(t *testing.T) {
	gone := errors.New("the stick was pulled")
	_, err := collect(t, dump.Read(io.MultiReader(strings.NewReader(`{"models":[`), iotest.ErrReader(gone))))
	if err != gone {
		t.Errorf("got %v, expected what the reader said and nothing of how it is read", err)
	}
}

// endless never stops being one string.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.n += int64(len(p))
	return len(p), nil
}

func TestAnEndlessValueIsRefusedBeforeItFillsTheMemory(t *testing.T) {
	rest := &endless{}
	_, err := collect(t, dump.Read(io.MultiReader(strings.NewReader(`{"note":"`), rest)))
	if err == nil || !strings.Contains(err.Error(), "a value is longer than 8 MiB") {
		t.Errorf("got %v", err)
	}
	if rest.n > 32<<20 {
		t.Errorf("it read %d bytes before it gave up", rest.n)
	}
}

// page makes a page of texts.
func page(keysAndValues ...string) string {
	var b strings.Builder
	b.WriteString(`{"models":[`)
	for i := 0; i < len(keysAndValues); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"key":"%X","value":"%s"}`, keysAndValues[i], base64.StdEncoding.EncodeToString([]byte(keysAndValues[i+1])))
	}
	return b.String() + `]}`
}

func TestADumpOfAnotherContractIsRefusedByItsName(t *testing.T) {
	for want, text := range map[string]string{
		`the dump of contract "crates.io:cw20-base" version "1.1.2" has no cw721_collection_info record: it is not of a CW721 collection, or pages are missing`: page(
			"\x00\x07balancecosmos1xyz", `"5"`, "contract_info", `{"contract":"crates.io:cw20-base","version":"1.1.2"}`, "token_info", `{}`),
		`the dump has no contract_info record: it is not of a CW721 collection, or pages are missing`: page("config", `{}`),
	} {
		c, err := chain.Open(kv.NewMemory())
		kvtest.OK(t, err)
		err = c.Import(chain.Genesis{}, dump.Read(strings.NewReader(text)).Records(), nil)
		var bad *chain.ImportError
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(page("a", "b", "c", "d"))
	f.Add(`{"pagination":{"next_key":"YQ=="},"models":[{"key":"61","value":""}]}`)
	f.Add(`[[[{"models":null}]]]`)
	f.Fuzz(func(t *testing.T, text string) {
		for pair, err := range dump.Read(strings.NewReader(text)).Records() {
			if err == nil && len(pair.Key) == 0 {
				t.Errorf("%q is read as a record without a key", text)
			}
		}
	})
}
