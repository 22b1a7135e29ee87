package persist_test

import (
	"os"
	"testing"

	"ephemera/core/cw721/cw721test"
	"ephemera/core/kv/kvtest"
	"ephemera/persist"
)

func TestEveryAnswerOnBadgerIsThatOfTheRealContracts(t *testing.T) {
	if testing.Short() {
		t.Skip("plays 780 cases one after the other")
	}
	t.Parallel()
	db := kvtest.Must(persist.Open(t.TempDir(), persist.Options{}))(t)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	cw721test.Run(t, os.DirFS("../core/cw721/testdata"), db)
}
