package chain

import (
	"iter"

	"ephemera/core/kv"
)

// Records is a walk over a contract's storage, keys as the contract has them:
// what [View.Records] gives and [Chain.Import] takes. It has a name so that
// whoever hands it on need not know the store.
type Records = iter.Seq2[kv.Pair, error]
