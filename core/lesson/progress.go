package lesson

import (
	"cmp"
	"encoding/json"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/human"
)

// Progress is what a learner has done, by the ID of the lesson, such as "01-owner".
type Progress map[string]LessonRecord

// LessonRecord is what a learner has done in one lesson.
type LessonRecord struct {
	// Tasks is how many tasks, from the first one on, were done in the session that came
	// furthest.
	Tasks int `json:"tasks"`
	// Done is set once the lesson was played to its end.
	Done bool `json:"done"`
	// Right and Asked count the answers of the last time that the lesson was played
	// to its end. Before the first time they count the answers so far.
	Right int `json:"right"`
	Asked int `json:"asked"`
	// First is what the learner did in each task when it was played first.
	First []TaskRecord `json:"first,omitempty"`
}

// Describe says how far a learner is in a lesson with a number of tasks, such as "task 2 of 4
// is next". For a challenge that is solved it says with how many messages, and its par, which
// is the number of messages of the shortest way.
func (r LessonRecord) Describe(tasks int) string {
	messages, par := r.Score()
	switch {
	case par > 0:
		return fmt.Sprintf("done with %s, par %d", human.Plural(messages, "message"), par)
	case r.Done && r.Asked > 0:
		return fmt.Sprintf("done, %d of %d predictions right", r.Right, r.Asked)
	case r.Done:
		return "done"
	case r.IsBegun():
		return fmt.Sprintf("task %d of %d is next", min(r.Tasks+1, tasks), tasks)
	}
	return human.Plural(tasks, "task")
}

// IsBegun reports whether the learner has done something in the lesson.
func (r LessonRecord) IsBegun() bool { return r.Tasks > 0 || len(r.First) > 0 }

// Score returns with how many messages a challenge or a game was solved, and its par, which
// is the number of messages of the shortest way. Both are 0 for other lessons, and before it
// is solved.
func (r LessonRecord) Score() (messages, par int) {
	if !r.Done || len(r.First) == 0 {
		return 0, 0
	}
	return r.First[0].Messages, r.First[0].Par
}

// TaskRecord is what a learner has done in one task.
type TaskRecord struct {
	// Given is the first answer to the question; empty for none.
	Given string `json:"given,omitempty"`
	Right bool   `json:"right,omitempty"`
	// Hints counts the hints that were shown, and Tries the messages that were sent.
	Hints int `json:"hints,omitempty"`
	Tries int `json:"tries,omitempty"`
	// Messages is how many messages a challenge took at best, or a game the first time.
	// Par is how many the shortest way has. Both are 0 for other tasks.
	Messages int `json:"messages,omitempty"`
	Par      int `json:"par,omitempty"`
	// WrongNames counts the wrong names that were given in "find the mistake".
	WrongNames int `json:"wrong_names,omitempty"`
	// Looked counts the messages and queries that were sent before the answer, and how often
	// the open question was left to look around.
	Looked int `json:"looked,omitempty"`
	// Seconds is the time that the learner took, if it was measured.
	Seconds float64 `json:"seconds,omitempty"`
	Done    bool    `json:"done,omitempty"`
}

// Record adds what the learner did in a session so far. It may be called any number of
// times in a session. The first answer to a question stays when the lesson is played
// again, and so does the record of a task that is done. A session that repeats tasks adds
// nothing.
func (p Progress) Record(s *Session) {
	if s.IsRepeat() {
		return
	}
	record := p[s.Lesson.ID]
	record.First = mergeRecords(record.First, s.records, s.Lesson.IsChallenge())

	// A session that does not reach the end must not change the counts of one that did.
	isFurthest := s.TaskIndex() >= record.Tasks
	isFurthestOfUnfinished := !record.Done && isFurthest
	if s.IsOver() || isFurthestOfUnfinished {
		record.Right, record.Asked = s.Right()
	}
	record.Tasks = max(record.Tasks, s.TaskIndex())
	record.Done = record.Done || s.IsOver()
	p[s.Lesson.ID] = record
}

// mergeRecords combines the stored records of a lesson's tasks with those of a session. A
// stored record of a task that is done stays as it is. With keepsBest a record with fewer
// messages replaces it: in a challenge, but not in a game of "find the mistake", where the
// mistake is known the second time. Empty records of tasks at the end, which were never
// started, are left out.
func mergeRecords(stored, session []TaskRecord, keepsBest bool) []TaskRecord {
	merged := make([]TaskRecord, max(len(stored), len(session)))
	copy(merged, stored)
	for i, record := range session {
		isBetter := keepsBest && record.Done && record.Messages < merged[i].Messages
		switch {
		case !merged[i].Done:
			merged[i] = mergeRecord(merged[i], record)
		case isBetter: // a challenge that was played again
			merged[i] = record
		}
	}
	for len(merged) > 0 && merged[len(merged)-1] == (TaskRecord{}) {
		merged = merged[:len(merged)-1]
	}
	return merged
}

// mergeRecord combines the stored record of an unfinished task with that of a session. The
// first answer stays. Counts are the larger of both, not the sum: the counts of a session
// that resumed the task include the stored ones.
func mergeRecord(stored, session TaskRecord) TaskRecord {
	merged := session
	if stored.Given != "" {
		merged.Given = stored.Given
		merged.Right = stored.Right
		merged.Looked = stored.Looked
	}
	merged.Hints = max(stored.Hints, session.Hints)
	merged.Tries = max(stored.Tries, session.Tries)
	merged.WrongNames = max(stored.WrongNames, session.WrongNames)
	merged.Seconds = max(stored.Seconds, session.Seconds)
	return merged
}

// NextTask returns the index of the task at which to continue a lesson: the first one
// that is not done, or 0 if the lesson was played to its end.
func (p Progress) NextTask(l Lesson) int {
	record := p[l.ID]
	if record.Done || record.Tasks >= len(l.Tasks) {
		return 0
	}
	return record.Tasks
}

// progressFile is the JSON form in which progress is stored.
type progressFile struct {
	Version int      `json:"version"`
	Lessons Progress `json:"lessons"`
}

// progressVersion is the version of the stored form. A file of another version is not read.
const progressVersion = 1

// Encode returns progress as JSON.
func (p Progress) Encode() ([]byte, error) {
	return json.MarshalIndent(progressFile{Version: progressVersion, Lessons: p}, "", "  ")
}

// DecodeProgress reads JSON that [Progress.Encode] wrote, also in an earlier version of the
// program. Empty text is the progress of somebody who has played no lesson. It fails for
// anything else.
func DecodeProgress(raw []byte) (Progress, error) {
	if len(raw) == 0 {
		return Progress{}, nil
	}
	var file progressFile
	err := json.Unmarshal(raw, &file)
	if err != nil || file.Version != progressVersion {
		return nil, fmt.Errorf("the progress of the lessons cannot be read: expected JSON of version %d", progressVersion)
	}
	if file.Lessons == nil {
		file.Lessons = Progress{}
	}
	file.Lessons.renameLessons()
	return file.Lessons, nil
}

// renamed maps the IDs that lessons had in earlier versions to their present IDs.
var renamed = map[string]string{
	"02-the-block-it-ends":     "04-the-block-it-expires",
	"03-height-or-time":        "05-height-or-time",
	"04-never":                 "06-never",
	"05-what-a-transfer-wipes": "07-what-a-transfer-wipes",
	"06-what-a-spender-may":    "02-what-a-spender-may",
	"07-outlives-the-operator": "09-outlives-the-operator",
	"09-send-to-a-contract":    "11-send-to-a-contract",
	"10-queries":               "13-queries",
	"11-royalties":             "14-royalties",
	"12-minter-role":           "15-minter-role",
	"13-the-royalty-hole":      "16-royalty-of-v0190",
	"14-the-hole-closed":       "17-royalty-of-v0220",
}

// renameLessons moves the records of lessons whose IDs have changed to their new IDs. It
// drops the record of an unfinished lesson without records of its tasks. An earlier version
// wrote such a record, and the number of done tasks in it no longer means the same tasks.
func (p Progress) renameLessons() {
	for id, record := range p {
		delete(p, id)
		if record.Done || len(record.First) > 0 {
			p[cmp.Or(renamed[id], id)] = record
		}
	}
}

// Storage reads and writes progress between runs of the program. The zero Storage stores
// nothing.
type Storage struct {
	// Load returns what was saved last, and an empty text if nothing was saved.
	Load func() ([]byte, error)
	Save func([]byte) error
	// MoveAside renames a file that cannot be read, and returns the new name.
	MoveAside func() (where string, err error)
}

// Read returns the stored progress. If the file cannot be read, Read renames the file, so
// that nothing overwrites it. Then it returns empty progress, with which the caller can go
// on, and an error that has the new name.
func (s Storage) Read() (Progress, error) {
	if s.Load == nil {
		return Progress{}, nil
	}
	progress, err := s.loadProgress()
	if err == nil {
		return progress, nil
	}

	where, moveErr := s.MoveAside()
	if moveErr != nil {
		return Progress{}, fmt.Errorf("%w, and it cannot be put aside: %w", err, moveErr)
	}
	return Progress{}, fmt.Errorf("your progress begins again; the old file is %s: %w", where, err)
}

// loadProgress loads and decodes the stored progress. It fails if Load fails, and for text
// that is not progress.
func (s Storage) loadProgress() (Progress, error) {
	raw, err := s.Load()
	if err != nil {
		return nil, err
	}
	return DecodeProgress(raw)
}

// Write stores progress, in place of what was stored. It does nothing without a Save
// function, and fails if Save fails.
func (s Storage) Write(p Progress) error {
	if s.Save == nil {
		return nil
	}
	raw, err := p.Encode()
	if err != nil {
		return err
	}
	return s.Save(raw)
}

// WrongTasks returns the indices, from 0, of the tasks whose question was answered wrongly
// when the lesson was played first.
func (r LessonRecord) WrongTasks() (tasks []int) {
	for i, task := range r.First {
		isWrong := task.Given != "" && !task.Right && task.Par == 0
		if isWrong {
			tasks = append(tasks, i)
		}
	}
	return tasks
}

// Repeat begins a session that plays one task of a lesson again, and is over after that task.
// tasks has the index of the task, and behind it the indices of the tasks to repeat
// afterwards, for [Session.RepeatNext]. [Progress.Record] ignores the session, because the
// first answer counts. Repeat fails as [Begin] does.
func Repeat(open func() (*chain.Chain, error), l Lesson, tasks []int) (*Session, error) {
	s, err := Begin(open, l, tasks[0])
	if err == nil {
		s.repeats = tasks
	}
	return s, err
}

// IsRepeat reports whether the session repeats tasks; see [Repeat].
func (s *Session) IsRepeat() bool { return len(s.repeats) > 0 }

// RepeatsLeft returns how many tasks are to be repeated after the task of the session.
func (s *Session) RepeatsLeft() int { return max(0, len(s.repeats)-1) }

// RepeatNext begins a session of the next task to repeat. There must be one; see
// [Session.RepeatsLeft]. The new session also counts the answers of s. RepeatNext fails as
// [Begin] does.
func (s *Session) RepeatNext(open func() (*chain.Chain, error)) (*Session, error) {
	next, err := Repeat(open, s.Lesson, s.repeats[1:])
	if err == nil {
		next.Learner = s.Learner
		next.records = s.records
	}
	return next, err
}
