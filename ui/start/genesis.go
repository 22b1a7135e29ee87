package start

import (
	"errors"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// fieldOptions returns an option of a form field for each of some values. When the form
// opens, the field has the first of them.
func fieldOptions[S ~string](values ...S) (options []widget.Candidate) {
	for _, value := range values {
		options = append(options, widget.Candidate{Value: string(value)})
	}
	return options
}

// optionsOrUnset returns an option without a value, labelled unsetLabel, and then the values.
func optionsOrUnset[S ~string](unsetLabel string, values ...S) []widget.Candidate {
	return append([]widget.Candidate{{Label: unsetLabel}}, fieldOptions(values...)...)
}

// wallClock returns the clock of a new chain: height 1, and the present time without
// fractions of a second.
func wallClock(state *app.State) chain.Clock {
	now := state.WallTime().Truncate(time.Second)
	return chain.Clock{Height: 1, Time: cw721.Time(now.UnixNano())}
}

// readGenesis reads the rules, the flavour, the prefix and the first block of a new chain
// from the fields of a form. If a field is wrong, it adds a problem to result. An empty
// time stays 0. A relative time, such as "+90m", counts from now.
func readGenesis(values map[string]string, now chain.Clock, result *form.Result) chain.Genesis {
	genesis, problems := chain.ParseGenesis(chain.GenesisFields{
		Rules:   values["rules"],
		Flavour: values["flavour"],
		Prefix:  strings.TrimSpace(values["prefix"]),
		Height:  form.WithoutSeparators(values["height"]),
	})
	for _, problem := range problems {
		if fieldError, isFieldError := errors.AsType[*chain.FieldError](problem); isFieldError {
			result.Fail(fieldError.Field, fieldError.Error())
		}
	}

	// The form has its own way to read a time, which may be relative.
	if timeText := values["time"]; timeText != "" {
		if startTime := result.ReadTime(now, timeText, "time", "start time"); startTime != nil {
			genesis.Clock.Time = *startTime
		}
	}
	return genesis
}
