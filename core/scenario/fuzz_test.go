package scenario_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

// checkBadInput checks that a text, with each of its rows, plays or fails with an error that
// names the file.
func checkBadInput(t *testing.T, name, text string) {
	r, err := scenario.Open(name, strings.NewReader(text))
	if err == nil && len(r.Rows()) > 0 {
		for row := range r.Rows() {
			checkBadRow(t, r, row)
		}
		return
	}
	if err == nil {
		_, err = scenario.Run(context.Background(), r, scenario.Options{Open: chaintest.InMemory})
	}
	if err == nil {
		checkReadsBack(t, name, text)
		return
	}
	checkNamesFile(t, name, text, err)
}

// checkBadRow checks that a row plays or fails with an error that names the file.
func checkBadRow(t *testing.T, r *scenario.Reader, row int) {
	err := r.RewindToRow(row)
	if err == nil {
		_, err = scenario.Run(context.Background(), r, scenario.Options{Open: chaintest.InMemory})
	}
	if err != nil {
		checkNamesFile(t, r.File, r.Rows()[row], err)
	}
}

// checkNamesFile checks that an error is about the file and has a text.
func checkNamesFile(t *testing.T, name, text string, err error) {
	var e *scenario.Error
	if !errors.As(err, &e) || e.File != name || e.Text == "" {
		t.Errorf("%q gave %#v", text, err)
	}
}

// checkReadsBack writes a scenario that was read, and reads it again.
func checkReadsBack(t *testing.T, name, text string) {
	s := chaintest.Must(scenario.Load(name, strings.NewReader(text)))(t)
	var w bytes.Buffer
	chaintest.OK(t, s.Write(&w, scenario.JSONLines))
	if _, err := scenario.Load("again.jsonl", &w); err != nil {
		t.Errorf("%q was written so that it does not read: %v", text, err)
	}
}

func FuzzYAML(f *testing.F) {
	f.Add(story)
	f.Add(rowsStory)
	f.Add("name: &a x\nabout: *a\nsteps: [{note: !!str 5}, {query: {? a : b}}]\n")
	f.Fuzz(func(t *testing.T, text string) { checkBadInput(t, "x.yaml", text) })
}

func FuzzLines(f *testing.F) {
	f.Add(rowsInLines)
	f.Add(`{"a":1,"rows"`)
	f.Add(opening + `{"at":{"height":3,"time":"9"},"as":"$bob","execute":{"mint":{}},"expect":{"has":{"messages":[]}}}`)
	f.Add("{}\n" + `{"state":[["61","b"]],"contracts":{"m":"plain"},"ask":{"choices":["a"]}}`)
	f.Fuzz(func(t *testing.T, text string) { checkBadInput(t, "x.jsonl", text) })
}
