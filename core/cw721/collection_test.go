package cw721_test

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestAnUnreadableRecordIsCorruptAndNotARefusal(t *testing.T) {
	for key, query := range map[string]string{
		"\x00\x06tokens1":       `{"owner_of":{"token_id":"1"}}`,
		"cw721_collection_info": `{"get_all_info":{}}`,
		"collection_minter":     `{"minter":{}}`,
		"num_tokens":            `{"num_tokens":{}}`,
		"withdraw_address":      `{"get_withdraw_address":{}}`,
		"\x00\x1fcw721_collection_info_extensionimage": `{"contract_info":{}}`,
	} {
		for _, value := range []string{"", "{", "[]", `{"key":"image","value":"ey"}`} {
			w := newCollection(t, "1")
			w.mustExecute("creator", update("", `"description":"d"`))
			kvtest.OK(t, w.db.Update(func(txn kv.Txn) error { return txn.Set([]byte(key), []byte(value)) }))
			_, err := w.query(query)
			var corrupt *kv.CorruptError
			if !errors.As(err, &corrupt) || string(corrupt.Key) != key || cw721.AsError(err) != nil {
				t.Errorf("%q = %q gives %v", key, value, err)
			}
		}
	}
}

func TestTheRefusalOfAnExtensionNamesTheMissingAttribute(t *testing.T) {
	for _, key := range []string{"description", "image", "external_link", "explicit_content", "start_trading_time", "royalty_info"} {
		w := newCollection(t)
		w.mustExecute("creator", update("", `"description":"d"`))
		record := []byte("\x00\x1fcw721_collection_info_extension" + key)
		kvtest.OK(t, w.db.Update(func(txn kv.Txn) error { return txn.Delete(record) }))

		name := strings.ReplaceAll(key, "_", " ")
		w.expectQueryRefusal(`{"contract_info":{}}`, cw721.KindContract, "Missing "+name+" attribute")
	}
}
