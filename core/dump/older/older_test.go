package older_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/doctor"
	"ephemera/core/dump"
	"ephemera/core/dump/older"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// pair is a state of testdata before and after: what a compiled contract's own
// migration made of it, or for sg721 what the mapping should.
type pair struct {
	name string
	meta struct {
		Migrate struct {
			Time    cw721.Time `json:"time,string"`
			Message struct {
				With struct{ Minter, Creator cw721.Address } `json:"with_update"`
			} `json:"message"`
		} `json:"migrate"`
		Warnings []string `json:"warnings"`
	}
}

func pairs(t *testing.T) (all []pair) {
	t.Helper()
	files, err := filepath.Glob("testdata/*/meta.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		p := pair{name: filepath.Dir(file)}
		text := kvtest.Must(os.ReadFile(file))(t)
		if err := json.Unmarshal(text, &p.meta); err != nil {
			t.Fatal(file, err)
		}
		all = append(all, p)
	}
	return all
}

func (p pair) read(t *testing.T, file string) older.Records {
	t.Helper()
	f := kvtest.Must(os.Open(filepath.Join(p.name, file)))(t)
	t.Cleanup(func() { f.Close() })
	return dump.Read(f).Records()
}

func (p pair) options() older.Options {
	with := p.meta.Migrate.Message.With
	return older.Options{
		Code: cw721.Contract{Prefix: "stars"}, Time: p.meta.Migrate.Time,
		Minter: with.Minter, Creator: with.Creator,
	}
}

// sorted collects records in key order, as a store gives them.
func sorted(t *testing.T, records older.Records) []string {
	t.Helper()
	var all []kv.Pair
	for p, err := range records {
		kvtest.OK(t, err)
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
	var lines []string
	for _, p := range all {
		lines = append(lines, string(p.Key)+" = "+string(p.Value))
	}
	return lines
}

func TestEveryOldStateBecomesWhatTheContractsMigrationMakesOfIt(t *testing.T) {
	for _, p := range pairs(t) {
		want := "after.json.gz"
		if strings.Contains(p.name, "sg721") {
			want = "proposed.json.gz"
		}
		records, c := older.Convert(p.options(), p.read(t, "before.json.gz"))
		if diff := cmp.Diff(sorted(t, p.read(t, want)), sorted(t, records)); diff != "" {
			t.Errorf("%s: %s", p.name, diff)
		}
		if c.OldLayout == "" || len(c.Notes) < len(p.meta.Warnings) {
			t.Errorf("%s: told as %q with %q, expected to hear of %q", p.name, c.OldLayout, c.Notes, p.meta.Warnings)
		}
	}
}

func TestAMigratedStatePassesAsItIs(t *testing.T) {
	for _, p := range pairs(t) {
		records, c := older.Convert(older.Options{Code: cw721.Contract{Prefix: "stars"}}, p.read(t, "after.json.gz"))
		if diff := cmp.Diff(sorted(t, p.read(t, "after.json.gz")), sorted(t, records)); diff != "" || c.OldLayout != "" || c.Notes != nil {
			t.Errorf("%s: told as %q, %q: %s", p.name, c.OldLayout, c.Notes, diff)
		}
	}
}

const (
	alice = "stars173rgrl8nlcyyjtet26psdeudezc336wmxrmsfz"
	bob   = "stars15m6f40572ahq8l73y84kqvtwpatlqlgqj7zd5l"
	osmo  = "cosmos194c3vs4hy6cygqtz0j5lhtpj7hy9xra3x5yd8n"
)

// state is a small old collection, key by key; "" takes a record away.
func state(changes ...string) older.Records {
	records := map[string]string{
		"contract_info": `{"contract":"crates.io:cw721-base","version":"0.16.0"}`,
		"nft_info":      `{"name":"N","symbol":"S"}`,
		"minter":        `"` + alice + `"`,
	}
	for i := 0; i < len(changes); i += 2 {
		records[changes[i]] = changes[i+1]
	}
	return func(yield func(kv.Pair, error) bool) {
		for key, value := range records {
			if value != "" && !yield(kv.Pair{Key: []byte(key), Value: []byte(value)}, nil) {
				return
			}
		}
	}
}

func ownership(owner, pending string) string {
	return `{"owner":"` + owner + `","pending_owner":` + pending + `,"pending_expiry":null}`
}

func TestTheRecordsAndNotTheVersionTellWhatIsConverted(t *testing.T) {
	const plain = `{"owner":"` + bob + `"}`
	const token = `{"owner":"` + alice + `","approvals":[],"token_uri":null,"extension":{"image":null,"image_data":null,"external_url":null,"description":null,"name":"x","attributes":null,"background_color":null,"animation_url":null,"youtube_url":null}}`
	for _, c := range []struct {
		what    string
		records older.Records
		key     string
		want    string
	}{
		{"a version that no release has", state("contract_info", `{"contract":"crates.io:cw721-base","version":"1.0.0"}`), "contract_info", `{"contract":"crates.io:cw721-base","version":"0.19.0"}`},
		{"minter and ownership both there", state("ownership", ownership(bob, "null")), "collection_minter", ownership(bob, "null")},
		{"an ownership without its nulls is not touched", state("ownership", plain, "minter", ""), "ownership", plain},
		{"a pending minter becomes pending creator", state("ownership", ownership(alice, `"`+bob+`"`)), "collection_minter", ownership(alice, "null")},
		{"metadata in a token, base by its name", state("\x00\x06tokens1", token), "contract_info", `{"contract":"crates.io:cw721-metadata-onchain","version":"0.19.0"}`},
		{"escapes in a name", state("nft_info", `{"name":"a\u000b\/é","symbol":""}`), "cw721_collection_info", `{"name":"a\u000B/é","symbol":"","updated_at":"7"}`},
	} {
		records, _ := older.Convert(older.Options{Code: cw721.Contract{Prefix: "stars"}, Time: 7}, c.records)
		if lines := sorted(t, records); !slices.Contains(lines, c.key+" = "+c.want) {
			t.Errorf("%s: got %q, expected %s = %s", c.what, lines, c.key, c.want)
		}
	}
}

func TestAnUnknownNameIsConvertedOnlyForRulesThatTheCallerChooses(t *testing.T) {
	fork := func() older.Records {
		return state("contract_info", `{"contract":"crates.io:x-cw721-base","version":"0.18.0"}`)
	}
	converted, _ := older.Convert(older.Options{Code: cw721.Contract{Prefix: "stars"}}, fork())
	var failed error
	for _, err := range converted {
		failed = err
	}
	const want = "contract_info names crates.io:x-cw721-base 0.18.0, whose rules are not known, and its storage is older than cw721 0.19; --rules standard converts it"
	if failed == nil || !strings.Contains(failed.Error(), want) {
		t.Errorf("got  %v\nwant %s", failed, want)
	}

	chosen := older.Options{Code: cw721.Contract{Prefix: "stars", Rules: cw721.RulesStandard}}
	converted, c := older.Convert(chosen, fork())
	version := `contract_info = {"contract":"crates.io:cw721-base","version":"0.19.0"}`
	if lines := sorted(t, converted); !slices.Contains(lines, version) {
		t.Errorf("got %q, expected %s", lines, version)
	}
	if want := []string{"contract_info named crates.io:x-cw721-base 0.18.0, whose rules are not known"}; !slices.Equal(c.Notes, want) {
		t.Errorf("got notes %q, expected %q", c.Notes, want)
	}
}

func TestOldRecordsThatAreNotAsTheirLayoutSaysAreRefusedByName(t *testing.T) {
	const sg = `{"creator":"` + osmo + `","description":"","image":""}`
	for want, records := range map[string]older.Records{
		"its record contract_info is not as old contracts write it: unknown field `x`":                    state("contract_info", `{"contract":"a","version":"b","x":1}`),
		"it has no contract_info record: pages are missing":                                               state("contract_info", ""),
		"its record nft_info is not as old contracts write it: unknown field `x`":                         state("nft_info", `{"name":"N","symbol":"S","x":1}`),
		"its record nft_info is not as old contracts write it: missing field `symbol`":                    state("nft_info", `{"name":"N"}`),
		"it has neither the record ownership nor minter: pages are missing, or --minter gives the minter": state("minter", ""),
		"its record ownership is not as old contracts write it: unknown field `x`":                        state("ownership", `{"owner":null,"x":1}`),
		`the minter is "` + osmo + `", which is no address here`:                                          state("minter", `"`+osmo+`"`),
		`the creator is "` + osmo + `", which is no address here`:                                         state("collection_info", sg),
		`its record collection_info is not as old contracts write it: missing field ` + "`image`":         state("collection_info", `{"creator":"a","description":""}`),
		"nor minter: pages are missing, or --minter":                                                      state("collection_info", sg, "minter", ""),
	} {
		converted, _ := older.Convert(older.Options{Code: cw721.Contract{Prefix: "stars"}}, records)
		var failed error
		for _, err := range converted {
			failed = err
		}
		if failed == nil || !strings.Contains(failed.Error(), want) {
			t.Errorf("got  %v\nwant %s", failed, want)
		}
	}
}

func TestAMinterInTheOptionsIsTakenWhereTheDumpHasNone(t *testing.T) {
	options := older.Options{Code: cw721.Contract{Prefix: "stars"}, Minter: alice}
	records, c := older.Convert(options, state("minter", ""))
	lines := sorted(t, records)
	for _, key := range []string{"collection_minter", "ownership"} {
		if want := key + ` = {"owner":"` + alice + `","pending_owner":null,"pending_expiry":null}`; !slices.Contains(lines, want) {
			t.Errorf("got %q, expected %s", lines, want)
		}
	}
	if c.OldLayout == "" {
		t.Error("it was not converted")
	}
}

func TestARecordThatComesTwiceIsPassedOnTwice(t *testing.T) {
	twice := func(yield func(kv.Pair, error) bool) {
		for range 2 {
			for p, err := range state() {
				if !yield(p, err) {
					return
				}
			}
		}
	}
	records, _ := older.Convert(older.Options{Code: cw721.Contract{Prefix: "stars"}}, twice)
	n := 0
	for _, line := range sorted(t, records) {
		if strings.HasPrefix(line, "nft_info = ") {
			n++
		}
	}
	if n != 2 {
		t.Errorf("nft_info came %d times", n)
	}
}

func TestWhatIsConvertedAndWhatWasMigratedIsACollectionThatExportsTheSame(t *testing.T) {
	for _, p := range pairs(t) {
		for _, file := range []string{"before.json.gz", "after.json.gz"} {
			converted, _ := older.Convert(p.options(), p.read(t, file))
			want := sorted(t, converted)
			c, err := chain.Open(kv.NewMemory())
			kvtest.OK(t, err)
			again, _ := older.Convert(p.options(), p.read(t, file))
			if err := c.Import(chain.Genesis{Config: chain.Config{Prefix: "stars"}}, again, nil); err != nil {
				t.Errorf("%s: %s: %v", p.name, file, err)
				continue
			}
			err = c.View(func(v *chain.View) error {
				if diff := cmp.Diff(want, sorted(t, v.Records())); diff != "" {
					t.Errorf("%s: %s: %s", p.name, file, diff)
				}
				return nil
			})
			if r, failed := doctor.Run(c, nil); err != nil || failed != nil || !r.IsClean() {
				t.Errorf("%s: %s: %v %v %+v", p.name, file, err, failed, r.Faults)
			}
		}
	}
}
