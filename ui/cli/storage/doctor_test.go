package storage

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"ephemera/core/doctor"
	"ephemera/ui/cli/command"
)

func TestDoctorSaysHowManyFaultsItDoesNotList(t *testing.T) {
	var stderr bytes.Buffer
	app := &command.App{Program: command.Program{Stdout: io.Discard, Stderr: &stderr}}
	report := &doctor.Report{Faults: []doctor.Fault{{Part: doctor.PartExpiry}}, UnlistedFaults: 1204}
	if err := printCheckup(app, checkupResult{Report: report}); err == nil {
		t.Error("a database with faults has the exit status 0")
	}
	if want := "1,204 more of these are not listed"; !strings.Contains(stderr.String(), want) {
		t.Errorf("it says %q, want %q", stderr.String(), want)
	}
}
