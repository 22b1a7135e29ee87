package wasm

import (
	"context"
	"os"
	"reflect"
	"testing"
)

func TestAnInstanceSeesNothingOfTheMemoryOfAClosedOne(t *testing.T) {
	ctx := context.Background()
	code, err := os.ReadFile("testdata/contract.wasm")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := Load(ctx, code, Options{Prefix: "cosmos"})
	if err != nil {
		t.Fatal(err)
	}
	first, err := contract.newInstance(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := first.takeImage()

	for range 20 { // the pool may drop the memory of some
		closed, err := contract.newInstance(ctx)
		if err != nil {
			t.Fatal(err)
		}
		dirty := closed.memory.bytes
		for i := range dirty[:cap(dirty)] {
			dirty[:cap(dirty)][i] = 0xff
		}
		contract.dropInstance(closed)

		next, err := contract.newInstance(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(want, next.takeImage()) {
			t.Fatal("a new instance has other memory than the first")
		}
	}
}
