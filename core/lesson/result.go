package lesson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Result is what a learner hands in to a teacher. It holds no name except Learner,
// which the learner chose.
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
	// About lists the misconceptions that the question can find. Believes is the one
	// that the answer shows.
	About    []Misconception `json:"about,omitempty"`
	Believes Misconception   `json:"believes,omitempty"`
}

const resultVersion = 1

// Result returns the result of a learner: the lessons that were started, in the order
// of lessons.
func (p Progress) Result(learner string, lessons []Lesson) Result {
	result := Result{Version: resultVersion, Learner: learner, Lessons: []LessonResult{}}
	for _, lesson := range lessons {
		record := p[lesson.ID]
		if len(record.First) > 0 {
			result.Lessons = append(result.Lessons, lesson.result(record))
		}
	}
	return result
}

// result combines the record of a lesson with its questions. The lesson may have
// changed since: records of tasks that it no longer has are left out.
func (l Lesson) result(record LessonRecord) LessonResult {
	result := LessonResult{ID: l.ID, Title: l.Title, Done: record.Done}
	known := min(len(record.First), len(l.Tasks))
	for i, taskRecord := range record.First[:known] {
		task := &l.Tasks[i]
		taskResult := TaskResult{
			TaskRecord: taskRecord,
			About:      task.CanFind(),
			Believes:   task.Believes(taskRecord.Given),
		}
		if task.Ask != nil {
			taskResult.Question = task.Ask.Question
		}
		result.Tasks = append(result.Tasks, taskResult)
	}
	return result
}

// Encode returns a result as JSON.
func (r Result) Encode() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }

// DecodeResult reads JSON that [Result.Encode] wrote. It fails with a sentence for
// anything else.
func DecodeResult(raw []byte) (r Result, err error) {
	err = json.Unmarshal(raw, &r)
	if err != nil || r.Version != resultVersion || r.Lessons == nil {
		return r, fmt.Errorf("it is no result of a learner, expected JSON of version %d as `learn --result` writes it", resultVersion)
	}
	return r, nil
}

// Task returns the result of a task, counted from 0. ok is false if the task was not
// started.
func (r Result) Task(lesson string, task int) (result TaskResult, ok bool) {
	for _, l := range r.Lessons {
		if l.ID == lesson && task < len(l.Tasks) {
			return l.Tasks[task], true
		}
	}
	return TaskResult{}, false
}

// Class summarises the results of several learners.
type Class struct {
	// Tasks has the tasks with answered questions, sorted by lesson ID and index.
	Tasks []ClassTask
	// Beliefs has the misconceptions that the answered questions can find.
	Beliefs []Belief
}

// ClassTask counts the answers of a class to one question.
type ClassTask struct {
	Lesson   string // the ID of the lesson
	Task     int    // from 0
	Question string
	// Answered counts first answers, and Right those that were right. Hints and Tries
	// are sums over all learners.
	Answered, Right, Hints, Tries int
}

// Belief is a misconception and the learners who hold it.
type Belief struct {
	Misconception Misconception
	// Holders are the learners whose last answer, in the order of the lessons, showed
	// the misconception. Asked counts the learners with an answer that could show it.
	Holders []string
	Asked   int
}

// ReportClass summarises the results of a class.
func ReportClass(results []Result) Class {
	var class Class
	for _, misconception := range Misconceptions() {
		class.Beliefs = append(class.Beliefs, Belief{Misconception: misconception})
	}
	for _, result := range results {
		class.addAnswers(result)
		class.addBeliefs(result)
	}
	class.Beliefs = slices.DeleteFunc(class.Beliefs, func(b Belief) bool { return b.Asked == 0 })
	return class
}

// addAnswers counts a learner's answers to each question.
func (c *Class) addAnswers(result Result) {
	for _, lesson := range result.Lessons {
		for i, task := range lesson.Tasks {
			if task.Given != "" {
				c.addAnswer(lesson.ID, i, task)
			}
		}
	}
}

func (c *Class) addAnswer(lesson string, task int, result TaskResult) {
	i, found := slices.BinarySearchFunc(c.Tasks, task, func(t ClassTask, task int) int {
		return cmp.Or(cmp.Compare(t.Lesson, lesson), cmp.Compare(t.Task, task))
	})
	if !found {
		c.Tasks = slices.Insert(c.Tasks, i, ClassTask{Lesson: lesson, Task: task, Question: result.Question})
	}

	counts := &c.Tasks[i]
	counts.Answered++
	counts.Hints += result.Hints
	counts.Tries += result.Tries
	if result.Right {
		counts.Right++
	}
}

// addBeliefs counts the misconceptions that a learner holds.
func (c *Class) addBeliefs(result Result) {
	holds := lastBeliefs(result)
	for i := range c.Beliefs {
		belief := &c.Beliefs[i]
		isHeld, wasAsked := holds[belief.Misconception]
		if wasAsked {
			belief.Asked++
		}
		if isHeld {
			belief.Holders = append(belief.Holders, result.Learner)
		}
	}
}

// lastBeliefs returns, for each misconception that an answered question can find,
// whether the learner's last such answer showed it.
func lastBeliefs(result Result) map[Misconception]bool {
	holds := map[Misconception]bool{}
	for _, lesson := range result.Lessons {
		for _, task := range lesson.Tasks {
			if task.Given == "" {
				continue
			}
			for _, misconception := range task.About {
				holds[misconception] = misconception == task.Believes
			}
		}
	}
	return holds
}
