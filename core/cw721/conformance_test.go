package cw721_test

import (
	"testing"

	"ephemera/core/cw721/cw721test"
	"ephemera/core/kv"
)

func TestEveryAnswerIsThatOfTheRealContracts(t *testing.T) {
	cw721test.Run(t, "testdata", kv.NewMemory())
}
