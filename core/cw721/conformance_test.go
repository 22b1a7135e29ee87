package cw721_test

import (
	"os"
	"testing"

	"ephemera/core/cw721/cw721test"
	"ephemera/core/kv"
)

func TestEveryAnswerIsThatOfThePublicContracts(t *testing.T) {
	cw721test.Run(t, os.DirFS("testdata"), kv.NewMemory())
}
