package lesson

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed lessons/*.yaml challenges/*.yaml
var files embed.FS

// All returns the built-in lessons in the order of the course. It fails only if a
// built-in file is not a valid lesson, which a test rules out.
func All() ([]Lesson, error) {
	all, err := builtIn()
	return slices.Clone(all), err
}

// builtIn and builtInChallenges return the lessons of one folder of the embedded files. They
// read the files at the first call, and return the same slice at every later call.
var (
	builtIn           = sync.OnceValues(func() ([]Lesson, error) { return readBuiltIn("lessons") })
	builtInChallenges = sync.OnceValues(func() ([]Lesson, error) { return readBuiltIn("challenges") })
)

// readBuiltIn reads the lessons in one folder of the embedded files. The ID of a built-in
// lesson is its file name without the extension: "01-owner" for 01-owner.yaml.
func readBuiltIn(folder string) ([]Lesson, error) {
	lessonFiles, err := fs.Sub(files, folder)
	if err != nil {
		return nil, err
	}

	all, err := ReadFolder(lessonFiles)
	for i := range all {
		all[i].ID = strings.TrimSuffix(all[i].ID, path.Ext(all[i].ID))
	}
	return all, err
}

// ReadFolder reads the .yaml files of a folder as lessons, sorted by file name. It returns
// the valid lessons, and one error that joins the errors of all other files. So one broken
// file does not hide the valid lessons.
func ReadFolder(folder fs.FS) ([]Lesson, error) {
	names, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}

	var lessons []Lesson
	var errs []error
	for _, name := range names {
		lesson, err := readFile(folder, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lessons = append(lessons, lesson)
	}
	return lessons, errors.Join(errs...)
}

// readFile reads the lesson in one file of a folder. It fails if the file cannot be read, or
// if it is not a valid lesson.
func readFile(folder fs.FS, name string) (Lesson, error) {
	file, err := folder.Open(name)
	if err != nil {
		return Lesson{}, err
	}
	defer file.Close()
	return Read(name, file)
}

//go:embed skeleton.yaml
var skeleton string

// Skeleton returns the YAML text of a small valid lesson. A teacher starts a new lesson from
// it.
func Skeleton() string { return skeleton }
