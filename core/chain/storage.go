package chain

import "ephemera/core/kv"

// Storage gives the contract's records to read, keys as the contract has them.
// It holds as long as the view does.
func (v *View) Storage() kv.Reader { return v.contract }
