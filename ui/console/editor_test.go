package console

import (
	"testing"
	"time"

	"ephemera/ui/uitest"
)

func TestTheEditorSurvivesEveryKeyAtAnyPlace(t *testing.T) {
	for _, text := range []string{"", "   ", " \n a", "a b", "{\n\n}"} {
		for _, key := range uitest.EveryKey {
			for left := range len(text) + 1 {
				e := newEditor()
				e.setText(text)
				for range left {
					e.update(uitest.Key("left"))
				}
				watchdog := time.AfterFunc(2*time.Minute, func() { panic("the editor hangs after " + key) })
				e.update(uitest.Key(key))
				watchdog.Stop()
			}
		}
	}
}
