package lesson

import (
	"bytes"
	"embed"
	"path"
)

//go:embed lessons/*.yaml
var files embed.FS

const folder = "lessons"

// All reads the lessons that come with the program, in the order in which they
// build on each other. It fails only where one of them is no lesson, which a
// test keeps from happening.
func All() ([]Lesson, error) {
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	all := make([]Lesson, 0, len(entries))
	for _, e := range entries {
		raw, err := files.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		l, err := Read(e.Name(), bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}
