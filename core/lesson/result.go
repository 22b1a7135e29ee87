package lesson

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"
)

// Result is what a learner hands in to a teacher.
type Result struct {
	Version int    `json:"version"` // see [resultVersion]
	Learner string `json:"learner"` // a name that the learner chose
	// Written is set by the caller of [Progress.ResultOf]; zero in results of earlier versions.
	Written time.Time      `json:"written,omitzero"`
	Lessons []LessonResult `json:"lessons"` // that the learner has begun
}

// LessonResult is what a learner did in one lesson.
type LessonResult struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Content is a hash of the questions of a lesson. Lessons of different teachers can have
	// the same ID, and differ in the hash. It is empty for a built-in lesson.
	Content string       `json:"content,omitempty"`
	Done    bool         `json:"done"`
	Tasks   []TaskResult `json:"tasks"`
	// Misconceptions has the [Lesson.Belief] of each that only the lesson's file describes.
	Misconceptions map[Misconception]string `json:"misconceptions,omitempty"`
}

// TaskResult is what a learner did in a task when it was played first.
type TaskResult struct {
	TaskRecord
	Question string `json:"question,omitempty"`
	// AskedMisconceptions are those that wrong answers can show.
	AskedMisconceptions []Misconception `json:"about,omitempty"`
	ShownMisconception  Misconception   `json:"believes,omitempty"` // by the given answer; "" for none
}

// resultVersion is the version of the JSON format of a [Result]. A result with another
// version is not read.
const resultVersion = 1

// ResultOf returns what a learner hands in: a record of each of the lessons that the learner
// has begun, in their order.
func (p Progress) ResultOf(learner string, lessons []Lesson) Result {
	result := Result{Version: resultVersion, Learner: learner, Lessons: []LessonResult{}}
	for _, lesson := range lessons {
		record := p[lesson.ID]
		if len(record.FirstRecords) > 0 {
			result.Lessons = append(result.Lessons, lesson.buildResult(record))
		}
	}
	return result
}

// buildResult adds the questions to the record of a lesson, so that a teacher can read it
// without the lesson. It leaves out records of tasks that are no longer in the lesson's file.
func (l Lesson) buildResult(record LessonRecord) LessonResult {
	lessonResult := LessonResult{
		ID:      l.ID,
		Title:   l.Title,
		Content: l.contentHash(),
		Done:    record.Done,
	}
	taskCount := min(len(record.FirstRecords), len(l.Tasks))
	for i, taskRecord := range record.FirstRecords[:taskCount] {
		taskResult := l.Tasks[i].judge(taskRecord)
		for _, misconception := range taskResult.AskedMisconceptions {
			// The program itself describes each misconception that has a mutant.
			if misconception.mutant().Name != "" {
				continue
			}
			if lessonResult.Misconceptions == nil {
				lessonResult.Misconceptions = map[Misconception]string{}
			}
			lessonResult.Misconceptions[misconception] = l.Belief(misconception)
		}
		lessonResult.Tasks = append(lessonResult.Tasks, taskResult)
	}
	return lessonResult
}

// judge returns what a learner did in the task, with what the task says about the answer.
func (t *Task) judge(record TaskRecord) TaskResult {
	result := TaskResult{
		TaskRecord:          record,
		AskedMisconceptions: t.DetectableMisconceptions(),
		ShownMisconception:  t.MisconceptionOfChoice(record.Given),
	}
	if t.Ask != nil {
		result.Question = t.Ask.Question
		result.Right = record.Given != "" && record.Given == t.Ask.Answer
	}
	return result
}

// check judges each answer by the task of the lesson, whatever the learner's file says. It
// leaves answers to questions that none of the lessons asks, and then reports false.
func (r *LessonResult) check(lessons []Lesson) (isChecked bool) {
	i := slices.IndexFunc(lessons, func(l Lesson) bool { return l.ID == r.ID && l.contentHash() == r.Content })
	r.Tasks = slices.Clone(r.Tasks)
	isChecked = true
	for j, task := range r.Tasks {
		var judged TaskResult
		if i >= 0 && j < len(lessons[i].Tasks) {
			judged = lessons[i].Tasks[j].judge(task.TaskRecord)
		}
		switch {
		case task.Given == "": // there is nothing to check
		case judged.Question == task.Question && task.Question != "":
			r.Tasks[j] = judged
		default:
			isChecked = false
		}
	}
	return isChecked
}

// contentHash returns a short hash of the title, the questions and the choices, and "" for a
// built-in lesson, whose ID is unique.
func (l Lesson) contentHash() string {
	if path.Ext(l.ID) == "" { // the ID of any other lesson is the name of its file
		return ""
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q", l.Title) // writing to a hash never fails
	for _, task := range l.Tasks {
		if task.Ask != nil {
			fmt.Fprintf(hash, "%q %q", task.Ask.Question, task.Ask.Choices.Texts())
		}
	}

	const hashSize = 4 // in bytes; enough to tell the lessons of a few teachers apart
	return hex.EncodeToString(hash.Sum(nil)[:hashSize])
}

// ErrNothingDone is the error of [Result.Encode] for a learner who has begun no task.
var ErrNothingDone = errors.New("there is nothing to hand in, because no task was begun")

// Encode returns a result as JSON. It fails with [ErrNothingDone].
func (r Result) Encode() ([]byte, error) {
	if len(r.Lessons) == 0 {
		return nil, ErrNothingDone
	}
	return json.MarshalIndent(r, "", "  ")
}

// DecodeResult reads JSON that [Result.Encode] wrote. It fails for any other text.
func DecodeResult(raw []byte) (r Result, err error) {
	err = json.Unmarshal(raw, &r)
	if err != nil || r.Version != resultVersion || r.Lessons == nil {
		return r, fmt.Errorf(
			"it is no result of a learner, expected JSON of version %d as `learn --result` writes it",
			resultVersion)
	}
	return r, nil
}
