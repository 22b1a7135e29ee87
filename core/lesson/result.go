package lesson

import (
	"cmp"
	"encoding/json"
	"errors"
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
	// About lists the misconceptions (wrong beliefs about the contract) that a wrong
	// answer to the question can show. Believes is the one that the given answer shows,
	// or "".
	About    []Misconception `json:"about,omitempty"`
	Believes Misconception   `json:"believes,omitempty"`
}

// resultVersion is the version of the JSON form of a [Result]. A result of another version
// is not read.
const resultVersion = 1

// Result returns what a learner hands in to a teacher: the records of the lessons that were
// started, in the order of lessons. learner is the name that the learner chose.
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

// result combines the record of a lesson with its questions, so that a teacher can read it
// without the lesson. If the lesson has fewer tasks than when it was played, the records
// beyond its last task are left out.
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

// ErrNothingDone is the error of [Result.Encode] for a learner who has begun no task.
var ErrNothingDone = errors.New("there is nothing to hand in, as no task was begun yet")

// Encode returns a result as JSON. It fails with [ErrNothingDone] for a result without
// lessons.
func (r Result) Encode() ([]byte, error) {
	if len(r.Lessons) == 0 {
		return nil, ErrNothingDone
	}
	return json.MarshalIndent(r, "", "  ")
}

// DecodeResult reads JSON that [Result.Encode] wrote. It fails with a sentence for
// anything else.
func DecodeResult(raw []byte) (r Result, err error) {
	err = json.Unmarshal(raw, &r)
	if err != nil || r.Version != resultVersion || r.Lessons == nil {
		return r, fmt.Errorf("it is no result of a learner, expected JSON of version %d as `learn --result` writes it", resultVersion)
	}
	return r, nil
}

// Task returns the learner's result of one task, counted from 0, of the lesson with an ID.
// ok is false if the learner has not started the task.
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

// ReportClass summarises the results that learners handed in: for each question how often
// it was answered and answered rightly, and for each misconception who holds it. It leaves
// out misconceptions that no answered question asks about.
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

// addAnswers adds a learner's answers to the counts of each question. Tasks without an
// answer do not count.
func (c *Class) addAnswers(result Result) {
	for _, lesson := range result.Lessons {
		for i, task := range lesson.Tasks {
			if task.Given != "" {
				c.addAnswer(lesson.ID, i, task)
			}
		}
	}
}

// addAnswer adds one learner's answer, hints and tries to the counts of a task. It inserts
// the task in the order of lesson IDs and indices if it has no counts yet.
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

// addBeliefs adds a learner to the holders of each misconception that his last answers
// show, and to the number of those who were asked about it.
func (c *Class) addBeliefs(result Result) {
	holds := lastBeliefs(result)
	for i := range c.Beliefs {
		belief := &c.Beliefs[i]
		isHeld, wasAsked := holds[belief.Misconception] // absent: no answer could show it
		if wasAsked {
			belief.Asked++
		}
		if isHeld {
			belief.Holders = append(belief.Holders, result.Learner)
		}
	}
}

// lastBeliefs returns, for each misconception that a question answered by the learner can
// find, whether the last such answer showed it. A learner who showed it in one lesson and
// not in a later one no longer holds it.
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
