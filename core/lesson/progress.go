package lesson

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// Progress is how far a learner is, by the ID of the lesson.
type Progress map[string]LessonRecord

// LessonRecord is how far a learner is in one lesson.
type LessonRecord struct {
	// Tasks is how many tasks were done at most.
	Tasks int `json:"tasks"`
	// Done tells that the lesson was played to its end.
	Done bool `json:"done"`
	// Right and Asked count the answers of the last time that it was played to
	// its end; while it never was, those up to the task in hand.
	Right int `json:"right"`
	Asked int `json:"asked"`
	// First is what was done in each task the first time that it was played.
	First []TaskRecord `json:"first,omitempty"`
}

// TaskRecord is what a learner did in one task.
type TaskRecord struct {
	// Given is the first answer to the task's question; "" for none.
	Given string `json:"given,omitempty"`
	Right bool   `json:"right,omitempty"`
	// Hints and Tries count the hints that were asked for, also before the
	// answer, and the messages that were sent.
	Hints int `json:"hints,omitempty"`
	Tries int `json:"tries,omitempty"`
	// Seconds is how long the learner took, where that was measured.
	Seconds float64 `json:"seconds,omitempty"`
	Done    bool    `json:"done,omitempty"`
}

// Record takes down how far a session is. It can be asked at any time; what was
// done in a task when it was done first is never changed again, and neither is a
// first answer.
func (p Progress) Record(s *Session) {
	m := p[s.Lesson.ID]
	first := make([]TaskRecord, max(len(m.First), len(s.records)))
	copy(first, m.First)
	for i, now := range s.records {
		was := first[i]
		if was.Done {
			continue
		}
		if first[i] = now; was.Given != "" {
			first[i].Given, first[i].Right = was.Given, was.Right
		}
		first[i].Hints, first[i].Tries = max(was.Hints, now.Hints), max(was.Tries, now.Tries)
	}
	for len(first) > 0 && first[len(first)-1] == (TaskRecord{}) {
		first = first[:len(first)-1]
	}
	m.First = first
	if s.IsOver() || !m.Done && s.TaskIndex() >= m.Tasks {
		m.Right, m.Asked = s.Right()
	}
	m.Tasks = max(m.Tasks, s.TaskIndex())
	m.Done = m.Done || s.IsOver()
	p[s.Lesson.ID] = m
}

// NextTask is the task at which to go on with a lesson: the first that was not
// done, and the first of all when the lesson was played to its end.
func (p Progress) NextTask(l Lesson) int {
	if m := p[l.ID]; !m.Done && m.Tasks > 0 && m.Tasks < len(l.Tasks) {
		return m.Tasks
	}
	return 0
}

// progressFile is how progress is written. The version is that of the form.
type progressFile struct {
	Version int      `json:"version"`
	Lessons Progress `json:"lessons"`
}

const progressVersion = 1

// Encode writes progress as JSON.
func (p Progress) Encode() ([]byte, error) {
	return json.MarshalIndent(progressFile{progressVersion, p}, "", "  ")
}

// DecodeProgress reads what [Progress.Encode] wrote; nothing is no progress. It
// fails with a sentence for anything else.
func DecodeProgress(raw []byte) (Progress, error) {
	if len(raw) == 0 {
		return Progress{}, nil
	}
	var f progressFile
	if err := json.Unmarshal(raw, &f); err != nil || f.Version != progressVersion {
		return nil, fmt.Errorf("the progress of the lessons cannot be read: expected JSON of version %d", progressVersion)
	}
	if f.Lessons == nil {
		f.Lessons = Progress{}
	}
	f.Lessons.rename()
	return f.Lessons, nil
}

// renamed are the lessons of before under the names that they have now.
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

// rename keeps what was done under the names of before. A lesson that was only
// begun then has other tasks now, and begins anew.
func (p Progress) rename() {
	for id, m := range p {
		name := cmp.Or(renamed[id], id)
		if delete(p, id); m.Done || len(m.First) > 0 {
			p[name] = m
		}
	}
}

// Storage keeps progress between runs. The zero Keeper keeps nothing.
type Storage struct {
	// Load gives what was saved; nothing where nothing was.
	Load func() ([]byte, error)
	Save func([]byte) error
	// MoveAside puts away what was saved and cannot be read, and says under what name.
	MoveAside func() (where string, err error)
}

// Read gives the progress that is kept. Where that cannot be read, it is put
// aside, and the error says so: the progress begins anew.
func (k Storage) Read() (Progress, error) {
	if k.Load == nil {
		return Progress{}, nil
	}
	raw, err := k.Load()
	if err == nil {
		p, fault := DecodeProgress(raw)
		if fault == nil {
			return p, nil
		}
		err = fault
	}
	where, fault := k.MoveAside()
	if fault != nil {
		return Progress{}, fmt.Errorf("%w, and it cannot be put aside: %w", err, fault)
	}
	return Progress{}, fmt.Errorf("your progress begins anew; the old is %s: %w", where, err)
}

// Write keeps progress. It fails as Save does.
func (k Storage) Write(p Progress) error {
	if k.Save == nil {
		return nil
	}
	raw, err := p.Encode()
	if err != nil {
		return err
	}
	return k.Save(raw)
}
