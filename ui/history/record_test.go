package history_test

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
	"ephemera/core/chain/chaintest"
	"ephemera/core/dump"
	"ephemera/core/kv"
	"ephemera/core/scenario"
	"ephemera/ui"
	"ephemera/ui/uitest"
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
	res, err := scenario.Run(context.Background(), r, scenario.Options{
		Open: func() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) },
		Import: func(c *chain.Chain, g chain.Genesis, name string) error {
			return c.Import(g, dump.Read(strings.NewReader(f[name])).Records(), nil)
		},
	})
	if err != nil || res.FailedSteps > 0 {
		t.Fatalf("%v %v\n%s", err, res.Mismatches, f[path])
	}
}

func TestWhatHappenedIsRecordedFromAnyScreenAndPlaysTheSame(t *testing.T) {
	d, disk := uitest.New(t, ui.New, 120, 36), files{}
	d.Model.State().Save = disk.save
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.Press("R")
	d.Sees("Record as a scenario", "from the beginning to the current moment")
	d.Keys("story.yaml", "enter")
	d.Sees("recorded 31 steps in story.yaml")
	d.DoesNotSee("Record as a scenario")
	disk.plays(t, "story.yaml")
	if !strings.Contains(disk["story.yaml"], "ape-01") {
		t.Errorf("the last message is missing:\n%s", disk["story.yaml"])
	}
}

func TestAFileThatIsThereIsReplacedOnlyWhenThatIsAskedFor(t *testing.T) {
	d, disk := uitest.New(t, ui.New, 80, 24), files{"story.yaml": "precious"}
	d.Model.State().Save = disk.save
	d.Keys("R", "story.yaml", "enter")
	d.Sees("story.yaml exists already", "replace it")
	d.Press("enter")
	if disk["story.yaml"] != "precious" {
		t.Fatal("it was replaced without being asked for")
	}
	d.Press("tab", "space", "enter")
	d.SeesIn(uitest.News, "recorded")
	disk.plays(t, "story.yaml")
	d.Fits()
}

func TestAnEmptyNameWritesTheFileThatTheFormShows(t *testing.T) {
	d, disk := uitest.New(t, ui.New, 80, 24), files{}
	d.Model.State().Save = disk.save
	d.Press("R", "enter")
	d.SeesIn(uitest.News, "in story.yaml")
	disk.plays(t, "story.yaml")
}

func TestWhatCannotBeWrittenKeepsTheDialogOpenAndSaysWhy(t *testing.T) {
	d, disk := uitest.New(t, ui.New, 80, 24), files{}
	d.Model.State().Save = disk.save
	d.Keys("R", "story.txt", "enter")
	d.Sees("expected a name that ends in .yaml")
	d.Keys("ctrl+u", "nowhere/x.yaml", "enter")
	d.Sees("there is no such directory", "nowhere/x.yaml")
	if len(disk) != 0 {
		t.Errorf("something was written: %v", disk)
	}
	d.Fits()
}

func TestAnImportedCollectionIsRecordedWithItsStorageBesideIt(t *testing.T) {
	imported, err := chain.Open(kv.NewMemory())
	if err == nil {
		err = uitest.Fixture(t).View(func(v *chain.View) error { return imported.Import(chain.Genesis{}, v.Records(), nil) })
	}
	chaintest.OK(t, err)
	d, disk := uitest.On(t, ui.New, imported, 120, 36), files{}
	d.Model.State().Save = disk.save
	d.Keys(".", ".")
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.Keys("R", "story.yaml", "enter")
	d.Sees("recorded 1 step in story.yaml")
	if !strings.Contains(disk["story.yaml"], "import: story.state.json\n") {
		t.Errorf("it does not name its storage:\n%s", disk["story.yaml"])
	}
	disk.plays(t, "story.yaml")
}

func TestTheRecordDialogLooksAsKept(t *testing.T) {
	for _, size := range uitest.Sizes {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Model.State().Save = files{"story.yaml": "precious"}.save
		d.Keys("R", "story.yaml", "enter")
		d.Golden(fmt.Sprintf("record-%dx%d", size[0], size[1]))
	}
}

func TestWhatWentWrongInAFormStaysWhileTheChainMoves(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Model.State().Save = files{}.save
	d.Keys("R", "nowhere/x.yaml", "enter")
	d.Sees("✗ nowhere/x.yaml: cannot be written")
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.Sees("✗ nowhere/x.yaml: cannot be written")
	d.Press("backspace")
	d.DoesNotSee("cannot be written")
}

func TestAnImportSaysHowManyRecordsCame(t *testing.T) {
	imported := chaintest.Must(chaintest.InMemory())(t)
	chaintest.OK(t, uitest.Fixture(t).View(func(v *chain.View) error {
		return imported.Import(chain.Genesis{}, v.Records(), nil)
	}))
	d := uitest.On(t, ui.New, imported, 120, 36)
	d.To("History")
	d.SeesIn(uitest.Detail, "What it changed", "· import of")
	d.DoesNotSee("nothing changes")
}
