package scenarios

import (
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/core/suite"
	"ephemera/ui/cli/command"
)

// startPlaying starts to play the files and returns a function that waits for the outcomes
// of file i. It must be called once for each file, in the order of files. If the options
// allow it, as many files are played at a time as there are processors.
func (r *runner) startPlaying(files []string) (wait func(i int) []scenarioOutcome) {
	// Options that share a database, print each step, stop at the first failure or ask
	// questions need the files one after the other. Each is then played by wait.
	isSerial := r.isVerbose || r.stopsAtFailure || r.updatesFiles || r.Global.OnDisk
	if isSerial || len(files) == 1 {
		return func(i int) []scenarioOutcome { return r.playFile(files[i]) }
	}

	// Each file has a channel with room for its outcomes, so that a player never waits for
	// the caller.
	outcomesOfFile := make([]chan []scenarioOutcome, len(files))
	for i := range files {
		outcomesOfFile[i] = make(chan []scenarioOutcome, 1)
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0)) // has an item for each played file
	go func() {
		for i, file := range files {
			slots <- struct{}{} // waits while the channel is full
			go func() {
				outcomesOfFile[i] <- r.playFile(file)
				<-slots
			}()
		}
	}()
	return func(i int) []scenarioOutcome { return <-outcomesOfFile[i] }
}

// playFile plays the scenario in a file and returns its outcome, or one for each row of values
// if the scenario has rows. It returns none for a scenario that --filter leaves out.
func (r *runner) playFile(name string) (outcomes []scenarioOutcome) {
	outcome := scenarioOutcome{file: name, result: scenario.Result{Name: name}}
	file, err := r.ScenarioInput(name)
	if err != nil {
		return outcome.onlyOutcomeWith(err)
	}
	defer file.Close()
	outcome.file = file.Name()
	reader, err := scenario.Open(outcome.file, file)
	if err != nil {
		return outcome.onlyOutcomeWith(err)
	}
	searchedText := strings.ToLower(outcome.file + "\n" + reader.Header.Name)
	if !strings.Contains(searchedText, strings.ToLower(r.filter)) {
		return nil
	}

	isStdin := name == "-"
	rows := reader.Rows()
	if len(rows) == 0 {
		err := r.playStory(&outcome, reader, isStdin)
		return outcome.onlyOutcomeWith(err)
	}
	if r.updatesFiles || r.Global.OnDisk {
		err := command.UsageErrorf("%s: has rows, which --update and --db cannot play", outcome.file)
		return outcome.onlyOutcomeWith(err)
	}
	for i := range rows {
		row := scenarioOutcome{file: outcome.file}
		row.err = reader.RewindToRow(i)
		if row.err == nil {
			row.err = r.playStory(&row, reader, isStdin)
		}
		outcomes = append(outcomes, row)
	}
	return outcomes
}

// playStory plays the scenario that a reader is about to read. It sets the fields of outcome
// except for err, and returns why the scenario was not played to its end, or nil.
func (r *runner) playStory(outcome *scenarioOutcome, reader *scenario.Reader, isStdin bool) (err error) {
	outcome.stepStart = time.Now()
	options := scenario.Options{
		Open:     r.OpenInMemory,
		Module:   r.module,
		OnStep:   func(step scenario.PlayedStep) { r.handlePlayedStep(outcome, step) },
		FailFast: r.stopsAtFailure,
		Import:   importNextTo(outcome.file),
	}

	if r.updatesFiles {
		return r.playForUpdate(outcome, reader, options)
	}

	// With --db it plays on that database, and creates it if there is none.
	if r.Global.OnDisk {
		openOptions := r.Global.OpenOptions
		openOptions.Create = true
		return r.UseDatabase(openOptions, func(db *command.Database) (err error) {
			options.Open = nil
			options.Chain = db.Chain
			outcome.result, err = scenario.Run(r.Ctx, reader, options)
			return err
		})
	}

	// handlePlayedStep adds the steps to the story for --mutate, and to the coverage.
	outcome.story = suite.Story{File: outcome.file, Import: options.Import}
	outcome.story.Header = reader.Header
	outcome.coverage = suite.Coverage{}
	outcome.result, err = scenario.Run(r.Ctx, reader, options)
	outcome.story.Rules = outcome.result.Rules
	if err != nil {
		return err
	}
	if !outcome.result.OK() {
		return nil
	}

	// A file that can be a lesson must be right as one. Lessons are YAML files without rows,
	// and are played on the built-in contract.
	hasLessonForm := isYAML(outcome.file) && len(reader.Rows()) == 0 && !isStdin
	if hasLessonForm && r.module == nil && !r.judgesSuite() {
		return r.checkLesson(outcome.file)
	}
	return nil
}

// checkLesson fails if the file has a fault as a lesson, such as "learn check" would report.
func (r *runner) checkLesson(name string) error {
	file, err := command.OpenFile(name)
	if err != nil {
		return err
	}
	defer file.Close()
	faults, err := lesson.FaultsOfFile(name, file, r.OpenInMemory)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return command.UsageErrorf("%s: as a lesson it has a fault: %s", name, faults[0])
	}
	return nil
}

func isYAML(name string) bool {
	format, err := scenario.FormatOf(name)
	return err == nil && format == scenario.YAML
}

// importNextTo imports the dump of a scenario, whose path is relative to the scenario's file.
func importNextTo(file string) scenario.Importer {
	return func(target *chain.Chain, genesis chain.Genesis, name string) error {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		db := command.Database{Chain: target}
		_, err := db.ImportFile(name, genesis, nil)
		return err
	}
}
