package cli_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

// The accounts of the dumps.
const (
	dumpAlice = "cosmos1qgpqyqszqgpqyqszqgpqyqszqgpqyqszrh8mx2"
	dumpBob   = "cosmos1qvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrz8x6vt"
)

// writeStorage writes a dump of a small collection of alice, whose contract_info is version.
// Its layout is that of 0.19 or later, or that of 0.17 and 0.18.
func writeStorage(t *testing.T, file string, version cw721.Version, isOlder bool) {
	t.Helper()
	role := `{"owner":"` + dumpAlice + `","pending_owner":null,"pending_expiry":null}`
	records := [][2]string{
		{"\x00\x06tokensape", `{"owner":"` + dumpAlice + `","approvals":[{"spender":"` + dumpBob + `","expires":{"at_height":100}}],"token_uri":null,"extension":null}`},
		{"\x00\x0dtokens__owner\x00\x2d" + dumpAlice + "ape", "3"},
		{"contract_info", fmt.Sprintf(`{"contract":%q,"version":%q}`, version.Contract, version.Number)},
		{"num_tokens", "1"},
		{"ownership", role},
	}
	if isOlder {
		records = append(records, [2]string{"nft_info", `{"name":"Apes","symbol":"APE"}`})
	} else {
		records = append(records,
			[2]string{"collection_minter", role},
			[2]string{"cw721_collection_info", `{"name":"Apes","symbol":"APE","updated_at":"5"}`})
	}

	var models []string
	for _, record := range records {
		value := base64.StdEncoding.EncodeToString([]byte(record[1]))
		models = append(models, fmt.Sprintf(`{"key":"%X","value":%q}`, record[0], value))
	}
	text := `{"models":[` + strings.Join(models, ",") + `]}`
	chaintest.OK(t, os.WriteFile(file, []byte(text), 0o600))
}

// What follows from a name and version in contract_info: the rules of a dump in the layout
// of 0.19, and whether a dump in an older layout is converted.
var contractNames = []struct {
	name, version string
	rules         cw721.Rules // "" if nothing is judged
	isConverted   bool
}{
	{"crates.io:cw721-base", "0.9.0", "", true},
	{"crates.io:cw721-base", "0.15.0", "", true},
	{"crates.io:cw721-base", "0.16.0", "", true},
	{"crates.io:cw721-base", "0.17.0", "", true},
	{"crates.io:cw721-base", "0.18.0", "", true},
	{"crates.io:cw721-base", "0.19.0", "v0.19.0", true},
	{"crates.io:cw721-base", "0.19.7", "v0.19.0", true},
	{"crates.io:cw721-base", "0.20.0", "v0.20.0", true},
	{"crates.io:cw721-base", "0.21.0", "v0.21.0", true},
	{"crates.io:cw721-base", "0.22.0", "v0.22.0", true},
	{"crates.io:cw721-base", "0.23.0", "", true},
	{"crates.io:cw721-base", "0.190.0", "", true},
	{"crates.io:cw721-base", "1.0.0", "", true},
	{"crates.io:cw721-base", "1.19.0", "", true},
	{"crates.io:cw721-base", "", "", true},
	{"crates.io:cw721-base", "v0.19.0", "", true},
	{"crates.io:cw721-base", "0.19", "", true},
	{"crates.io:cw721-base", "0.19.0-rc1", "", true},
	{"crates.io:cw721-base", "0.19.0+fork", "", true},
	{"crates.io:cw721-base", "0.019.0", "", true},
	{"crates.io:cw721-base", "0.19.0.1", "", true},
	{"crates.io:cw721-base", " 0.19.0", "", true},
	{"cw721-base", "0.19.0", "v0.19.0", true},
	{"cw721-metadata-onchain", "0.22.0", "v0.22.0", true},
	{"crates.io:cw721-metadata-onchain", "0.16.0", "", true},
	{"crates.io:cw721-metadata-onchain", "0.19.0", "v0.19.0", true},
	{"crates.io:sg-721", "0.12.0", "", true},
	{"crates.io:sg721-base", "3.15.0", "", true},
	{"crates.io:sg721-nt", "3.1.0", "", true},
	{"crates.io:sg721-updatable", "3.1.0", "", true},
	{"sg721-updatable", "3.1.0", "", true},
	{"crates.io:sg721-metadata-onchain", "3.0.0", "", true},
	{"crates.io:sg721-base", "0.19.0", "", true},
	{"crates.io:x-cw721-base", "0.18.0", "", false},
	{"crates.io:x-cw721-base", "0.19.0", "", false},
	{"crates.io:cw721-base-fork", "0.19.0", "", false},
	{"crates.io:cw721-non-transferable", "0.18.0", "", false},
	{"crates.io:cw721-non-transferable", "0.22.0", "", false},
	{"crates.io:cw721-expiration", "0.19.0", "", false},
	{"crates.io:cw2981-royalties", "0.18.0", "", false},
	{"crates.io:cw2981-royalties", "0.19.0", "", false},
	{"crates.io:cw721-fixed-price", "0.18.0", "", false},
	{"crates.io:CW721-base", "0.19.0", "", false},
	{"crates.io: cw721-base", "0.19.0", "", false},
	{"crates.io:cw721-base ", "0.19.0", "", false},
	{"crates.io:crates.io:cw721-base", "0.19.0", "", false},
	{"crates.io:base", "0.19.0", "", false},
	{"crates.io:cw721-", "0.19.0", "", false},
	{"crates.io:cw721-onchain", "0.19.0", "", false},
	{"github.com/a/b:cw721-base", "0.19.0", "", false},
	{"crates.io:x-sg721-base", "3.1.0", "", false},
	{"crates.io:sg721-imx", "3.1.0", "", false},
	{"crates.io:cw20-base", "0.19.0", "", false},
	{"", "0.19.0", "", false},
}

func TestTheExactNameOfAContractDecidesWhetherThereAreRules(t *testing.T) {
	dir := t.TempDir()
	dumped := filepath.Join(dir, "dump.json")
	const triedAlike = 3 // names with the same outcome, unless the run is long
	triedNames := map[string]int{}
	for i, c := range contractNames {
		outcome := fmt.Sprint(c.rules, c.isConverted)
		triedNames[outcome]++
		if triedNames[outcome] > triedAlike && kvtest.Times() == 1 {
			continue
		}
		version := cw721.Version{Contract: c.name, Number: c.version}
		what := fmt.Sprintf("%q %q", c.name, c.version)

		// In the layout of 0.19 a collection is imported with its name and records.
		writeStorage(t, dumped, version, false)
		db := filepath.Join(dir, fmt.Sprint("new", i))
		stdout := runs(t, "--db", db, "import", dumped, "--height", "10")
		if want := fmt.Sprintf(`"rules":"%s"`, c.rules); !strings.Contains(stdout, want) {
			t.Errorf("%s: import printed %s, expected %s", what, stdout, want)
		}
		if exported := runs(t, "--db", db, "export"); sortedModels(exported) != sortedModels(read(t, dumped)) {
			t.Errorf("%s: it is exported as %s", what, exported)
		}
		checkJudged(t, what, c.rules != "",
			[]string{"--db", db, "why", "--as", dumpBob, "transfer", "ape"},
			[]string{"diff", "--exit-code", "--at", "10", dumped, dumped})
		if i%9 == 6 {
			checkJudged(t, what, c.rules != "",
				[]string{"--db", db, "who-can", "transfer", "ape"},
				[]string{"--db", db, "dangling", "--exit-code", "--grants-only"},
				[]string{"--db", db, "diff", "--exit-code", "1", "now"},
				[]string{"diff", "--exit-code", db, dumped, "--at", "10"},
				[]string{"--db", db, "exec", "--dry-run", "--as", dumpAlice, `{"burn":{"token_id":"ape"}}`})
		}

		// In an older layout it is converted, or refused with a sentence. diff reads it as it is.
		writeStorage(t, dumped, version, true)
		if !strings.Contains(c.name, "sg") {
			checkJudged(t, what, c.isConverted, []string{"diff", "--exit-code", "--at", "10", dumped, dumped})
		}
		db = filepath.Join(dir, fmt.Sprint("old", i))
		exit, stdout, stderr := inside(t, "--db", db, "import", dumped, "--height", "10")
		if c.isConverted {
			if exit != 0 || !strings.Contains(stdout, `"rules":"standard"`) {
				t.Errorf("%s: import of the older layout: %d %s %s", what, exit, stdout, stderr)
			}
			continue
		}
		want := "whose rules are not known, and its storage is older than cw721 0.19; --rules standard converts it"
		if exit != 2 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: import of the older layout: %d %s %s", what, exit, stdout, stderr)
		}
		stdout = runs(t, "--db", db, "import", dumped, "--height", "10", "--rules", "standard")
		if want := `"contract":"crates.io:cw721-base","version":"0.19.0","rules":"standard"`; !strings.Contains(stdout, want) {
			t.Errorf("%s: import with rules printed %s, expected %s", what, stdout, want)
		}
	}
}

// sortedModels returns the parts of a dump between braces, sorted.
func sortedModels(dump string) string {
	parts := strings.Split(strings.TrimSpace(dump), "{")
	for i := range parts {
		parts[i] = strings.Trim(parts[i], "},]")
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// checkJudged checks that commands answer, or that each has the status 2 and a sentence,
// because nothing is judged.
func checkJudged(t *testing.T, what string, isJudged bool, commands ...[]string) {
	t.Helper()
	want, sentence := 0, ""
	if !isJudged {
		want, sentence = 2, "there is no rule set for this contract"
	}
	for _, args := range commands {
		exit, stdout, stderr := inside(t, args...)
		if exit != want || !strings.Contains(stderr, sentence) {
			t.Errorf("%s: %v: %d %s %s", what, args, exit, stdout, stderr)
		}
	}
}
