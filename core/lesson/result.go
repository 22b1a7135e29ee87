package lesson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
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
	TaskRecord
	Question string `json:"question,omitempty"`
	// About are the misconceptions that the question can find, Believes the one
	// that the answer shows.
	About    []Misconception `json:"about,omitempty"`
	Believes Misconception   `json:"believes,omitempty"`
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
			task := TaskResult{TaskRecord: played, About: t.CanFind(), Believes: t.Believes(played.Given)}
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

// Class is what the learners of a class did in the questions that anybody
// answered, and what they believe.
type Class struct {
	Tasks   []ClassTask // in the order of the lessons' IDs
	Beliefs []Belief
}

// ClassTask is a question, and how the class did in it.
type ClassTask struct {
	Lesson   string // its ID
	Task     int    // from 0
	Question string
	// Answered counts the first answers, Right those that were right; Hints and
	// Tries are of all learners together.
	Answered, Right, Hints, Tries int
}

// Belief is a misconception, and who holds it.
type Belief struct {
	Misconception Misconception
	// Holders showed it in their last answer to a question that could find it, in
	// the order of the lessons. Asked is how many answered such a question.
	Holders []string
	Asked   int
}

// ReportClass puts the results of learners side by side.
func ReportClass(results []Result) (c Class) {
	for _, lie := range Misconceptions() {
		c.Beliefs = append(c.Beliefs, Belief{Misconception: lie})
	}
	for _, r := range results {
		holds := map[Misconception]bool{} // of each misconception that a question could find, the last answer
		for _, l := range r.Lessons {
			for i, t := range l.Tasks {
				if t.Given == "" {
					continue
				}
				c.add(l.ID, i, t)
				for _, lie := range t.About {
					holds[lie] = lie == t.Believes
				}
			}
		}
		for i := range c.Beliefs {
			b := &c.Beliefs[i]
			held, asked := holds[b.Misconception]
			if asked {
				b.Asked++
			}
			if held {
				b.Holders = append(b.Holders, r.Learner)
			}
		}
	}
	c.Beliefs = slices.DeleteFunc(c.Beliefs, func(b Belief) bool { return b.Asked == 0 })
	return c
}

func (c *Class) add(lesson string, task int, t TaskResult) {
	i, there := slices.BinarySearchFunc(c.Tasks, task, func(x ClassTask, task int) int {
		return cmp.Or(cmp.Compare(x.Lesson, lesson), cmp.Compare(x.Task, task))
	})
	if !there {
		c.Tasks = slices.Insert(c.Tasks, i, ClassTask{Lesson: lesson, Task: task, Question: t.Question})
	}
	x := &c.Tasks[i]
	x.Answered, x.Hints, x.Tries = x.Answered+1, x.Hints+t.Hints, x.Tries+t.Tries
	if t.Right {
		x.Right++
	}
}

// Task gives what a learner did in a task (from 0); ok is false where it was not
// begun.
func (r Result) Task(lesson string, task int) (t TaskResult, ok bool) {
	for _, l := range r.Lessons {
		if l.ID == lesson && task < len(l.Tasks) {
			return l.Tasks[task], true
		}
	}
	return t, false
}
