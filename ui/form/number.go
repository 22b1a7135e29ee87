package form

import (
	"fmt"
	"strings"

	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// ParseShare reads a share in percent, like "5 %", or as the contract writes it,
// like "0.05".
func ParseShare(text string) (cw721.Share, error) {
	text = strings.TrimSpace(text)
	number, isPercent := strings.CutSuffix(text, "%")
	number = strings.TrimSpace(number)
	whole, fraction, _ := strings.Cut(number, ".")
	share, err := cw721.ParseShare(number)
	if err != nil || isPercent && len(fraction) > 16 { // a share has 18 decimals
		return cw721.Share{}, fmt.Errorf("share: %q is no share, expected like 5 %% or 0.05", text)
	}
	if !isPercent {
		return share, nil
	}

	// Divide by 100 by moving the point two digits to the left. For example, "5.5"
	// becomes "0.055".
	paddedWhole := "00" + whole
	point := len(paddedWhole) - 2
	return cw721.ParseShare(paddedWhole[:point] + "." + paddedWhole[point:] + fraction)
}

// PercentSignWarning returns a warning if a percentage was probably typed without its
// sign, because the contract takes "5" as 500 %. It returns nil for a text with the sign,
// and for a share of at most 100 %.
func PercentSignWarning(text string, share cw721.Share) []widget.Line {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "%") || share.Cmp(cw721.Percent(100)) <= 0 {
		return nil
	}
	question := fmt.Sprintf("%s is %s %%: was %s %% meant?", text, share.Percentage(), text)
	return []widget.Line{widget.Warning(question)}
}

// WithoutSeparators removes what people put between the digits of a long number: commas,
// underscores and spaces.
func WithoutSeparators(number string) string {
	return strings.NewReplacer(",", "", "_", "", " ", "").Replace(number)
}
