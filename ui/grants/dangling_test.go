package grants_test

import (
	"errors"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestWhatDanglesIsListedWithItsSentencesAndCanBeRevoked(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"approve":{"token_id":"ape-01","spender":"$alice"}}`)
	d.Keys("2", "/", "is:dangling", "enter")
	d.Sees("1 dangling of 3 looked at", "▸ ●  ape-01", "gives a permission that alice has anyway · r revokes it, as alice")
	d.DoesNotSee("ape-07")
	d.Keys("tab")
	d.Sees("2 dangling of 2 looked at", "/ is:dangling", "erin can renew it without bob · r revokes it,")
	d.Press("j")
	d.Sees("▸ ●  dave", "never expires, and covers every token that alice will ever own")
	d.Keys("r")
	d.Sees("Revoke an operator")
	d.Press("enter")
	d.Sees("1 dangling of 1 looked at")
	d.Press("esc")
	d.Sees("1 operator")
	d.DoesNotSee("renew it without bob")
}

func TestWhatDanglesIsRevokedAsTheSentenceSays(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("bob", `{"approve":{"token_id":"ape-02","spender":"$bob"}}`)
	d.Keys("2", "/", "is:dangling", "enter")
	d.Sees("1 dangling of 3 looked at", "r revokes it, as bob")
	d.Keys("r")
	d.Sees("it will work")
	d.Keys("enter", "enter")
	d.Sees("0 dangling of 2 looked at")
}

func TestNothingThatDanglesIsSaidWithWhatWasLookedAt(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Keys("2", "/", "is:dangling", "enter")
	d.Sees("0 dangling of 2 looked at", "none of those that were looked at dangles: tab looks at the operators")

	// What is not in the history was not looked at.
	chaintest.Must(d.Chain.Prune(1))(t)
	d.Press(".")
	d.Sees("at least 0 dangling of 2 looked at", "the messages before #", "are not in the history")

	// Where the sentence about the grant needs the lines, the title still says so.
	d = uitest.New(t, ui.New, 60, 20)
	d.Do("alice", `{"approve":{"token_id":"ape-01","spender":"$bob","expires":{"at_height":1795262500}}}`)
	chaintest.Must(d.Chain.Prune(1))(t)
	d.Keys("2", "/", "is:dangling", "enter")
	d.Sees("at least 1 dangling of 3 looked at", "was a time meant?")
}

func TestThePaletteShowsWhatDangles(t *testing.T) {
	d := uitest.On(t, ui.New, uitest.Crowded(t), 120, 36)
	d.Keys(":", "dangling", "enter")
	d.Sees("6 dangling of 30 looked at", "/ is:dangling", "1–6 of 6")
}

func TestGrantsAreFilteredByTokenAndByWhoGaveThem(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("2", "/", "token:ape-07", "enter")
	d.Sees("▸ ●  ape-07", "1–1 of 1", "/ token:ape-07")
	d.Keys("tab") // operators who act on it
	d.Sees("▸ ●  dave", "1–1 of 1")
	d.DoesNotSee("erin")
	d.Keys("/", "ctrl+u", "by:bob", "enter")
	d.Sees("▸ ●  erin", "1–1 of 1")
	d.Keys("/", "ctrl+u", "never", "enter") // a word of the column EXPIRES
	d.Sees("▸ ●  dave", "1–1 of 1")
	d.DoesNotSee("erin")
	d.Keys("/", "ctrl+u", "can:bob", "enter")
	d.Sees("can: is no key here", "token: by: spender: owner: expires< is:dangling")
	d.Keys("/", "ctrl+u", "is:lost")
	d.Sees(`is: "lost" is no such condition, expected is:dangling`)
	d.Keys("ctrl+u", "is:", "tab", "enter")
	d.Sees("/ is:dangling", "2 dangling of 2 looked at")
}

func TestNothingIsJudgedOnlyAsLongAsTheSessionIsLocked(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("3", "/", "is:dangling", "enter")
	d.Sees("2 dangling of 2 looked at")
	lock := errors.New("a question waits for its answer")
	d.Given(func(state *app.State) { state.CheckLock = func() error { return lock } })
	d.Keys("s")
	d.Sees("at least 0 dangling of 0 looked at", "a question waits for its answer")
	lock = nil
	d.Keys("s")
	d.Sees("2 dangling of 2 looked at")
	d.DoesNotSee("at least", "a question waits")
}
