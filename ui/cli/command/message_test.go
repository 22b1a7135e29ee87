package command

import (
	"context"
	"errors"
	"io"
	"testing"
)

func TestAnInterruptionEndsTheWaitForStdin(t *testing.T) {
	silent, end := io.Pipe()
	defer end.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	a := &App{Program: Program{Stdin: waiting{silent, interrupt}}}
	if _, err := a.ReadMessage(ctx, "-"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// waiting interrupts as soon as it is read from, and then has nothing to read.
type waiting struct {
	io.Reader
	interrupt func()
}

func (w waiting) Read(b []byte) (int, error) {
	w.interrupt()
	return w.Reader.Read(b)
}
