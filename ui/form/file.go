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

// Fill fills a file of that name, and says what it has done. Without replace it
// fails with [fs.ErrExist] where there is one. It runs in a command.
type Fill func(e app.Engine, path string, replace bool) (said string, err error)

// NewFile makes a form that asks for the name of a file, which it has to fill. read
// says what will be written, of what was typed, as the build of [NewAction] does. A
// file that is there already is only replaced when that is asked for; what cannot be
// written keeps the form open with what was typed.
func NewFile(title, like, hint string, read func(values map[string]string, out *Result) Fill, more ...widget.Field) *Action {
	fields := []widget.Field{
		{Name: "file", Label: "File", Placeholder: like, Hint: hint},
		{Name: "replace", Label: "Replace it", Kind: widget.ToggleField, Hidden: true, Hint: "space changes it; what the file holds now is then lost"},
	}
	f := NewAction(title, func(_ *app.State, v map[string]string) (out Result) {
		path, replace := strings.TrimSpace(v["file"]), v["replace"] == "true"
		if path == "" {
			out.Problems = []Problem{{Field: "file", Text: "file: expected the name of a file, like " + like}}
		}
		fill := read(v, &out)
		out.Read = func(e app.Engine) Done {
			said, err := fill(e, path, replace)
			if errors.Is(err, fs.ErrExist) {
				return Done{Err: fmt.Errorf("%s is there already; choose another name, or replace it below", path), Field: "file", Show: "replace"}
			}
			return Done{Err: err, Field: "file", Then: app.Notify(app.LevelGood, said)}
		}
		return out
	}, append(fields, more...)...)
	f.Verb = "write it"
	f.Working = func() string { return "writing" + themes.GlyphEllipsis }
	f.Change = func(f *widget.Form, field string) {
		if field == "file" {
			f.Show("replace", false)
			f.SetValue("replace", "false")
		}
	}
	return f
}
