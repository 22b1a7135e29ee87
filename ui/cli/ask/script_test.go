package ask_test

import (
	"testing"

	"ephemera/ui/cli/clitest"
)

func TestCommandsAnswerAsTheirScriptsSay(t *testing.T) { clitest.RunScripts(t, "../../..") }
