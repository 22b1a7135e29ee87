package lessons

import "ephemera/ui/widget"

// Hidden counts the lines of a task that its box has no room for.
func (t *TaskDialog) Hidden() widget.Hidden { return t.scroll.Hidden() }
