package explain

import (
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/human"
)

// DescribeMove says in a few words how far the clock went at a node of the history:
// "clock +3 blocks to 1,105", "clock +2h 05m" where the height stayed, "6 s a
// block" for another pace.
func DescribeMove(n history.Node) string {
	from, to, ok := chain.ClocksOf(n)
	switch {
	case !ok:
		return "a move of the clock"
	case from.SecondsPerBlock != to.SecondsPerBlock:
		return fmt.Sprintf("%d s a block", to.SecondsPerBlock)
	case from.Height == to.Height:
		return "clock +" + human.Span(uint64(to.Time-from.Time))
	}
	return fmt.Sprintf("clock +%s to %s", human.Plural(uint64(to.Height-from.Height), "block"), human.Thousands(uint64(to.Height)))
}
