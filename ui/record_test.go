package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// files keeps what is saved, as a disk would.
type files map[string]string

func (f files) save(path string, replace bool, write func(io.Writer) error) error {
	if path == "nowhere/x.yaml" {
		return errors.New("nowhere/x.yaml: cannot be written: there is no such directory")
	}
	if _, there := f[path]; there && !replace {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	f[path] = b.String()
	return nil
}

// plays fails unless a file runs as it was recorded.
func (f files) plays(t *testing.T, path string) {
	t.Helper()
	r, err := scenario.Open(path, strings.NewReader(f[path]))
	if err != nil {
		t.Fatalf("%v\n%s", err, f[path])
	}
	res, err := scenario.Run(context.Background(), r, scenario.Options{Open: func() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }})
	if err != nil || res.Failed > 0 {
		t.Fatalf("%v %v\n%s", err, res.Mismatches, f[path])
	}
}

func TestWhatHappenedIsRecordedFromAnyScreenAndPlaysTheSame(t *testing.T) {
	d, disk := newDrive(t, New, 120, 36), files{}
	d.model.State().Save = disk.save
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.press("R")
	d.sees("Record as a scenario", "the whole way to where the chain stands")
	d.types("story.yaml")
	d.press("enter")
	d.sees("recorded 31 steps in story.yaml")
	d.doesNotSee("Record as a scenario")
	disk.plays(t, "story.yaml")
	if !strings.Contains(disk["story.yaml"], "ape-01") {
		t.Errorf("the last message is missing:\n%s", disk["story.yaml"])
	}
}

func TestAFileThatIsThereIsReplacedOnlyWhenThatIsAskedFor(t *testing.T) {
	d, disk := newDrive(t, New, 80, 24), files{"story.yaml": "precious"}
	d.model.State().Save = disk.save
	d.press("R")
	d.types("story.yaml")
	d.press("enter")
	d.sees("story.yaml is there already", "replace it")
	d.press("enter")
	if disk["story.yaml"] != "precious" {
		t.Fatal("it was replaced without being asked for")
	}
	d.press("tab", "space", "enter")
	d.sees("recorded")
	disk.plays(t, "story.yaml")
	d.fits()
}

func TestWhatCannotBeWrittenKeepsTheDialogOpenAndSaysWhy(t *testing.T) {
	d, disk := newDrive(t, New, 80, 24), files{}
	d.model.State().Save = disk.save
	d.press("R", "enter")
	d.sees("expected the name of a file")
	d.types("story.txt")
	d.press("enter")
	d.sees("expected a name that ends in .yaml")
	for range len("story.txt") {
		d.press("backspace")
	}
	d.types("nowhere/x.yaml")
	d.press("enter")
	d.sees("there is no such directory", "nowhere/x.yaml")
	if len(disk) != 0 {
		t.Errorf("something was written: %v", disk)
	}
	d.fits()
}

func TestTheStretchBetweenTwoMarksIsRecorded(t *testing.T) {
	d, disk := newDrive(t, New, 120, 36), files{}
	d.model.State().Save = disk.save
	d.do("alice", `{"approve":{"token_id":"ape-01","spender":"$bob","expires":{"at_height":1104}}}`)
	d.press(".", ".")
	d.do("alice", `{"burn":{"token_id":"ape-04"}}`)
	d.to("History")
	d.press("j", "space") // the second move of the clock
	d.sees("marked: R records from #33 to where the chain stands")
	d.press("j", "j", "space")
	d.sees("marked: R records from #31 to #33")
	d.press("R")
	d.sees("from #31 to #33")
	d.types("part.yaml")
	d.press("enter")
	d.sees("in part.yaml")
	disk.plays(t, "part.yaml")
	text := disk["part.yaml"]
	if strings.Contains(text, "burn") || strings.Count(text, "expect:") != 1 || !strings.Contains(text, "sets the scene") {
		t.Errorf("it is not the stretch from #31 to #33:\n%s", text)
	}
	d.press("k", "k", "k", "space") // a third mark takes the place of the second
	d.sees("marked: R records from #33 to #34")
}

func TestAStretchThatLeadsNowhereIsRefusedWithASentence(t *testing.T) {
	d, disk := newDrive(t, New, 120, 36), files{}
	d.model.State().Save = disk.save
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.press("u")
	d.do("alice", `{"burn":{"token_id":"ape-04"}}`)
	d.to("History")
	d.press("j", "space", "R")
	d.types("x.yaml")
	d.press("enter")
	d.sees("#31 does not lead to #32")
	if len(disk) != 0 {
		t.Errorf("something was written: %v", disk)
	}
}

func TestTheRecordDialogLooksAsKept(t *testing.T) {
	for _, size := range sizes {
		d := newDrive(t, New, size[0], size[1])
		d.model.State().Save = files{"story.yaml": "precious"}.save
		d.press("R")
		d.types("story.yaml")
		d.press("enter")
		d.golden(fmt.Sprintf("record-%dx%d", size[0], size[1]))
	}
}
