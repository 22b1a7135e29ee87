package lesson

import (
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/doctor"
)

func TestAMutantKeepsDerivedRecordsInStep(t *testing.T) {
	for _, l := range chaintest.Must(All())(t) {
		for _, misconception := range l.Misconceptions() {
			if misconception == "burn-keeps-count" {
				continue // a wrong derived record is what it believes in
			}
			w := chaintest.Must(l.openWorld(0, misconception))(t)

			for _, task := range l.Tasks {
				for _, step := range task.steps {
					if _, _, err := w.play(&step); err != nil {
						t.Fatalf("%s, %s, line %d: %v", l.ID, misconception, step.Line, err)
					}
				}
			}

			report := chaintest.Must(doctor.Run(w.chain, nil))(t)
			if len(report.Faults) > 0 {
				t.Errorf("%s, %s: %+v", l.ID, misconception, report)
			}
		}
	}
}
