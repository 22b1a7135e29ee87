package chain_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/doctor"
	"ephemera/core/kv"
)

// given is a grant and the block of the message that gave it.
type given struct {
	expires cw721.Expiration
	block   cw721.Block
}

// grantsByMessages works out from the messages in force when each approval and each operator
// was given. The key is the kind, the token, the owner (of an operator only) and the spender.
func grantsByMessages(t Tester, view *chain.View) map[[4]string]given {
	var inForce []history.Node // the newest first
	for id := view.Head; id != 0; {
		node := Must(view.Node(id))(t)
		inForce = append(inForce, node)
		id = node.Parent
	}
	grants := map[[4]string]given{}
	give := func(node history.Node, key [4]string, expires *cw721.Expiration) {
		end := cw721.Expiration{}
		if expires != nil {
			end = *expires
		}
		if old, exists := grants[key]; !exists || old.expires != end { // the same again changes nothing
			grants[key] = given{end, node.Block()}
		}
	}
	dropToken := func(id string) {
		for key := range grants {
			if key[0] == "approval" && key[1] == id {
				delete(grants, key)
			}
		}
	}
	for i := len(inForce) - 1; i >= 0; i-- {
		node := inForce[i]
		if node.Kind != history.KindExecute || node.Refusal != nil {
			continue
		}
		switch msg := Must(view.DecodeExecute([]byte(node.Message)))(t).(type) {
		case *cw721.Approve:
			give(node, [4]string{"approval", msg.TokenID, "", string(msg.Spender)}, msg.Expires)
		case *cw721.Revoke:
			delete(grants, [4]string{"approval", msg.TokenID, "", string(msg.Spender)})
		case *cw721.TransferNft:
			dropToken(msg.TokenID)
		case *cw721.SendNft:
			dropToken(msg.TokenID)
		case *cw721.Burn:
			dropToken(msg.TokenID)
		case *cw721.ApproveAll:
			give(node, [4]string{"operator", "", string(node.Sender), string(msg.Operator)}, msg.Expires)
		case *cw721.RevokeAll:
			delete(grants, [4]string{"operator", "", string(node.Sender), string(msg.Operator)})
		}
	}
	return grants
}

func TestAGrantsLifeBeginsWithTheLastMessageInForceThatSetIt(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := NewWalker(r, kv.NewMemory(), nil)
		steps := w.Steps()
		steps["batch"] = func(*rapid.T) {
			first := history.ID(0)
			for range 3 {
				receipt, err := w.C.ExecuteInBatch(first, Address(w.Who()), []byte(`{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":9999}}}`))
				OK(r, err)
				if first == 0 {
					first = receipt.Node
				}
			}
		}
		delete(steps, "execute more") // its nodes are counted by the walker; batches are not
		for _, name := range []string{"goto", "look", "snapshot", "rename or delete", "undo", "redo"} {
			delete(steps, name)
		}
		steps["undo any"] = func(*rapid.T) { _, _ = w.C.Undo(1) }
		steps["redo any"] = func(*rapid.T) { _, _ = w.C.Redo(1) }
		steps["goto any"] = func(*rapid.T) {
			_, _ = w.C.Goto(w.Pick("node", "3", "5", "8", "13", "21"))
		}
		steps[""] = func(*rapid.T) {
			w.View(func(view *chain.View) {
				want := grantsByMessages(r, view)
				for entry, err := range view.Grants(expiry.Index{}) {
					OK(r, err)
					if entry.Kind != cw721.GrantApproval && entry.Kind != cw721.GrantOperator {
						continue
					}
					key := [4]string{"approval", entry.Token, "", string(entry.Spender)}
					if entry.Kind == cw721.GrantOperator {
						key = [4]string{"operator", "", string(entry.Owner), string(entry.Spender)}
					}
					if got := (given{entry.Expires, entry.GrantedAt}); got != want[key] {
						r.Fatalf("%v began in %+v, expected %+v", key, got, want[key])
					}
					if single := Must(view.WithBlock(entry.Grant))(r); single != entry {
						r.Fatalf("alone it is %+v, in the list %+v", single, entry)
					}
					delete(want, key)
				}
				if len(want) > 0 {
					r.Fatalf("not in the index: %v", want)
				}
			})
		}
		r.Repeat(steps)
	})
}

// blocksOf returns the blocks in which the grants of a collection were given, by spender.
func blocksOf(w *World) map[string]cw721.Height {
	blocks := map[string]cw721.Height{}
	w.View(func(v *chain.View) {
		for entry, err := range v.Grants(expiry.Index{}) {
			OK(w.T, err)
			blocks[v.DisplayName(entry.Spender)] = entry.GrantedAt.Height
			Same(w.T, "the entry alone", entry, Must(v.WithBlock(entry.Grant))(w.T))
		}
	})
	return blocks
}

func TestItIsNotKnownWhenImportedGrantsWereGiven(t *testing.T) {
	w := Blank(t, Memory(t))
	OK(t, w.C.Import(Genesis(), yieldAll(sampleRecords(t)), nil))
	Must(w.C.AddAccount("dave", "", ""))(t)
	w.Do("bob", `{"approve_all":{"operator":"$dave"}}`)
	height := w.Clock().Height
	want := map[string]cw721.Height{"alice": 0, "bob": 0, "carol": 0, "dave": height}
	Same(t, "the beginnings", want, blocksOf(w))

	// Given again, a grant begins anew, and after undo its beginning is not known again.
	w.Do("alice", `{"approve":{"spender":"$bob","token_id":"0","expires":{"at_height":106}}}`)
	want["bob"] = height
	Same(t, "after another approval", want, blocksOf(w))
	Must(w.C.Undo(1))(t)
	want["bob"] = 0
	Same(t, "after undo", want, blocksOf(w))
	if report := Must(doctor.Run(w.C, nil))(t); !report.IsClean() {
		t.Errorf("%+v", report)
	}
}

// makeOlder makes a store as older programs did, which does not say that grants have dates,
// and whose imported grants have the block of the import.
func makeOlder(t *testing.T, w *World) {
	clock := w.Clock()
	changed := 0
	for key, value := range w.Everything() {
		if key == "mdates_grants" {
			changed++
			OK(t, w.DB.Update(func(txn kv.Txn) error { return txn.Delete([]byte(key)) }))
			continue
		}
		older := value
		if key[0] == 'a' && strings.HasPrefix(value, string(make([]byte, 16))) {
			older = string(stamp(clock.Block())) + value[16:]
		}
		if older == value {
			continue
		}
		changed++
		OK(t, w.DB.Update(func(txn kv.Txn) error { return txn.Set([]byte(key), []byte(older)) }))
	}
	if changed == 0 {
		t.Fatal("nothing of the store is newer")
	}
	w.C = Must(chain.Open(w.DB))(t)
}

// stamp returns the height and the time of a block in eight bytes each.
func stamp(block cw721.Block) []byte {
	var text bytes.Buffer
	for _, number := range []uint64{uint64(block.Height), uint64(block.Time)} {
		for shift := 56; shift >= 0; shift -= 8 {
			text.WriteByte(byte(number >> shift))
		}
	}
	return text.Bytes()
}

func TestAnOlderImportDoesNotPassForTheBeginningOfItsGrants(t *testing.T) {
	w := Blank(t, Memory(t))
	OK(t, w.C.Import(Genesis(), yieldAll(sampleRecords(t)), nil))
	makeOlder(t, w)
	Must(w.C.AddAccount("dave", "", ""))(t)
	w.Do("bob", `{"approve_all":{"operator":"$dave"}}`) // in the block of the import, so nobody can tell
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	w.Do("bob", `{"approve_all":{"operator":"$creator"}}`)
	want := map[string]cw721.Height{"alice": 0, "bob": 0, "carol": 0, "dave": 0, "creator": w.Clock().Height}
	Same(t, "the beginnings", want, blocksOf(w))
	if report := Must(doctor.Run(w.C, nil))(t); !report.IsClean() {
		t.Errorf("%+v", report)
	}

	// A pruned history may have begun with an import.
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	Must(w.C.AddAccount("erin", "", ""))(t)
	w.Do("alice", `{"approve_all":{"operator":"$erin"}}`)
	Must(w.C.Prune(2))(t)
	want["erin"] = w.Clock().Height
	want["creator"] = 0
	Same(t, "after pruning", want, blocksOf(w))
}

func TestAnOlderCollectionThatWasNotImportedKeepsTheBeginnings(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	Must(w.C.Advance(chain.ClockStep{Blocks: 4}))(t)
	w.Do("alice", `{"approve":{"spender":"$bob","token_id":"1"}}`)
	want := blocksOf(w)
	makeOlder(t, w)
	Same(t, "the beginnings", want, blocksOf(w))
	Same(t, "bob's", w.Clock().Height, want["bob"])
}

func TestOlderProgramsCanReadTheConfigOfANewCollection(t *testing.T) {
	imported := Blank(t, Memory(t))
	OK(t, imported.C.Import(Genesis(), yieldAll(sampleRecords(t)), nil))
	for name, w := range map[string]*World{"imported": imported, "new": New(t)} {
		var config map[string]any
		OK(t, json.Unmarshal([]byte(w.Everything()["mconfig"]), &config))
		members := slices.Sorted(maps.Keys(config))
		Same(t, name, []string{"about", "flavour", "prefix", "record", "rules", "self"}, members)
	}
}
