package lessons

// Done tells that the learner may go on.
func (r *Run) Done() bool {
	return r.Checked && r.Check.Done && r.Session.Asks() == nil
}
