package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

// namesOfState returns the four ways in which diff can name the state of a database as it is
// now: a snapshot, a node, a dump and a directory.
func namesOfState(t *testing.T, db, snapshot string) []string {
	t.Helper()
	var made struct{ Node int }
	chaintest.OK(t, json.Unmarshal([]byte(runs(t, "--db", db, "snapshot", snapshot)), &made))
	dump, copied := filepath.Join(db, "..", snapshot+".json"), filepath.Join(db, "..", snapshot)
	runs(t, "--db", db, "export", "--with-clock", dump)
	runs(t, "--db", db, "backup", copied+".backup")
	runs(t, "--db", copied, "backup", "--restore", copied+".backup")
	return []string{snapshot, fmt.Sprint(made.Node), dump, copied}
}

// checkSameAnswer checks that diff gives the same answer and the status want, however the
// two states are named, in text and in JSON. It returns the lines.
func checkSameAnswer(t *testing.T, db string, want int, oldNames, newNames []string) (lines string) {
	t.Helper()
	for i, form := range []string{"--text", "--json"} {
		var first string
		for _, before := range oldNames {
			for _, after := range newNames {
				exit, stdout, stderr := inside(t, "--db", db, "diff", form, "--exit-code", before, after)
				if first == "" {
					first = stdout
				}
				if exit != want || stdout != first {
					t.Errorf("diff %s %s: %d %q %s, expected %d %q", before, after, exit, stdout, stderr, want, first)
				}
				if regexp.MustCompile(`--kinds`).MatchString(stderr) {
					t.Errorf("diff %s %s suggests to leave something out: %s", before, after, stderr)
				}
			}
		}
		if i == 0 {
			lines = first
		}
	}
	return lines
}

func TestDiffGivesOneAnswerHoweverTheStatesAreNamed(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	runs(t, "--db", db, "init", "--rules", "v0.22.0", "--height", "10", "--time", "2026-11-21T12:00:00Z", `{"name":"Apes","symbol":"APE"}`)
	runs(t, "--db", db, "accounts", "add", "alice")
	runs(t, "--db", db, "accounts", "add", "bob")
	runs(t, "--db", db, "exec", "--as", "creator", `{"mint":{"token_id":"1","owner":"$alice"}}`)
	runs(t, "--db", db, "exec", "--as", "alice", `{"approve":{"token_id":"1","spender":"$bob","expires":{"at_height":30}}}`)
	before := namesOfState(t, db, "before")

	runs(t, "--db", db, "clock", "advance", "+3")
	runs(t, "--db", db, "exec", "--as", "alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":90}}}`)
	runs(t, "--db", db, "exec", "--as", "creator", `{"add_minter":{"minter":"$bob"}}`)
	after := namesOfState(t, db, "after")
	lines := checkSameAnswer(t, db, 1, before, append(after, "now"))
	if want := "+ additional-minter bob\n+ operator bob of alice until height 90\n"; lines != want {
		t.Errorf("got %q, expected %q", lines, want)
	}
	if lines := checkSameAnswer(t, db, 0, after, before); lines != "- additional-minter bob\n- operator bob of alice until height 90\nno new access\n" {
		t.Errorf("got %q", lines)
	}

	// What unknown code permits is not known, whatever contract_info says.
	runs(t, "--db", db, "migrate", "--contract", "../../core/wasm/testdata/contract.wasm", `{"count":{}}`)
	migrated := namesOfState(t, db, "migrated")
	if lines := checkSameAnswer(t, db, 2, after, migrated); lines != "no new access (code not compared)\n" {
		t.Errorf("got %q", lines)
	}
	checkSameAnswer(t, db, 0, migrated, migrated)
}

// A collection of before 0.19, with an offer of the minter's role, is compared by its own
// rules. Those that 0.19 has as a mistake are new access.
func TestDiffGivesOneAnswerAcrossLayouts(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "db")
	dumped := filepath.Join(dir, "dump.json")
	writeStorage(t, dumped, cw721.Version{Contract: "crates.io:cw721-base", Number: "0.18.0"}, true)
	runs(t, "--db", db, "import", "--height", "10", "--time", "7", "--wasm", "../../core/wasm/testdata/contract.wasm", dumped)
	older := namesOfState(t, db, "older")
	checkSameAnswer(t, db, 0, older, older)

	newer := func(number string) []string {
		writeStorage(t, dumped, cw721.Version{Contract: "crates.io:cw721-base", Number: number}, false)
		newDB := filepath.Join(dir, number)
		runs(t, "--db", newDB, "import", "--height", "10", "--time", "7", dumped)
		return namesOfState(t, newDB, "v"+number)[2:] // not in the history of db
	}
	v19, v22, v23 := newer("0.19.0"), newer("0.22.0"), newer("0.23.0")
	if lines := checkSameAnswer(t, db, 1, older, v19); lines != "+ royalty-by-anyone *\n" {
		t.Errorf("0.18 to 0.19: %q", lines)
	}
	if lines := checkSameAnswer(t, db, 0, older, v22); lines != "no new access\n" {
		t.Errorf("0.18 to 0.22: %q", lines)
	}
	if lines := checkSameAnswer(t, db, 0, v19, v22); lines != "- royalty-by-anyone *\nno new access\n" {
		t.Errorf("0.19 to 0.22: %q", lines)
	}
	if lines := checkSameAnswer(t, db, 2, older, v23); lines != "" {
		t.Errorf("0.18 to 0.23, whose rules are not known: %q", lines)
	}

	// A contract with another name is not known, in an older layout too.
	writeStorage(t, dumped, cw721.Version{Contract: "crates.io:x-cw721-base", Number: "0.18.0"}, true)
	forkDB := filepath.Join(dir, "fork")
	runs(t, "--db", forkDB, "import", "--height", "10", "--time", "7", "--wasm", "../../core/wasm/testdata/contract.wasm", dumped)
	fork := namesOfState(t, forkDB, "forked")
	checkSameAnswer(t, forkDB, 2, fork, fork)
	checkSameAnswer(t, forkDB, 2, fork, v19)
}

func TestDiffGivesOneAnswerForTheMigrationOfAReleasedContract(t *testing.T) {
	folder := os.Getenv("EPHEMERA_CONTRACTS")
	if folder == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	for _, release := range releases[:3] {
		t.Run(release.name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "db")
			createRelease(t, db, release.file, "", release.offer)
			before := namesOfState(t, db, "before")
			runs(t, "--db", db, "migrate", "--contract", filepath.Join(folder, "cw721_metadata_onchain_v0.19.0.wasm"), `{"with_update":{}}`)
			after := namesOfState(t, db, "after")

			// The offer is one of the creator's role now, whom the comparison takes for the minter
			// of before.
			want := "- minter-offer bob of alice until height 30\n+ royalty-by-anyone *\n"
			if release.offer == "" {
				want = "+ royalty-by-anyone *\n"
			}
			if lines := checkSameAnswer(t, db, 1, before, append(after, "now")); lines != want {
				t.Errorf("got %q, expected %q", lines, want)
			}
		})
	}
}
