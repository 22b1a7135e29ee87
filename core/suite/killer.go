package suite

import (
	"embed"

	"ephemera/core/mutant"
)

// killers has the killer of each mutant, under the mutant's name. The tests write them, by
// shrinking the scenarios in testdata/stories.
//
//go:embed killers/*.yaml
var killers embed.FS

// Killer returns a scenario in YAML that holds with the true contract and not with a mutant.
// No step of it can be dropped.
func Killer(m mutant.Mutant) (string, error) {
	text, err := killers.ReadFile("killers/" + m.Name + ".yaml")
	return string(text), err
}
