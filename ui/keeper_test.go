package ui

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/ui/app"
	"ephemera/ui/crash"
)

func openEmpty() (app.Engine, error) { return chain.Open(kv.NewMemory()) }

func TestOpenEarlyOpensBeforeItsFirstCall(t *testing.T) {
	opened := make(chan struct{})
	open := openEarly(func() (app.Engine, error) {
		close(opened)
		return openEmpty()
	})
	<-opened
	e := chaintest.Must(open())(t)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestTheSecondCallOfOpenEarlyOpensAgain(t *testing.T) {
	locked := errors.New("locked")
	answers := []error{locked, nil}
	open := openEarly(func() (app.Engine, error) {
		err := answers[0]
		answers = answers[1:]
		if err != nil {
			return nil, err
		}
		return openEmpty()
	})
	if _, err := open(); !errors.Is(err, locked) {
		t.Errorf("the first time: %v", err)
	}
	e, err := open()
	if err != nil {
		t.Fatalf("the second time: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestAPanicDuringTheOpeningReachesTheCallerWithItsPlace(t *testing.T) {
	open := openEarly(func() (app.Engine, error) { return brokenOpening() })
	defer func() {
		p := crash.Caught("working in the background", recover())
		if p.Activity != "opening the database" || !strings.Contains(p.Stack, "brokenOpening") {
			t.Errorf("got %v at %s", p, p.Stack)
		}
	}()
	_, err := open()
	t.Errorf("it opened, with %v", err)
}

func brokenOpening() (app.Engine, error) { panic("broken") }

func TestEveryOpenedEngineIsClosedAtTheEnd(t *testing.T) {
	var k engineRegistry
	var engine app.Engine
	open := openEarly(k.recordingOpener(func() (e app.Engine, err error) {
		engine, err = openEmpty()
		return engine, err
	}))
	chaintest.Must(open())(t)
	chaintest.OK(t, k.closeAll())
	if err := engine.View(func(*chain.View) error { return nil }); err == nil {
		t.Error("it is still open")
	}
	if _, err := open(); !errors.Is(err, errProgramEnded) {
		t.Errorf("after the end: %v", err)
	}
}
