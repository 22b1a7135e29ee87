package wire_test

import (
	"testing"

	"github.com/go-json-experiment/json"

	"ephemera/core/wire"
)

func TestAProblemNamesTheMemberAndNoTypeOfGo(t *testing.T) {
	var into struct {
		Outer struct{ Inner string }
	}
	for text, want := range map[string]string{
		`{"Outer":{"Inner":[]}}`: `"Outer.Inner": expected another type, got an array`,
		`{"Outer":7}`:            `"Outer": expected another type, got a number`,
		`{"Outer"`:               `it is not JSON at byte 8`,
	} {
		if got := wire.DescribeJSONError(json.Unmarshal([]byte(text), &into)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
