package cw721_test

import (
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// oldCollections has a collection in each layout: the records in which the layouts differ,
// by the releases that have the layout. In each collection alice is the minter. In those
// that have the record ownership, the role is offered to bob.
var oldCollections = map[string]map[string]string{
	"cw721 0.16 or earlier": {"nft_info": `{"name":"Apes","symbol":"APE"}`, "minter": `"alice"`},
	"cw721 0.17 or 0.18":    {"nft_info": `{"name":"Apes","symbol":"APE"}`, "ownership": `{"owner":"alice","pending_owner":"bob","pending_expiry":null}`},
	"cw721 0.19 or later": { // migrated from 0.16: a migration deletes nothing
		"nft_info": `{"name":"Old","symbol":"OLD"}`, "minter": `"zoe"`,
		"cw721_collection_info": `{"name":"Apes","symbol":"APE","updated_at":"1"}`,
		"collection_minter":     `{"owner":"alice","pending_owner":null,"pending_expiry":null}`,
		"ownership":             `{"owner":"carol","pending_owner":"bob","pending_expiry":null}`,
	},
}

// storeOf returns a store with some records and a contract_info that names no release.
func storeOf(t *testing.T, records map[string]string) kv.DB {
	t.Helper()
	store := kv.NewMemory()
	kvtest.OK(t, store.Update(func(txn kv.Txn) error {
		kvtest.OK(t, txn.Set([]byte("contract_info"), []byte(`{"contract":"mine","version":"9"}`)))
		for key, value := range records {
			kvtest.OK(t, txn.Set([]byte(key), []byte(value)))
		}
		return nil
	}))
	return store
}

// layoutOf finds the layout of one of the oldCollections.
func layoutOf(t *testing.T, releases string) (layout *cw721.Layout) {
	t.Helper()
	kvtest.OK(t, storeOf(t, oldCollections[releases]).View(func(r kv.Reader) (err error) {
		layout, _, err = cw721.FindLayout(r)
		return err
	}))
	return layout
}

func TestTheRecordsDecideWhichLayoutACollectionHas(t *testing.T) {
	for releases, records := range oldCollections {
		store := storeOf(t, records)
		kvtest.OK(t, store.View(func(r kv.Reader) error {
			// when
			layout, ok, err := cw721.FindLayout(r)
			if err != nil || !ok || layout.Releases != releases {
				t.Fatalf("%s: %+v, %v, %v", releases, layout, ok, err)
			}
			c, exists, err := layout.LoadCollection(r)

			// then
			if err != nil || !exists || c.Name != "Apes" || c.Symbol != "APE" || *c.Minter.Owner != "alice" {
				t.Errorf("%s: %+v, %v, %v", releases, c, exists, err)
			}
			if hasCreator := c.Creator.Owner != nil; hasCreator != layout.HasCreator() {
				t.Errorf("%s: the creator is %v", releases, c.Creator.Owner)
			}
			return nil
		}))
	}
}

func TestTheOfferInTheRecordOwnershipIsTheMintersBefore019(t *testing.T) {
	wantKinds := map[string]cw721.GrantKind{
		"cw721 0.17 or 0.18":  cw721.GrantMinterOffer,
		"cw721 0.19 or later": cw721.GrantCreatorOffer,
	}
	for releases, want := range wantKinds {
		layout := layoutOf(t, releases)
		record := oldCollections[releases]["ownership"]
		grants, err := layout.DecodeGrants([]byte("ownership"), []byte(record))
		if err != nil || len(grants) != 1 || grants[0].Kind != want || grants[0].Spender != "bob" {
			t.Errorf("%s: %+v, %v", layout.Releases, grants, err)
		}
		role, before, _, ok := layout.RoleChange([]byte("ownership"), []byte(record), nil)
		if !ok || string(role)+" offer" != string(want) || *before.PendingOwner != "bob" {
			t.Errorf("%s: %s, %+v", layout.Releases, role, before)
		}
		if name := layout.RecordName([]byte("ownership")); name != string(role) {
			t.Errorf("%s: the record is named %s", layout.Releases, name)
		}
	}
}
