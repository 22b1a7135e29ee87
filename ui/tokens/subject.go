package tokens

import (
	"ephemera/ui/app"
)

// Subject is the token under the cursor.
func (t *Screen) Subject() app.Subject {
	row, ok := t.Table.Cursor()
	if !ok {
		return app.Subject{}
	}
	return app.Subject{Token: &row.Key}
}
