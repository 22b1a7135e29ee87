package ui_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/doctor"
	"ephemera/core/kv"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

// offers are the messages that offer the minter's role in the compiled releases. The
// minter of 0.16 cannot offer the role.
var offers = map[string]string{
	"cw721_base_v0.16.0.wasm":             "",
	"cw721_base_v0.17.0.wasm":             `{"update_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":30}}}}`,
	"cw721_base_v0.18.0.wasm":             `{"update_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":30}}}}`,
	"cw721_base_v0.19.0.wasm":             `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":30}}}}`,
	"cw721_metadata_onchain_v0.19.0.wasm": `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":30}}}}`,
}

// builtIn22 stands in the table of releases for the built-in contract by the rules of
// v0.22.0, of which there is no compiled release here.
const builtIn22 = "built-in-v0.22.0"

// releaseWorld is a collection of a compiled release. It has two tokens of alice, of which
// carol is an approved spender and bob an operator, and an offer of the minter's role.
func releaseWorld(t *testing.T, file, offer string) *chain.Chain {
	t.Helper()
	c := chaintest.Must(chain.OpenWith(kv.NewMemory(), chain.Options{CacheDir: os.TempDir()}))(t)
	g := chain.Genesis{Clock: chain.Clock{Height: 10}}
	if file == builtIn22 {
		g.Rules = cw721.RulesV022
	} else {
		path := releasePath(t, file)
		g.Module = &chain.Module{File: file, Code: chaintest.Must(os.ReadFile(path))(t)}
	}
	for _, name := range []string{"alice", "bob", "carol"} {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: chaintest.Address(name)})
	}
	alice := chaintest.Address("alice")
	chaintest.Must(c.Create(g, alice, []byte(`{"name":"Apes","symbol":"APE","minter":"`+string(alice)+`"}`)))(t)

	messages := []string{
		`{"mint":{"token_id":"ape-1","owner":"$alice"}}`,
		`{"mint":{"token_id":"ape-2","owner":"$alice"}}`,
		`{"approve":{"spender":"$carol","token_id":"ape-1","expires":{"at_height":20}}}`,
		`{"approve_all":{"operator":"$bob"}}`,
	}
	if offer != "" {
		messages = append(messages, offer)
	}
	for _, msg := range messages {
		uitest.Execute1(t, c, "alice", msg)
	}
	return c
}

// releasePath is the path of a compiled release. The test is skipped if there is none.
func releasePath(t *testing.T, file string) string {
	t.Helper()
	folder := os.Getenv("EPHEMERA_CONTRACTS")
	if folder == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	return filepath.Join(folder, file)
}

// The golden views are the table of screens and versions: a file for each release, with a
// part for each screen.
func TestEveryScreenShowsOfEachReleaseWhatIsKept(t *testing.T) {
	releases := maps.Clone(offers)
	releases[builtIn22] = offers["cw721_base_v0.19.0.wasm"]
	scenes := []uitest.Scene{
		{Name: "tokens", Keys: []string{"1"}},
		{Name: "approvals", Keys: []string{"2"}},
		{Name: "operators", Keys: []string{"3"}},
		{Name: "collection and clock", Keys: []string{"4"}},
		{Name: "console", Keys: []string{"6", "G"}},
		{Name: "dangling", Keys: []string{":", "Dangling", "enter"}},
		{Name: "why", Keys: []string{"w"}},
		{Name: "who can", Keys: []string{"W"}},
	}
	for file, offer := range releases {
		t.Run(file, func(t *testing.T) {
			c := releaseWorld(t, file, offer)
			var kept strings.Builder
			for _, scene := range scenes {
				d := uitest.On(t, ui.New, c, 120, 28)
				d.Keys(scene.Keys...)
				d.Fits()
				fmt.Fprintf(&kept, "=== %s\n%s\n", scene.Name, d.Screen())
			}

			create := uitest.Empty(t, ui.New, 120, 50, nil)
			create.Keys("c", "Apes", "tab", "APE")
			if file != builtIn22 {
				toContractField := slices.Repeat([]string{"tab"}, 13)
				create.Keys(append(toContractField, releasePath(t, file))...)
			}
			kept.WriteString("=== create form\n")
			for line := range strings.Lines(create.Screen()) {
				isPath := strings.Contains(line, ".wasm") // it differs from machine to machine
				if !isPath {
					kept.WriteString(line)
				}
			}
			kept.WriteString("\n")
			uitest.Kept(t, "release-"+strings.TrimSuffix(file, ".wasm"), kept.String())
		})
	}
}

func TestEveryReleaseShowsItsTokensGrantsAndTheMinter(t *testing.T) {
	for file, offer := range offers {
		// given
		c := releaseWorld(t, file, offer)
		d := uitest.On(t, ui.New, c, 120, 36)

		// then
		d.To("Tokens")
		d.SeesIn(uitest.List, "ape-1", "ape-2", "alice")
		d.SeesIn(uitest.Header, "Apes", "APE", "2 tokens")
		d.To("Approvals")
		d.SeesIn(uitest.List, "ape-1", "carol")
		d.To("Operators")
		d.SeesIn(uitest.List, "bob")
		d.To("Collection")
		d.SeesIn(uitest.List, "minter", "alice", "contract address")
		d.SeesIn(uitest.Clock, "ape-1 → carol")
		if offer != "" {
			d.SeesIn(uitest.List, "offered to bob")
			d.Press("e", "e")
			d.Sees("minter offer")
			d.DoesNotSee("creator offer")
		}
		d.Fits()
		report := chaintest.Must(doctor.Run(c, nil))(t)
		if !report.IsClean() || report.Tokens != 2 {
			t.Errorf("%s: doctor found %+v", file, report)
		}
	}
}

func TestCollectionsBefore019ShowOnlyTheFieldsThatTheyHave(t *testing.T) {
	const file = "cw721_base_v0.18.0.wasm"
	d := uitest.On(t, ui.New, releaseWorld(t, file, offers[file]), 120, 36)
	d.To("Collection")
	d.SeesIn(uitest.List, "name", "symbol", "minter", "tokens", "rule set", "contract")
	for _, absent := range []string{"creator", "royalty", "withdraw address", "updated at"} {
		d.DoesNotSee(absent)
	}
}

func TestTheProbeAcceptsAnOfferBefore019WithTheMessageThatTheContractKnows(t *testing.T) {
	for _, file := range []string{"cw721_base_v0.17.0.wasm", "cw721_base_v0.18.0.wasm"} {
		d := uitest.On(t, ui.New, releaseWorld(t, file, offers[file]), 120, 36)
		d.To("Collection")
		d.Press("B", "down")
		d.SeesIn(uitest.Dialog, "minter offer → bob", `{"update_ownership":"accept_ownership"}`)
		d.SeesIn(uitest.Dialog, "height 29         ✓ done: accept the minter role", "height 30         ✗")
	}
}

// The contract itself refuses an unknown message, so that the lists can be compared with
// what it accepts: it must know every message that is listed, and no other message of the
// rule sets.
func TestTheConsoleListsTheMessagesThatTheReleaseKnows(t *testing.T) {
	for file, offer := range offers {
		c := releaseWorld(t, file, offer)
		var names chain.MessageNames
		chaintest.OK(t, c.View(func(v *chain.View) (err error) {
			names, err = v.MessageNames()
			isKnown := func(refusal *cw721.Error) bool {
				return refusal == nil || !strings.Contains(refusal.Text, "unknown variant")
			}
			for _, name := range append(cw721.RulesV022.ExecuteNames(), names.Execute...) {
				receipt := chaintest.Must(v.Preview(v.Self, []byte(`{"`+name+`":{}}`)))(t)
				if isKnown(receipt.Refusal) != slices.Contains(names.Execute, name) {
					t.Errorf("%s: execute %s is listed: %v", file, name, !isKnown(receipt.Refusal))
				}
			}
			for _, name := range append(cw721.RulesV022.QueryNames(), names.Query...) {
				_, err := v.Query([]byte(`{"` + name + `":{}}`))
				if isKnown(cw721.AsError(err)) != slices.Contains(names.Query, name) {
					t.Errorf("%s: query %s is listed: %v", file, name, !isKnown(cw721.AsError(err)))
				}
			}
			return err
		}))
		if names.UnlistedReason != "" || len(names.Execute) < 9 || len(names.Query) < 12 {
			t.Errorf("%s: %+v", file, names)
		}

		isOld := offer == "" // 0.16 has no message about a role
		d := uitest.On(t, ui.New, c, 120, 36)
		for _, keys := range [][]string{{"6", "t"}, {":"}} {
			d.Press(keys...)
			d.Types("extension")
			d.Sees("extension")
			d.Press("ctrl+u")
			d.Types("ownership")
			if lists := !strings.Contains(d.Screen(), "nothing matches"); lists == isOld {
				t.Errorf("%s, %v: lists ownership: %v\n%s", file, keys, lists, d.Screen())
			}
			d.Press("esc")
		}
		d.Keys("i", `{"tr`)
		d.Sees("tab transfer_nft")
		d.Keys("esc", "c", "i", `{"update_co`)
		if completes := strings.Contains(d.Screen(), "tab update_collection_info"); completes != strings.Contains(file, "v0.19.0") {
			t.Errorf("%s: completes update_collection_info: %v", file, completes)
		}
	}
}
