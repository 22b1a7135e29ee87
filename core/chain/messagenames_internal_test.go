package chain

import (
	"errors"
	"slices"
	"testing"

	"ephemera/core/cw721"
)

func TestTheNamesOfMessagesAreThoseInTheRefusalOfAnUnknownOne(t *testing.T) {
	const none = "none"
	for text, want := range map[string][]string{
		"Error parsing into type a::M: unknown variant `?`, expected one of `burn`, `or`, `mint`": {"burn", "or", "mint"},
		"unknown variant `?`, expected `burn` or `mint`":                                          {"burn", "mint"},
		"unknown variant `?`, expected `burn`":                                                    {"burn"},
		"unknown variant `?`, there are no variants":                                              {},
		"unknown variant `?`, expected one of `burn`, `\x1b]0;x\a`":                               {"burn"},
		"unknown variant `?`, expected":                                                           {none},
		"unknown variant `!`, expected `burn`":                                                    {none},
		"Unauthorized":                                                                            {none},
	} {
		names, ok := expectedNames(&cw721.Error{Kind: cw721.KindParse, Text: text})
		if !ok {
			names = []string{none}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: got %q, want %q", text, names, want)
		}
	}
	for _, err := range []error{nil, errors.New("unknown variant `?`, expected `burn`")} {
		if _, ok := expectedNames(err); ok {
			t.Errorf("%v is no refusal of the contract", err)
		}
	}
}
