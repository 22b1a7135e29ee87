package lesson

import (
	"cmp"
	"encoding/json"
	"fmt"

	"ephemera/core/human"
)

// Progress records what a learner has done in each lesson, by the ID of the lesson.
type Progress map[string]LessonRecord

// LessonRecord is what a learner has done in one lesson.
type LessonRecord struct {
	DoneTasks int  `json:"tasks"` // in the session that came furthest
	Done      bool `json:"done"`  // the lesson was played to its end
	// Right counts right answers, and Asked counts all answers. They are those of the last
	// time that the lesson was played to its end, or before that, those so far.
	Right        int          `json:"right"`
	Asked        int          `json:"asked"`
	FirstRecords []TaskRecord `json:"first,omitempty"` // of each task when it was played first
}

// Describe says how far a learner is in a lesson of taskCount tasks: "4 tasks" before it is
// begun, then "task 2 of 4 is next", and at the end "done, 3 of 4 predictions right". For a
// challenge or game that is solved it is "done with 5 messages, par 3".
func (r LessonRecord) Describe(taskCount int) string {
	messages, par := r.Score()
	switch {
	case par > 0:
		return fmt.Sprintf("done with %s, par %d", human.Plural(messages, "message"), par)
	case r.Done && r.Asked > 0:
		return fmt.Sprintf("done, %d of %d predictions right", r.Right, r.Asked)
	case r.Done:
		return "done"
	case r.IsBegun():
		return fmt.Sprintf("task %d of %d is next", min(r.DoneTasks+1, taskCount), taskCount)
	}
	return human.Plural(taskCount, "task")
}

// IsBegun reports whether the learner has done something in the lesson.
func (r LessonRecord) IsBegun() bool { return r.DoneTasks > 0 || len(r.FirstRecords) > 0 }

// Score returns the number of messages with which a challenge or game was solved, and its par.
// Both are 0 for any other lesson, and for one that is not solved.
func (r LessonRecord) Score() (messages, par int) {
	if !r.Done || len(r.FirstRecords) == 0 {
		return 0, 0
	}
	return r.FirstRecords[0].Messages, r.FirstRecords[0].Par
}

// WrongTasks returns the indices, from 0, of the tasks whose question was answered wrongly
// when the lesson was played first.
func (r LessonRecord) WrongTasks() (taskIndices []int) {
	for i, task := range r.FirstRecords {
		isWrong := task.Given != "" && !task.Right && task.Par == 0
		if isWrong {
			taskIndices = append(taskIndices, i)
		}
	}
	return taskIndices
}

// TaskRecord is what a learner has done in one task.
type TaskRecord struct {
	Given string `json:"given,omitempty"` // the first answer to the question, or ""
	Right bool   `json:"right,omitempty"` // whether the first answer is right
	Hints int    `json:"hints,omitempty"` // how many were shown
	Tries int    `json:"tries,omitempty"` // messages that were sent, and in a game the queries too
	// Messages is the [Score] of a challenge or game: the lowest of a challenge, the first of a
	// game. Messages and Par are 0 for other tasks.
	Messages   int     `json:"messages,omitempty"`
	Par        int     `json:"par,omitempty"`
	WrongNames int     `json:"wrong_names,omitempty"` // that were given in a game
	LookCount  int     `json:"looked,omitempty"`      // messages, queries and looks around before the answer
	Seconds    float64 `json:"seconds,omitempty"`     // the time that the learner took; 0 if not measured
	Done       bool    `json:"done,omitempty"`
}

// Record adds what the learner did in a session so far, and may be called any number of times.
// When a lesson is played again, first answers and the records of done tasks stay. Record
// ignores a session of [Repeat].
func (p Progress) Record(session *Session) {
	if session.IsRepeat() {
		return
	}
	record := p[session.Lesson.ID]
	record.FirstRecords = mergeRecords(record.FirstRecords, session.records, session.Lesson.IsChallenge())

	// The counts are those of the last session that reached the end. Until one has, they
	// are those of the session that came furthest.
	isFurthest := session.TaskIndex() >= record.DoneTasks
	if session.IsOver() || (isFurthest && !record.Done) {
		record.Right, record.Asked = session.AnswerCounts()
	}
	record.DoneTasks = max(record.DoneTasks, session.TaskIndex())
	record.Done = record.Done || session.IsOver()
	p[session.Lesson.ID] = record
}

// mergeRecords combines the stored records of a lesson's tasks with those of a session, without
// the empty ones at the end. The record of a task that is done stays as it is. In a challenge,
// for which keepsBest is set, a done record with fewer messages replaces it. It does not in a
// game, because the second time the learner knows the mistake.
func mergeRecords(storedRecords, sessionRecords []TaskRecord, keepsBest bool) []TaskRecord {
	mergedRecords := make([]TaskRecord, max(len(storedRecords), len(sessionRecords)))
	copy(mergedRecords, storedRecords)
	for i, record := range sessionRecords {
		storedRecord := mergedRecords[i]
		isBetter := keepsBest && record.Done && record.Messages < storedRecord.Messages
		switch {
		case !storedRecord.Done:
			mergedRecords[i] = mergeRecord(storedRecord, record)
		case isBetter:
			mergedRecords[i] = record
		}
	}

	for len(mergedRecords) > 0 && mergedRecords[len(mergedRecords)-1] == (TaskRecord{}) {
		mergedRecords = mergedRecords[:len(mergedRecords)-1]
	}
	return mergedRecords
}

// mergeRecord combines the stored record of an unfinished task with that of a session. The
// stored answer stays, because it is the first. Each count is the larger of both counts, and
// not their sum, because a session that resumes a task begins with the stored counts.
func mergeRecord(storedRecord, sessionRecord TaskRecord) TaskRecord {
	mergedRecord := sessionRecord
	if storedRecord.Given != "" {
		mergedRecord.Given = storedRecord.Given
		mergedRecord.Right = storedRecord.Right
		mergedRecord.LookCount = storedRecord.LookCount
	}
	mergedRecord.Hints = max(storedRecord.Hints, sessionRecord.Hints)
	mergedRecord.Tries = max(storedRecord.Tries, sessionRecord.Tries)
	mergedRecord.WrongNames = max(storedRecord.WrongNames, sessionRecord.WrongNames)
	mergedRecord.Seconds = max(storedRecord.Seconds, sessionRecord.Seconds)
	return mergedRecord
}

// NextTask returns the index of the first task that is not done, or 0 if the lesson was played
// to its end.
func (p Progress) NextTask(lesson Lesson) int {
	record := p[lesson.ID]
	if record.Done || record.DoneTasks >= len(lesson.Tasks) {
		return 0
	}
	return record.DoneTasks
}

// Storage reads and writes progress between runs of the program. The zero Storage stores
// nothing.
type Storage struct {
	// Load returns what was saved last. It returns an empty text if nothing was saved.
	Load func() ([]byte, error)
	// Save replaces what was saved before.
	Save func([]byte) error
	// MoveAside renames the stored file, which cannot be read, and returns its new name.
	MoveAside func() (newName string, err error)
}

// Read returns the stored progress. If the file cannot be read, Read renames it, so that the
// next Write does not overwrite it. The error has the new name, and the caller can go on with
// the empty progress that comes with it.
func (s Storage) Read() (Progress, error) {
	if s.Load == nil {
		return Progress{}, nil
	}
	raw, err := s.Load()
	if err == nil {
		var progress Progress
		if progress, err = DecodeProgress(raw); err == nil {
			return progress, nil
		}
	}

	newName, moveErr := s.MoveAside()
	if moveErr != nil {
		return Progress{}, fmt.Errorf("%w, and it cannot be put aside: %w", err, moveErr)
	}
	return Progress{}, fmt.Errorf("your progress begins again; the old file is %s: %w", newName, err)
}

// Write stores progress in place of what was stored.
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

// progressFile is the content of the JSON file in which progress is stored.
type progressFile struct {
	Version int      `json:"version"` // see [progressVersion]
	Lessons Progress `json:"lessons"`
}

// progressVersion is the version of the format of [progressFile]. A file with another
// version is not read.
const progressVersion = 1

// Encode returns progress as JSON.
func (p Progress) Encode() ([]byte, error) {
	return json.MarshalIndent(progressFile{Version: progressVersion, Lessons: p}, "", "  ")
}

// DecodeProgress reads JSON that [Progress.Encode] wrote in this or an earlier version of the
// program. An empty text is empty progress. It fails for any other text.
func DecodeProgress(raw []byte) (Progress, error) {
	if len(raw) == 0 {
		return Progress{}, nil
	}
	var file progressFile
	err := json.Unmarshal(raw, &file)
	if err != nil || file.Version != progressVersion {
		return nil, fmt.Errorf("the progress of the lessons cannot be read: expected JSON of version %d",
			progressVersion)
	}

	// An earlier version wrote records of unfinished lessons without records of their tasks.
	// They are dropped, because the number of done tasks no longer means the same tasks.
	progress := Progress{}
	for id, record := range file.Lessons {
		if record.Done || len(record.FirstRecords) > 0 {
			progress[cmp.Or(newLessonIDs[id], id)] = record
		}
	}
	return progress, nil
}

// newLessonIDs maps the IDs that lessons had in earlier versions to their present IDs.
var newLessonIDs = map[string]string{
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
