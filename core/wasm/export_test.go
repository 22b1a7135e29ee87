package wasm

// Forget gives up the instances that are kept for the next calls.
func (c *Contract) Forget() {
	for range len(c.idle) {
		c.drop(<-c.idle)
	}
}
