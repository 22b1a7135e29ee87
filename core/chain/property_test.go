package chain_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	. "ephemera/core/chain/chaintest"
	"ephemera/core/doctor"
	"ephemera/core/kv"
)

func TestRandomStepsLeaveAConsistentStoreAndEveryNodeReachable(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := NewWalker(r, kv.NewMemory(), nil)
		r.Repeat(w.Steps())
		if report := Must(doctor.Run(w.C, nil))(r); !report.IsClean() {
			r.Fatalf("%+v", report)
		}
		w.EveryNode()
	})
}

func TestRandomStepsOnDiskAreThereAfterClosingAndOpening(t *testing.T) {
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		if runs > 8 {
			return // a disk is slow, and the test in memory makes more runs
		}
		dir := filepath.Join(t.TempDir(), fmt.Sprint(runs))
		db := openOnDisk(t, dir)
		defer func() { OK(t, db.Close()) }()
		w := NewWalker(r, db, func() kv.DB {
			OK(r, db.Close())
			db = openOnDisk(t, dir)
			return db
		})
		r.Repeat(w.Steps())
		w.EveryNode()
	})
}
