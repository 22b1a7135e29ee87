package ui

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ephemera/core/kv/kvtest"
	"ephemera/ui/uitest"
)

// No key ends the explorer or keeps it busy forever: every command is run, and what it opens
// gets keys of all kinds, in all its fields. At full length, a command that several screens have
// is run on each.
func TestNoKeyEndsTheExplorer(t *testing.T) {
	t.Chdir(t.TempDir()) // for files that some dialogs write
	t.Setenv("EDITOR", "")
	t.Setenv("VISUAL", "")
	rounds := kvtest.Many(1)
	wasRun := map[string]bool{} // by the name of the command, or its label
	pressed := 0
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 3))
		for screen := range screenCount {
			for command := 0; ; command++ {
				d := uitest.On(t, New, uitest.Fixture(t), 100, 30)
				d.Press(fmt.Sprint(screen + 1))
				commands := root(d).Commands()
				if command == len(commands) {
					break
				}
				label := commands[command].Binding.Help().Desc
				id := commands[command].Name + ", " + label
				if commands[command].Do == nil || wasRun[id] && kvtest.Times() == 1 {
					continue
				}
				wasRun[id] = true
				name := root(d).screens.all[screen].Name() + ": " + label
				d.Run(commands[command].Do())
				for i := 0; i < 40 && !d.Quit; i++ {
					key := uitest.EveryKey[rng.IntN(len(uitest.EveryKey))]
					if i%8 == 7 { // to the next field
						key = "tab"
					}
					pressKey(d, name, key)
					pressed++
				}
				if !d.Quit {
					d.Fits()
				}
			}
		}
	}
	t.Logf("%d keys after %d commands", pressed, len(wasRun))
	if len(wasRun) < 60 {
		t.Errorf("only %d commands were run", len(wasRun))
	}
}

// screenCount is the number of screens, each with the key of its number.
const screenCount = 8

// pressKey presses a key, and names it if the explorer panics or does not come back.
func pressKey(d *uitest.Driver, place, key string) {
	defer func() {
		if problem := recover(); problem != nil {
			panic(fmt.Sprintf("%s, key %q: %v", place, key, problem))
		}
	}()
	watchdog := time.AfterFunc(2*time.Minute, func() {
		panic(fmt.Sprintf("%s, key %q: the explorer does not come back", place, key))
	})
	defer watchdog.Stop()
	d.Press(key)
}
