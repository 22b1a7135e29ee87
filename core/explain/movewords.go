package explain

import (
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/human"
)

// DescribeMove describes a move of the clock that the history recorded: "clock +3 blocks
// to 1,105", "clock +2h 05m" if the height stayed the same, "6 s a block" if the seconds
// per block changed. It returns "a move of the clock" for a record that cannot be read.
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
	blocks := human.Plural(uint64(to.Height-from.Height), "block")
	return fmt.Sprintf("clock +%s to %s", blocks, human.Thousands(uint64(to.Height)))
}
