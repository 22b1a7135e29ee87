package ui_test

import (
	"os"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

// compiled opens the explorer on the contract that package wasm is tested with,
// whose storage is no collection's.
func compiled(t *testing.T, o chain.Options, w, h int) *uitest.Driver {
	t.Helper()
	code := chaintest.Must(os.ReadFile("../core/wasm/testdata/contract.wasm"))(t)
	db := kv.NewMemory()
	c := chaintest.Must(chain.Open(db))(t)
	g := chain.Genesis{Clock: chain.Clock{Height: 10}, Module: &chain.Module{File: "counter.wasm", Code: code}}
	for _, name := range []string{"alice", "bob"} {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: chaintest.Address(name)})
	}
	chaintest.Must(c.Create(g, chaintest.Address("alice"), []byte(`{"count":{}}`)))(t)
	opened := chaintest.Must(chain.OpenWith(db, o))(t)
	return uitest.On(t, ui.New, opened, w, h)
}

func TestScreensThatCannotReadACompiledContractSayWhyAndTheOthersWork(t *testing.T) {
	for _, size := range [][2]int{{60, 23}, {120, 36}} {
		d := compiled(t, chain.Options{}, size[0], size[1])
		for key, what := range map[string]string{"1": "tokens", "2": "approvals", "3": "operators", "4": "collection"} {
			d.Press(key)
			d.Sees("counter.wasm does not keep its storage as", what+" cannot be read", "S raw storage", "▲ what expires is not known")
			d.DoesNotSee("0 tokens")
			d.Fits()
		}
		d.DoesNotSee("owner of")
		d.Press("8", "l")
		d.DoesNotSee("owns 0", "Was given", "no grant is in force")
		d.Sees("so what")
		d.Press("6") // no other screen says why
		for _, key := range []string{"w", "W", "B", "L"} {
			d.Press(key)
			d.Sees("does not keep its storage")
			if len(d.Model.(*ui.Model).Dialogs()) > 0 {
				t.Errorf("%s opens a dialog about grants that cannot be read", key)
			}
		}
		d.Press("v")
		d.DoesNotSee("Dangling", "Timeline")
		d.Press("esc", "T")
		d.Keys("+10")
		d.Sees("which grants expire on the")

		d.Press("esc", "S")
		d.SeesIn(uitest.Dialog, "Raw storage", "1–1 of 1", "count")
		d.Fits()

		d.Press("esc", ".", "8")
		d.SeesIn(uitest.List, "alice")
		d.SeesIn(uitest.Clock, "height 11")
	}
}

func TestTheConsoleSaysThatTheContractDoesNotListItsMessages(t *testing.T) {
	d := compiled(t, chain.Options{}, 120, 36)
	d.Press("6")
	d.Sees("the contract does not list its messages; those of cw721", "are listed, and it may know others.", "transfer_nft")
	d.Press("t")
	d.Sees("Templates of cw721: the contract does not list its messages")
	d.Press("esc", ":")
	d.Types("approve_all")
	d.SeesIn(uitest.Dialog, "approve_all", "in the console")
}

func TestTheConsolePreviewsSendsUndoesAndQueriesACompiledContract(t *testing.T) {
	d := compiled(t, chain.Options{}, 120, 36)
	d.Keys("6", "enter", `{"count":{}}`)
	d.Sees("will work")

	d.Press("ctrl+s")
	d.Sees("carried out, step #2", "count: 1 → 2")

	d.Press("ctrl+x") // it is a query as well
	d.SeesIn(uitest.Detail, "answered at height 10", "\n│2 ")

	d.Press("esc", "u")
	d.SeesIn(uitest.Detail, "answered at height 10", "\n│1 ")

	d.Press("5")
	d.SeesIn(uitest.List, "count", "instantiate")
}

func TestANoticeAndTheHistoryTellOfADifferenceFromTheBuiltInContract(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 36}} {
		d := compiled(t, chain.Options{Compare: true}, size[0], size[1])
		d.Keys("6", "enter", `{"count":{}}`, "ctrl+s")
		d.Sees("#2: the built-in contract differs; History shows both")
		d.Fits()

		// Another storage layout is reported once, and nothing is compared after it.
		d.Press("ctrl+s")
		d.DoesNotSee("the built-in contract differs")

		d.Press("esc", "5", "j", "tab")
		d.SeesIn(uitest.Detail, "the built-in contract differs")
		if size[1] == 20 {
			d.Press("j", "j", "j")
		}
		d.SeesIn(uitest.Detail, "another storage layout")
		d.Fits()

		d.Press("C")
		d.Sees("C is gone: the detail of a step in History")
	}
}

func TestTheLogOfAContractShowsInThePreviewAndInTheHistory(t *testing.T) {
	d := compiled(t, chain.Options{}, 120, 36)
	d.Keys("6", "enter", `{"debug":{}}`)
	d.Sees("debug a line")
	d.Press("ctrl+s", "esc", "5")
	d.Sees("debug a line")
}

// importedAsUnknown returns the collection of a chain with bob's token, imported with a
// contract_info that names no known release.
func importedAsUnknown(t *testing.T) *chain.Chain {
	t.Helper()
	w := chaintest.New(t)
	w.Mint("ape", "bob")
	w.Do("bob", `{"approve":{"spender":"$alice","token_id":"ape","expires":{"at_height":200}}}`)
	imported := chaintest.Must(chaintest.InMemory())(t)
	w.View(func(v *chain.View) {
		records := func(yield func(kv.Pair, error) bool) {
			for record, err := range chaintest.Copied(v.Records()) {
				if string(record.Key) == "contract_info" {
					record.Value = []byte(`{"contract":"crates.io:cw721-base","version":"0.23.0"}`)
				}
				if !yield(record, err) {
					return
				}
			}
		}
		chaintest.OK(t, imported.Import(chaintest.Genesis(), records, nil))
	})
	return imported
}

func TestWithoutARuleSetTheScreensShowTheRecordsAndJudgeNobody(t *testing.T) {
	const why = "there is no rule set for this contract"
	for _, size := range [][2]int{{60, 23}, {120, 36}} {
		d := uitest.On(t, ui.New, importedAsUnknown(t), size[0], size[1])

		d.To("Tokens")
		d.SeesIn(uitest.List, "ape")
		d.To("Approvals")
		d.SeesIn(uitest.List, "alice")
		d.DoesNotSee("really")

		d.To("Collection")
		d.UnderCursor("rule set")
		d.Sees("none is known", why)
		d.DoesNotSee("✓")
		d.Fits()

		d.To("Tokens")
		d.Press("w")
		d.SeesIn(uitest.Dialog, why)
	}
}
