package history

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestANameBelongsToOneNode(t *testing.T) {
	db := kv.NewMemory()
	kvtest.OK(t, db.Update(func(tx kv.Txn) error { return SetName(tx, "before the sale", 3) }))
	err := db.Update(func(tx kv.Txn) error { return SetName(tx, "before the sale", 4) })
	var taken *NameError
	if !errors.As(err, &taken) || !strings.Contains(taken.Error(), "in use, for node 3") {
		t.Errorf("naming another node: %v", err)
	}
	kvtest.OK(t, db.View(func(r kv.Reader) error {
		if id := kvtest.Must(Find(r, "before the sale"))(t); id != 3 {
			t.Errorf("the name is that of node %d", id)
		}
		return nil
	}))
}

func TestANodeYoungerThanTheYoungestIsReported(t *testing.T) {
	db := kv.NewMemory()
	kvtest.OK(t, db.Update(func(tx kv.Txn) error {
		var s State
		for range 2 {
			kvtest.Must(s.Append(tx, Node{Kind: KindExecute}, nil))(t)
		}
		s.Last = 1
		s.Head = 1
		return s.Save(tx)
	}))
	var problems []string
	kvtest.OK(t, db.View(func(r kv.Reader) error {
		return Check(r, func() {}, func(problem string) { problems = append(problems, problem) })
	}))
	if all := strings.Join(problems, "\n"); !strings.Contains(all, "node 2 is younger than the youngest, 1") {
		t.Errorf("reported: %q", all)
	}
}
