package form

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Fill fills a file, and returns what it has done in words. Without replace it
// fails with [fs.ErrExist] if the file exists. It runs in a command.
type Fill func(e app.Engine, path string, replace bool) (said string, err error)

// NewFile returns a form that asks for the name of a file and fills it. read turns
// the values of the other fields into the function that does so; like build of
// [NewAction], it runs in Update. An existing file is replaced only if the user
// says so in a field that appears then.
func NewFile(title, example, hint string, read func(values map[string]string, out *Result) Fill, others ...widget.Field) *Action {
	fields := []widget.Field{
		{Name: "file", Label: "File", Placeholder: example, Hint: hint},
		{Name: "replace", Label: "Replace it", Kind: widget.ToggleField, Hidden: true, Hint: "space changes it; the old content is then lost"},
	}

	// The name must be given. What is written depends on the other fields.
	build := func(_ *app.State, values map[string]string) (out Result) {
		path := strings.TrimSpace(values["file"])
		replace := values["replace"] == "true"
		if path == "" {
			out.Fail("file", "file: expected the name of a file, like "+example)
		}
		fill := read(values, &out)
		out.Read = func(e app.Engine) Done { return fillFile(e, fill, path, replace) }
		return out
	}
	f := NewAction(title, build, append(fields, others...)...)
	f.Verb = "write it"
	f.Working = func() string { return "writing" + themes.GlyphEllipsis }

	// The permission to replace a file is for the name that it was given for.
	f.Change = func(f *widget.Form, field string) {
		if field == "file" {
			f.Show("replace", false)
			f.SetValue("replace", "false")
		}
	}
	return f
}

// fillFile calls fill for a file, and returns the outcome for the form: a notice, or an
// error under the field with the name. If the file exists and replace is false, the form
// also shows the field that allows replacing it.
func fillFile(e app.Engine, fill Fill, path string, replace bool) Done {
	said, err := fill(e, path, replace)
	if errors.Is(err, fs.ErrExist) {
		return Done{
			Err:       fmt.Errorf("%s exists already; choose another name, or replace it below", path),
			Field:     "file",
			ShowField: "replace",
		}
	}
	return Done{Err: err, Field: "file", Then: app.Notify(app.LevelGood, said)}
}
