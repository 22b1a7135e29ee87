package ui

import (
	"errors"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/ui/crash"
)

func openEmpty() (Engine, error) { return chain.Open(kv.NewMemory()) }

func TestADatabaseIsOpenedBeforeAnybodyAsks(t *testing.T) {
	opened := make(chan struct{})
	open := openNow(func() (Engine, error) {
		close(opened)
		return openEmpty()
	})
	<-opened
	e, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestWhoAsksAgainOpensAgain(t *testing.T) {
	locked := errors.New("locked")
	answers := []error{locked, nil}
	open := openNow(func() (Engine, error) {
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

func TestAPanicWhileOpeningIsReported(t *testing.T) {
	_, err := openNow(func() (Engine, error) { panic("broken") })()
	if broken := (*crash.Panic)(nil); !errors.As(err, &broken) {
		t.Errorf("got %v", err)
	}
}

func TestAnEngineThatNobodyCameForIsClosed(t *testing.T) {
	var k keeper
	var engine Engine
	open := openNow(k.keep(func() (e Engine, err error) {
		engine, err = openEmpty()
		return engine, err
	}))
	if _, err := open(); err != nil {
		t.Fatal(err)
	}
	if err := k.close(); err != nil {
		t.Fatal(err)
	}
	if err := engine.View(func(*chain.View) error { return nil }); err == nil {
		t.Error("it is still open")
	}
	if _, err := open(); !errors.Is(err, errOver) {
		t.Errorf("after the end: %v", err)
	}
}
