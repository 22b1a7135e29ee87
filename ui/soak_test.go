package ui

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/doctor"
	"ephemera/core/kv/kvtest"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// What is done for hours leaves the database whole, and the memory as it was:
// the history is kept short, so all that could grow is a leak.
func TestALongSessionLeavesTheDatabaseSoundAndLeaksNoMemory(t *testing.T) {
	steps := kvtest.Many(500) // messages, clock moves and undos
	c := uitest.Fixture(t)
	d := uitest.On(t, New, c, 100, 30)
	rng := rand.New(rand.NewPCG(1, 2))
	var early uint64
	for i := range steps {
		soak(d, rng)
		if i%50 == 0 {
			d.Fits()

			d.Wait()
		}
		if i%500 == 499 {
			chaintest.Must(c.Prune(200))(t)
		}
		if i == steps/10 {
			early = live()
		}
	}
	late := live()
	if report, err := doctor.Run(c, nil); err != nil || !report.IsClean() {
		t.Errorf("after %d steps the database is not whole: %v, %v", steps, report.Faults, err)
	}
	// A leak of a hundred bytes a step would be ten megabytes at a hundred thousand.
	if late > early+8<<20 {
		t.Errorf("%d bytes are in use after %d steps, %d were after a tenth of them", late, steps, early)
	}
	runtime.KeepAlive(d)
	t.Logf("%d steps, %d bytes in use after a tenth, %d at the end", steps, early, late)
}

// live is the memory in use after a collection.
func live() uint64 {
	runtime.GC()
	runtime.GC() // finalisers of the first free more
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// soak does one thing that a person could do.
func soak(d *uitest.Driver, rng *rand.Rand) {
	d.T.Helper()
	token := func() string { return fmt.Sprintf("ape-%02d", rng.IntN(40)) }
	who := []string{"alice", "bob", "carol", "dave", "erin", "minter"}
	someone := func() string { return who[rng.IntN(len(who))] }
	send := func(format string, args ...any) {
		d.Run(app.ExecuteAs(d.Model.State(), nil, chaintest.Address(someone()), fmt.Appendf(nil, format, args...)))
	}
	switch rng.IntN(14) {
	case 0, 1:
		send(`{"approve":{"token_id":%q,"spender":"$%s","expires":{"at_height":%d}}}`, token(), someone(), uint64(d.Model.State().Clock.Height)+rng.Uint64N(30))
	case 2:
		send(`{"approve_all":{"operator":"$%s","expires":{"at_height":%d}}}`, someone(), uint64(d.Model.State().Clock.Height)+rng.Uint64N(30))
	case 3:
		send(`{"transfer_nft":{"token_id":%q,"recipient":"$%s"}}`, token(), someone())
	case 4:
		send(`{"mint":{"token_id":%q,"owner":"$%s"}}`, token(), someone())
	case 5:
		send(`{"burn":{"token_id":%q}}`, token())
	case 6:
		send(`{"revoke":{"token_id":%q,"spender":"$%s"}}`, token(), someone())
	case 7:
		send(`{"nonsense":%d}`, rng.IntN(10))
	case 8:
		d.Press([]string{".", ">", "e", "E"}[rng.IntN(4)])
	case 9, 10:
		d.Press("u")
	case 11:
		d.Press("U")
	case 12:
		d.Press(fmt.Sprint(1 + rng.IntN(len(root(d).screens.all))))
	default:
		d.Press([]string{"j", "k", "G", "g", "s", "x", "tab", "f"}[rng.IntN(8)])
	}
}
