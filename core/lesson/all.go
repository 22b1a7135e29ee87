package lesson

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed lessons/*.yaml
var files embed.FS

const folder = "lessons"

// All reads the lessons that come with the program, in the order in which they
// build on each other. It fails only where one of them is no lesson, which a
// test keeps from happening.
func All() ([]Lesson, error) {
	all, err := builtIn()
	return slices.Clone(all), err
}

var builtIn = sync.OnceValues(func() ([]Lesson, error) {
	ours, err := fs.Sub(files, folder)
	if err != nil {
		return nil, err
	}
	all, err := ReadFolder(ours)
	for i := range all {
		all[i].ID = strings.TrimSuffix(all[i].ID, path.Ext(all[i].ID))
	}
	return all, err
})

// ReadFolder reads the lessons of a folder, .yaml files by name. Those that can be read
// are given beside the errors of the others.
func ReadFolder(folder fs.FS) (all []Lesson, err error) {
	names, err := fs.Glob(folder, "*.yaml")
	faults := []error{err}
	for _, name := range names {
		var l Lesson
		raw, err := fs.ReadFile(folder, name)
		if err == nil {
			l, err = Read(name, bytes.NewReader(raw))
		}
		if err == nil {
			all = append(all, l)
		}
		faults = append(faults, err)
	}
	return all, errors.Join(faults...)
}

//go:embed skeleton.yaml
var skeleton string

// Skeleton is a lesson to begin one's own with. It can be played as it is.
func Skeleton() string { return skeleton }
