package lessons

import (
	"time"

	"ephemera/core/lesson"
)

// Run is a lesson that is being played.
type Run struct {
	Session *lesson.Session
	Check   lesson.Check
	Checked bool      // check is of the task in hand
	Since   time.Time // up to which the time is spent
}

// Spend adds the time since it was asked last to the task in hand.
func (r *Run) Spend(now time.Time) {
	r.Session.Spent(now.Sub(r.Since))
	r.Since = now
}

// CheckMsg brings how far the task in hand is.
type CheckMsg struct {
	Session  *lesson.Session
	Task     int
	Revision uint64
	Check    lesson.Check
}

// Done tells that the learner may go on.
func (r *Run) Done() bool {
	return r.Checked && r.Check.Done && r.Session.Asks() == nil
}
