package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openClockForm opens the form of the clock, which moves the clock to a height or a time, and
// changes the seconds per block. moment is the moment that it begins with, as a user types it;
// it can be empty.
func openClockForm(state *app.State, moment string) tea.Cmd {
	dialog := form.NewAction("Clock", readClock,
		widget.Field{
			Name:        "to",
			Label:       "Move to",
			Value:       moment,
			Placeholder: "+10 blocks",
			Hint:        form.Examples(state.Clock),
		},
		widget.Field{
			Name:  "pace",
			Label: "Seconds a block",
			Value: app.Decimal(state.Clock.SecondsPerBlock),
		},
		widget.Field{
			Name:  "both",
			Label: "Both axes",
			Kind:  widget.ToggleField,
			Value: "true",
			Hint:  "height and time move together",
		},
	)
	dialog.Verb = "set the clock"
	return form.Open(state, dialog)
}

// maxSecondsPerBlock is the longest block that the form of the clock takes: a day.
const maxSecondsPerBlock = 86_400

// readClock reads the form of the clock. Enter will change the seconds per block, and move the
// clock to the typed moment, such as "+10 blocks". An empty moment leaves the block as it is.
func readClock(state *app.State, values map[string]string) (result form.Result) {
	pace, err := strconv.ParseUint(strings.TrimSpace(values["pace"]), 10, 64)
	if err != nil || pace == 0 || pace > maxSecondsPerBlock {
		result.Fail("pace", "seconds a block: expected a whole number from 1 to 86,400")
		return result
	}

	// An empty moment changes only the seconds per block.
	text := strings.TrimSpace(values["to"])
	if text == "" {
		height := human.Thousands(uint64(state.Clock.Height))
		result.Effect = mutedLine("the clock stays at height " + height)
		result.Then = func(st *app.State) tea.Cmd { return setClock(st, pace, nil) }
		return result
	}

	clock := state.Clock
	clock.SecondsPerBlock = pace
	target, effect, err := readTarget(text, clock, values["both"] == "true")
	if err != nil {
		result.Fail("to", err.Error())
		return result
	}
	facts := state.Facts
	result.Effect = mutedLine(effect)
	result.Consequences = func(engine app.Engine) ([]widget.Line, error) {
		return describeExpiriesUntil(engine, target.Block(), facts)
	}
	result.Then = func(st *app.State) tea.Cmd { return setClock(st, pace, &target) }
	return result
}

// readTarget reads a typed moment, such as "+10 blocks" or "h1214". It returns the clock at
// that moment, and a phrase about it, such as "to height 1,214, 2026-11-21 12:40:00 UTC".
//
// The clock has a height and a time. If movesBoth is set, both move together. Otherwise only
// the one that was typed moves, and the phrase says that the two diverge. readTarget fails
// if the text is not a moment, or if the moment is in the past.
func readTarget(text string, clock chain.Clock, movesBoth bool) (target chain.Clock, effect string, err error) {
	parser := human.MomentParser{
		Field:         "move to",
		Noun:          "moment",
		Examples:      form.Examples(clock),
		KeepsFraction: true,
	}
	moment, err := parser.Parse(text, clock.Block())
	if err != nil {
		return target, "", err
	}

	// A moment in the past is refused here. ToExpiry then moves the other axis as well: the
	// clock stops 0 blocks before the moment.
	var step chain.ClockStep
	if moment.Axis == cw721.AtHeight {
		step.Height = new(cw721.Height(moment.Value))
	} else {
		step.Time = new(cw721.Time(moment.Value))
	}
	target, err = clock.AfterStep(step)
	if err == nil && movesBoth {
		target, err = clock.ToExpiry(moment, 0)
	}
	if err != nil {
		return target, "", err
	}

	height := human.Thousands(uint64(target.Height))
	time := human.TimeUTC(target.Time)
	switch {
	case movesBoth:
		effect = fmt.Sprintf("to height %s, %s", height, time)
	case moment.Axis == cw721.AtHeight:
		effect = fmt.Sprintf("to height %s; the time stays %s, so height and time diverge", height, time)
	default:
		effect = fmt.Sprintf("to %s; the height stays %s, so height and time diverge", time, height)
	}
	if warning := explain.UnitWarning(moment, clock); warning != "" {
		effect += " " + themes.GlyphWarn + " " + warning
	}
	return target, effect, nil
}

// describeExpiriesUntil returns a line that says how many grants expire from now until a
// later block, and names the first two, such as "3 grants expire on the way: ape-0042 → bob,
// ape-0007 → carol, 1 more". If none expires, or if the contract's storage cannot be decoded,
// the line says so.
func describeExpiriesUntil(engine app.Engine, laterBlock cw721.Block, facts app.Facts) ([]widget.Line, error) {
	const maxCounted = 1000
	var expiring []expiry.Entry
	hasMore := false
	err := engine.View(func(view *chain.View) (err error) {
		listing := view.InBlock(laterBlock).ExpiredSince(view.Clock.Block())
		expiring, hasMore, err = app.ReadAtMost(listing, maxCounted)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case facts.UnreadableReason != "":
		warning := themes.GlyphWarn + " which grants expire on the way is not known: "
		return []widget.Line{widget.Styled(themes.Warn, warning).Text(facts.UnreadableReason)}, nil
	case len(expiring) == 0:
		return []widget.Line{widget.Muted("no grant expires on the way")}, nil
	}

	count := human.Thousands(uint64(len(expiring)))
	if hasMore {
		count += "+"
	}
	text := count + " grants expire on the way: "
	if len(expiring) == 1 {
		text = "1 grant expires on the way: "
	}
	firstNames := strings.Join(facts.FirstGrants(expiring, hasMore), ", ")
	return []widget.Line{widget.Styled(themes.Warn, text).Text(firstNames)}, nil
}

// setClock returns the command that changes the seconds per block to pace, and then moves
// the clock to the height and time of target. If pace is the present one, or target is nil,
// it leaves out that part.
func setClock(state *app.State, pace uint64, target *chain.Clock) tea.Cmd {
	var cmds []tea.Cmd
	if pace != state.Clock.SecondsPerBlock {
		cmds = append(cmds, state.Write(func(engine app.Engine) tea.Msg {
			move, err := engine.SetPace(pace)
			return app.MovedMsg{Move: move, Err: err}
		}))
	}
	if target != nil {
		step := chain.ClockStep{Height: &target.Height, Time: &target.Time}
		cmds = append(cmds, app.Advance(state, step, app.NoPlay))
	}
	return tea.Sequence(cmds...)
}
