package wasm_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

// model is a record of a contract's storage, as chains print it.
type model struct{ Key, Value string }

func models(t *testing.T, file string) (all []model) {
	var state struct{ Models []model }
	kvtest.OK(t, json.Unmarshal(readFile(t, file), &state))
	return state.Models
}

// EPHEMERA_OLDER names the directory with the storage before and after real migrations.
func TestEveryRecordedMigrationOfTheVMIsRepeated(t *testing.T) {
	binaries, dir := contractsDir(t), os.Getenv("EPHEMERA_OLDER")
	if dir == "" {
		t.Skip("EPHEMERA_OLDER names no folder with migrations")
	}
	pairs, _ := filepath.Glob(filepath.Join(dir, "pairs", "*-0.1*"))
	if len(pairs) == 0 {
		t.Fatal("no pairs")
	}
	cache := t.TempDir()
	for _, pair := range pairs {
		t.Run(filepath.Base(pair), func(t *testing.T) {
			var meta struct {
				To       struct{ Wasm string }
				Contract string
				Prefix   string `json:"bech32_prefix"`
				Migrate  struct {
					Height  uint64
					Time    string
					Message json.RawMessage
					Answer  struct {
						Ok struct{ Attributes []wasm.Attribute }
					}
				}
			}
			kvtest.OK(t, json.Unmarshal(readFile(t, filepath.Join(pair, "meta.json")), &meta))
			c, err := wasm.Load(context.Background(), readFile(t, filepath.Join(binaries, meta.To.Wasm)), wasm.Options{Prefix: meta.Prefix, CacheDir: cache})
			kvtest.OK(t, err)
			defer c.Close()
			w := &world{TB: t, Contract: c, db: kv.NewMemory(), env: wasm.Env{Height: meta.Migrate.Height, Self: meta.Contract}}
			w.env.Time, _ = strconv.ParseUint(meta.Migrate.Time, 10, 64)
			var got wasm.Response
			err = w.db.Update(func(txn kv.Txn) error {
				for _, m := range models(t, filepath.Join(pair, "before.json")) {
					key, _ := hex.DecodeString(m.Key)
					value, _ := base64.StdEncoding.DecodeString(m.Value)
					if err := txn.Set(key, value); err != nil {
						return err
					}
				}
				got, err = c.Migrate(txn, w.env, "", meta.Migrate.Message)
				return err
			})
			kvtest.OK(t, err)
			if diff := cmp.Diff(meta.Migrate.Answer.Ok.Attributes, got.Attributes); diff != "" {
				t.Errorf("attributes (-VM +host):\n%s", diff)
			}
			var after []model
			for _, record := range w.dump() {
				after = append(after, model{strings.ToUpper(record[0]), base64.StdEncoding.EncodeToString([]byte(record[1]))})
			}
			if diff := cmp.Diff(models(t, filepath.Join(pair, "after.json")), after); diff != "" {
				t.Errorf("storage (-VM +host):\n%s", diff)
			}
		})
	}
}
