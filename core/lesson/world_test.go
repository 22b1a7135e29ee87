package lesson

import (
	"testing"

	"ephemera/core/check"
)

// Whatever a lie does, what is derived from the contract's records stays in step
// with them.
func TestALyingContractLeavesASoundCollection(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		for _, lie := range Misconceptions() {
			w, err := l.world(0, lie)
			if err != nil {
				t.Fatal(err)
			}
			for _, task := range l.Tasks {
				for _, s := range task.steps {
					if _, _, err := w.play(&s); err != nil {
						t.Fatalf("%s, %s, line %d: %v", l.ID, lie, s.Line, err)
					}
				}
			}
			report, err := check.Run(w.chain, nil)
			if err != nil || len(report.Faults) > 0 {
				t.Errorf("%s, %s: %+v, %v", l.ID, lie, report, err)
			}
		}
	}
}
