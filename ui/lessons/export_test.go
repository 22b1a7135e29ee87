package lessons

import "ephemera/ui/widget"

// HiddenCounts counts the lines of a task that its box has no room for.
func (t *TaskDialog) Hidden() widget.HiddenCounts { return t.scroll.Hidden() }
