package lesson

import (
	"cmp"
	"encoding/json"
	"fmt"
)

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

// Read returns the stored progress. If the file cannot be read, Read renames it, so that
// the next Write does not overwrite it. Read then returns an error that has the new name,
// together with empty progress, with which the caller can go on.
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

	// Rename the file, so that the next Write does not overwrite it.
	newName, moveErr := s.MoveAside()
	if moveErr != nil {
		return Progress{}, fmt.Errorf("%w, and it cannot be put aside: %w", err, moveErr)
	}
	return Progress{}, fmt.Errorf("your progress begins again; the old file is %s: %w", newName, err)
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

// DecodeProgress reads JSON that [Progress.Encode] wrote in this or an earlier version of
// the program. For an empty text it returns the empty progress of somebody who has played
// no lesson. It fails for any other text.
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

	// Lessons had other IDs in earlier versions. A record of an unfinished lesson without
	// records of its tasks is dropped. An earlier version wrote it, and the number of done
	// tasks in it no longer means the same tasks.
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
