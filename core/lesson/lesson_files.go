package lesson

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed lessons/*.yaml challenges/*.yaml
var files embed.FS

// All returns the built-in lessons in the order of the course. It fails only if one is not
// valid, which a test rules out.
func All() ([]Lesson, error) {
	lessons, err := builtInLessons()
	return slices.Clone(lessons), err
}

// Challenges returns the built-in challenges, sorted by file name. A challenge is a lesson
// with one task, such as "mallory transfers rose in at most 3 messages". It fails as [All]
// does.
func Challenges() ([]Lesson, error) {
	challenges, err := builtInChallenges()
	return slices.Clone(challenges), err
}

// The embedded files are read at the first call.
var (
	builtInLessons    = sync.OnceValues(func() ([]Lesson, error) { return readBuiltIn("lessons") })
	builtInChallenges = sync.OnceValues(func() ([]Lesson, error) { return readBuiltIn("challenges") })
)

// readBuiltIn reads the lessons in one folder of the embedded files.
func readBuiltIn(folder string) ([]Lesson, error) {
	lessonFiles, err := fs.Sub(files, folder)
	if err != nil {
		return nil, err
	}

	lessons, err := ReadFolder(lessonFiles)
	for i := range lessons {
		lessons[i].ID = strings.TrimSuffix(lessons[i].ID, ".yaml")
	}
	return lessons, err
}

// ReadFolder reads the .yaml files of a folder as lessons, sorted by file name. It returns
// the valid lessons, and one error that joins the errors of all other files.
func ReadFolder(folder fs.FS) ([]Lesson, error) {
	fileNames, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}

	var lessons []Lesson
	var errs []error
	for _, name := range fileNames {
		lesson, err := readLesson(folder, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lessons = append(lessons, lesson)
	}
	return lessons, errors.Join(errs...)
}

func readLesson(folder fs.FS, fileName string) (Lesson, error) {
	file, err := folder.Open(fileName)
	if err != nil {
		return Lesson{}, err
	}
	defer file.Close()
	return Read(fileName, file)
}

//go:embed skeleton.yaml
var skeleton string

// Skeleton returns the YAML text of a small valid lesson, from which a teacher starts.
func Skeleton() string { return skeleton }
