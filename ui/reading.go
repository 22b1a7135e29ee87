package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// reading reads what the current screen needs, and also the facts if they may be out of date.
// The facts are what all screens share, such as the clock and the accounts.
//
// Only one reading is under way at a time, so that a key that is held down does not pile up
// readings. After a failure nothing is read until the user does something.
type reading struct {
	isUnderWay    bool
	hasStaleFacts bool // the facts may be out of date
	hasFailed     bool // the last one failed
}

// readMsg brings what was read for the current screen. All of it was read in one read
// transaction, so it is of one revision of the chain.
type readMsg struct {
	app.Answer               // what the screen needed; its Msg is nil if that was nothing
	actor      cw721.Address // the actor when the reading began
	facts      *app.Facts    // the facts, if they were read; nil if the known ones still hold
	err        error         // why the reading failed; nil if it did not
}

// next returns the command that reads whatever is missing on a screen; nil if nothing is, or
// if a reading is under way. Keys wait for it in keys, by what the screen shows already.
func (r *reading) next(state *app.State, screen app.Screen, keys *keyQueue) tea.Cmd {
	waitsForUser := r.hasFailed && !r.hasStaleFacts
	if !state.Created || r.isUnderWay || waitsForUser {
		return nil
	}

	// Ask the screen what it needs. If the chain may have changed, tell the screen first.
	hasStaleFacts := r.hasStaleFacts
	if hasStaleFacts {
		screen.Refresh(state)
	}
	screenRead := screen.NextRead(state)
	if screenRead == nil && !hasStaleFacts {
		return nil
	}

	// The command reads the present facts, so only a later change makes them stale again.
	r.isUnderWay = true
	r.hasStaleFacts = false
	cmd := readCmd(state, screen, screenRead, hasStaleFacts)
	lister, hasList := screen.(app.Lister)
	switch {
	case hasStaleFacts:
		return keys.await(factsWork, cmd)
	case hasList && lister.List().IsSearching():
		return cmd // no key waits for the rest of a long search
	case screen.Typing(), hasList && !lister.List().Loading():
		return keys.await(lightWork, cmd) // if the rows of a list are there, only the detail is missing
	}
	return keys.await(blockingWork, cmd)
}

// readCmd returns the command that reads what a screen needs; screenRead is nil if that is
// nothing. It also reads the facts if they are stale, or if the chain has another revision by
// the time the command runs.
func readCmd(state *app.State, screen app.Screen, screenRead app.Read, hasStaleFacts bool) tea.Cmd {
	// The command runs on another goroutine, so it must not use the state.
	engine := state.Engine
	knownFacts := state.Facts
	actor := state.Actor
	actsFirst := state.ActsFirst
	return func() tea.Msg {
		msg := readMsg{Answer: app.Answer{Engine: engine, Asker: screen}, actor: actor}
		msg.err = engine.View(func(view *chain.View) (err error) {
			// Read the facts and what the screen needs in one view, so that they are of one
			// revision.
			facts := knownFacts
			if hasStaleFacts || view.Revision != knownFacts.Revision {
				facts, err = app.ReadFacts(view, actor, actsFirst)
				if err != nil {
					return err
				}
				msg.facts = &facts
			}
			if screenRead == nil {
				return nil
			}
			msg.Msg, err = screenRead(view, facts)
			return err
		})
		if msg.err != nil {
			msg.Msg = app.ReadFailedMsg{Err: msg.err}
		}
		return msg
	}
}

// finish ends the reading: it replaces the facts in the state by those that were read.
// isCurrent is false if another chain is shown by now, or another actor was chosen. Then
// everything must be read again.
func (r *reading) finish(state *app.State, msg readMsg) (isCurrent bool) {
	r.isUnderWay = false
	isOfOtherActor := msg.facts != nil && msg.actor != state.Actor
	if isOfOtherActor || msg.Engine != state.Engine {
		r.hasStaleFacts = true
		return false
	}
	r.hasFailed = msg.err != nil
	if msg.facts != nil {
		state.Facts = *msg.facts
		state.Actor = msg.facts.FactsActor
	}
	return true
}
