package wasm

// Forget gives up the instances that are kept for the next calls.
func (c *Contract) Forget() {
	for _, in := range c.idle {
		c.drop(in)
	}
	c.idle = nil
}
