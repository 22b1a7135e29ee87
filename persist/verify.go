package persist

// Verify reads every table from end to end against its checksums, which
// opening does not, and Badger not at all. progress, which can be nil, is told
// after each table. It fails with a [*DamagedError], a [*DirError], or with
// [kv.ErrClosed].
func (d *DB) Verify(progress func(done, of int)) error {
	if err := d.gate.enter(); err != nil {
		return err
	}
	defer d.gate.leave()
	_, damage, err := d.brokenTable(progress)
	if damage != nil {
		return damage
	}
	return err
}
