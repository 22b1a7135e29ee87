package form

import (
	"fmt"
	"strings"

	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// ParseShare reads a share as people write it, "5 %", or as the contract does,
// "0.05".
func ParseShare(text string) (cw721.Share, error) {
	text = strings.TrimSpace(text)
	percent, ok := strings.CutSuffix(text, "%")
	percent = strings.TrimSpace(percent)
	whole, frac, dotted := strings.Cut(percent, ".")
	share, err := cw721.ParseShare(percent)
	if err != nil || ok && dotted && len(frac) > 16 {
		return cw721.Share{}, fmt.Errorf("share: %q is no share, expected like 5 %% or 0.05", text)
	}
	if !ok {
		return share, nil
	}
	whole = "00" + whole
	return cw721.ParseShare(whole[:len(whole)-2] + "." + whole[len(whole)-2:] + frac)
}

// ShareSlip calls out a percentage that was typed as a share, as the contract
// would take it: 5 is 500 %. It is nil where none is likely.
func ShareSlip(text string, share cw721.Share) []widget.Line {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "%") || share.Cmp(cw721.Percent(100)) <= 0 {
		return nil
	}
	return []widget.Line{widget.In(themes.Warn, fmt.Sprintf("%s %s is %s %%: was %s %% meant?", themes.GlyphWarn, text, share.Percentage(), text))}
}
