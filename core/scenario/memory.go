package scenario

import "io"

// NewReader returns a reader of a scenario in memory. file is the file name in errors and
// mismatches.
func (s *Scenario) NewReader(file string) *Reader {
	index := 0
	next := func() (Step, error) {
		if index == len(s.Steps) {
			return Step{}, io.EOF
		}
		index++
		return s.Steps[index-1], nil
	}
	return &Reader{Header: s.Header, File: file, next: next}
}

// Write writes the scenario in a format. It fails as the function [Write] does.
func (s *Scenario) Write(w io.Writer, f Format) error {
	return Write(w, f, s.Header, func(write func(Step) error) error {
		for _, step := range s.Steps {
			if err := write(step); err != nil {
				return err
			}
		}
		return nil
	})
}
