package command

import (
	"context"
	"errors"
	"io"
	"testing"
)

func TestAnInterruptionEndsTheWaitForStdin(t *testing.T) {
	silent, writer := io.Pipe()
	defer writer.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	a := &App{Ctx: ctx, Program: Program{Stdin: interruptingReader{Reader: silent, interrupt: interrupt}}}
	if _, err := a.ReadMessage("-"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// interruptingReader calls interrupt before each read.
type interruptingReader struct {
	io.Reader
	interrupt func()
}

func (r interruptingReader) Read(b []byte) (int, error) {
	r.interrupt()
	return r.Reader.Read(b)
}
