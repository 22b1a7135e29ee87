package lesson

import (
	"encoding/json"
	"fmt"
)

// Result is what a learner did in the lessons, as it is handed to a teacher. It
// holds no name but the one that was given.
type Result struct {
	Version int            `json:"version"`
	Learner string         `json:"learner"`
	Lessons []LessonResult `json:"lessons"`
}

// LessonResult is what a learner did in one lesson.
type LessonResult struct {
	ID    string       `json:"id"`
	Title string       `json:"title"`
	Done  bool         `json:"done"`
	Tasks []TaskResult `json:"tasks"`
}

// TaskResult is what a learner did in a task when it was played first.
type TaskResult struct {
	Played
	Question string `json:"question,omitempty"`
	// About are the misconceptions that the question can find, Believes the one
	// that the answer shows.
	About    []Lie `json:"about,omitempty"`
	Believes Lie   `json:"believes,omitempty"`
}

const resultVersion = 1

// Result gives what is to be told of a learner's progress: the lessons that were
// begun, in the order of all.
func (p Progress) Result(learner string, all []Lesson) Result {
	r := Result{Version: resultVersion, Learner: learner, Lessons: []LessonResult{}}
	for _, l := range all {
		m := p[l.ID]
		if len(m.First) == 0 {
			continue
		}
		out := LessonResult{ID: l.ID, Title: l.Title, Done: m.Done}
		for i, played := range m.First[:min(len(m.First), len(l.Tasks))] {
			t := &l.Tasks[i]
			task := TaskResult{Played: played, About: t.About(), Believes: t.Believes(played.Given)}
			if t.Ask != nil {
				task.Question = t.Ask.Question
			}
			out.Tasks = append(out.Tasks, task)
		}
		r.Lessons = append(r.Lessons, out)
	}
	return r
}

// Encode writes a result as JSON.
func (r Result) Encode() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }

// DecodeResult reads what [Result.Encode] wrote. It fails with a sentence for
// anything else.
func DecodeResult(raw []byte) (r Result, err error) {
	if err := json.Unmarshal(raw, &r); err != nil || r.Version != resultVersion || r.Lessons == nil {
		return r, fmt.Errorf("it is no result of a learner, expected JSON of version %d as `learn --result` writes it", resultVersion)
	}
	return r, nil
}
