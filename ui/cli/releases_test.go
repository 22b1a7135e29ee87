package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
)

// releases are the columns of the table of commands and versions: the arguments of init, and
// the message that offers the minter's role, which 0.16 does not have.
var releases = []struct {
	name, file, rules, offer string
}{
	{name: "base-0.16", file: "cw721_base_v0.16.0.wasm"},
	{name: "base-0.17", file: "cw721_base_v0.17.0.wasm", offer: "update_ownership"},
	{name: "base-0.18", file: "cw721_base_v0.18.0.wasm", offer: "update_ownership"},
	{name: "base-0.19", file: "cw721_base_v0.19.0.wasm", offer: "update_minter_ownership"},
	{name: "onchain-0.19", file: "cw721_metadata_onchain_v0.19.0.wasm", offer: "update_minter_ownership"},
	{name: "onchain-0.22", rules: "v0.22.0", offer: "update_minter_ownership"},
}

// releaseCommands are the rows of the table.
var releaseCommands = [][]string{
	{"info"},
	{"doctor"},
	{"clock"},
	{"dangling"},
	{"dangling", "--exit-code"},
	{"who-can", "--grants"},
	{"who-can", "transfer", "ape-2", "--expect", "nobody"},
	{"who-can", "mint", "--expect", "nobody"},
	{"who-can", "update-token", "ape-2", "--expect", "nobody", "--depth", "1"},
	{"why", "ape-1"},
	{"why", "--as", "carol", "burn", "ape-1"},
	{"why", "--as", "dave", "transfer", "ape-1", "--exit-code"},
	{"query", `{"?":{}}`},
	{"query", `{"minter":{}}`},
	{"exec", "--dry-run", "--as", "alice", `{"approve":{"token_id":5,"spender":"$bob"}}`},
	{"exec", "--dry-run", "--as", "alice", `{"update_nft_info":{"token_id":"ape-1"}}`},
	{"probe", "--as", "carol", `{"transfer_nft":{"token_id":"ape-1","recipient":"$carol"}}`},
}

// collectionMember matches what info prints of the collection. Everything else depends on
// the machine.
var collectionMember = regexp.MustCompile(`"collection":\{.*\},"terminal"`)

// testdata/releases has a file for each release, with what each command prints and the exit
// status, so that a change on one version is seen.
func TestEveryCommandAnswersOnEachReleaseWhatIsKept(t *testing.T) {
	for _, release := range releases {
		t.Run(release.name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "db")
			createRelease(t, db, release.file, release.rules, release.offer)

			var kept strings.Builder
			for _, args := range releaseCommands {
				status, stdout, stderr := inside(t, append([]string{"--db", db}, args...)...)
				if args[0] == "info" {
					stdout = strings.TrimSuffix(collectionMember.FindString(stdout), `,"terminal"`) + "\n"
				}
				fmt.Fprintf(&kept, "$ ephemera %s\n%s%s[%d]\n\n", strings.Join(args, " "), stdout, stderr, status)
			}
			checkKept(t, filepath.Join("testdata", "releases", release.name+".txt"), kept.String())
		})
	}
}

// createRelease makes a collection of a release with two tokens of alice. carol may act on
// the first token, and bob and dave are operators, dave not for ever.
func createRelease(t *testing.T, db, file, rules, offer string) {
	t.Helper()
	init := []string{"--db", db, "init", "--height", "10", "--time", "2026-11-21T12:00:00Z", "--as", "alice"}
	if file == "" {
		init = append(init, "--rules", rules)
	} else {
		folder := os.Getenv("EPHEMERA_CONTRACTS")
		if folder == "" {
			t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
		}
		init = append(init, "--contract", filepath.Join(folder, file))
	}
	runs(t, append(init, `{"name":"Apes","symbol":"APE","minter":"$alice"}`)...)

	for _, name := range []string{"bob", "carol", "dave"} {
		runs(t, "--db", db, "accounts", "add", name)
	}
	messages := []string{
		`{"mint":{"token_id":"ape-1","owner":"$alice"}}`,
		`{"mint":{"token_id":"ape-2","owner":"$alice"}}`,
		`{"approve":{"spender":"$carol","token_id":"ape-1","expires":{"at_height":20}}}`,
		`{"approve_all":{"operator":"$bob"}}`,
		`{"approve_all":{"operator":"$dave","expires":{"at_height":40}}}`,
	}
	if offer != "" {
		messages = append(messages, `{"`+offer+`":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":30}}}}`)
	}
	for _, message := range messages {
		runs(t, "--db", db, "exec", "--as", "alice", message)
	}
}

// checkKept compares a text with a file, or writes the file with -update.
func checkKept(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		chaintest.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		chaintest.OK(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	if want := read(t, path); got != want {
		t.Errorf("%s is not as kept (-update writes it anew)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}
