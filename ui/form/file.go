package form

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// WriteFile writes a file, and returns a notice that says what it has done. If the file
// exists and replace is false, it fails with [fs.ErrExist]. It runs in a command.
type WriteFile func(e app.Engine, path string, replace bool) (said string, err error)

// NewFile returns a form that asks for the name of a file, which example is unless the user
// types another, and writes the file. If the file exists, a field appears in which the user can
// allow replacing it.
//
// prepareWrite adds the problems of the values to the result, and returns the function that
// writes the file. Like build of [NewAction], it runs in Update after every change.
func NewFile(
	title, example, hint string,
	prepareWrite func(values map[string]string, result *Result) WriteFile,
	otherFields ...widget.Field,
) *Action {
	fields := []widget.Field{
		{Name: "file", Label: "File", Placeholder: example, Hint: hint},
		{
			Name:   "replace",
			Label:  "Replace it",
			Kind:   widget.ToggleField,
			Hidden: true,
			Hint:   "space changes it; the old content is then lost",
		},
	}
	fields = append(fields, otherFields...)

	action := NewAction(title, func(_ *app.State, values map[string]string) (result Result) {
		path := cmp.Or(strings.TrimSpace(values["file"]), example)
		values["file"] = path
		mayReplace := values["replace"] == "true"
		write := prepareWrite(values, &result)
		result.Read = func(engine app.Engine) WorkOutcome {
			notice, err := write(engine, path, mayReplace)
			if errors.Is(err, fs.ErrExist) {
				return WorkOutcome{
					Err:       fmt.Errorf("%s exists already; choose another name, or replace it below", path),
					Field:     "file",
					ShowField: "replace",
				}
			}
			return WorkOutcome{Err: err, Field: "file", Then: app.Notify(app.LevelGood, notice)}
		}
		return result
	}, fields...)
	action.Verb = "write it"
	action.ProgressText = func() string { return "writing" + themes.GlyphEllipsis }

	// The permission to replace was for the file of the old name.
	action.OnChange = func(f *widget.Form, field string) {
		if field == "file" {
			f.SetShown("replace", false)
			f.SetValue("replace", "false")
		}
	}
	return action
}
