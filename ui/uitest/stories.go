package uitest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/rogpeppe/go-internal/txtar"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/app"
)

// storyParts are the parts of the screen that a step of a story looks at.
var storyParts = map[string]Part{
	"header": Header,
	"list":   List,
	"detail": Detail,
	"dialog": Dialog,
	"news":   News,
	"clock":  Clock,
	"footer": Footer,
}

// Stories plays each story in testdata/stories.txtar as a test of its own. A story is a
// file of that archive. It opens the explorer on the fixture, in a terminal of 120×36,
// and takes the steps on its lines:
//
//	size 80x24           changes the size of the terminal
//	to Accounts          shows a screen
//	row ape-04           puts the cursor on the first row that begins with a text
//	press e esc          presses keys
//	type owner:bob       types a text
//	filter owner:bob     filters the list
//	click OWNS           clicks the first place that shows a text
//	as bob               acts as an account
//	do alice {"burn":…}  lets an account send a message behind the explorer's back
//	wait                 lets all timers end
//	see 1–2 of 2         checks that the screen shows a text
//	list 1–2 of 2        checks that a part of the screen does; see storyParts
//	gone 1–2 of 2        checks that the screen does not show a text
//
// A text can be quoted, so that its spaces show. After each step the frame must fit the
// terminal. A line that begins with # is a comment.
func Stories[M Explorer](t *testing.T, create func(app.Options) M) {
	archive := chaintest.Must(txtar.ParseFile("testdata/stories.txtar"))(t)
	for _, story := range archive.Files {
		t.Run(story.Name, func(t *testing.T) {
			d := New(t, create, 120, 36)
			var step string
			defer func() {
				if t.Failed() {
					t.Logf("the story failed in the step %q", step)
				}
			}()
			for step = range strings.SplitSeq(string(story.Data), "\n") {
				d.takeStep(step)
				d.Fits()
			}
		})
	}
}

// takeStep takes a step of a story; see [Stories].
func (d *Driver) takeStep(step string) {
	d.T.Helper()
	verb, argument, _ := strings.Cut(step, " ")
	if text, err := strconv.Unquote(argument); err == nil {
		argument = text
	}
	if part, isPart := storyParts[verb]; isPart {
		d.SeesIn(part, argument)
		return
	}
	switch verb {
	case "", "#":
	case "size":
		var size tea.WindowSizeMsg
		_, err := fmt.Sscanf(argument, "%dx%d", &size.Width, &size.Height)
		chaintest.OK(d.T, err)
		d.Send(size)
	case "to":
		d.To(argument)
	case "row":
		d.UnderCursor(argument)
	case "press":
		d.Press(strings.Fields(argument)...)
	case "type":
		d.Types(argument)
	case "filter":
		d.Filter(argument)
	case "click":
		d.Click(argument, 0)
	case "as":
		d.ActAs(argument)
	case "do":
		who, msg, _ := strings.Cut(argument, " ")
		d.Do(who, msg)
	case "wait":
		d.Wait()
	case "see":
		d.Sees(argument)
	case "gone":
		d.DoesNotSee(argument)
	default:
		d.T.Fatalf("no story has the step %q", step)
	}
}
