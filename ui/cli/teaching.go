package cli

import (
	_ "embed"

	"github.com/spf13/cobra"
)

//go:embed teaching.md
var teaching string

// teachingTopic is the page for teachers. It does nothing, so cobra lists it
// as a topic of the help.
func teachingTopic() *cobra.Command {
	return &cobra.Command{
		Use:     "teaching",
		Short:   "How to teach a class with the lessons",
		Long:    teaching,
		Example: `  ephemera help teaching`,
	}
}
