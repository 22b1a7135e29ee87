package app

import (
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
)

func TestCountdownsShareOneScaleAndWarnForTheLastTenBlocks(t *testing.T) {
	c := chain.Clock{Height: 1000, Time: 1_795_262_405_000_000_000, SecondsPerBlock: 5}
	blocks := func(n cw721.Height) cw721.Expiration { return cw721.UntilHeight(c.Height + n) }
	seconds := func(n cw721.Time) cw721.Expiration { return cw721.UntilTime(c.Time + n*1e9) }
	full, last := 0, 0
	for _, e := range []cw721.Expiration{blocks(0), blocks(1), blocks(10), seconds(51), blocks(98), seconds(595), seconds(7200), seconds(86400)} {
		bar := Countdown(40, e, c)
		if full = strings.Count(bar.String(), themes.GlyphFull); full < last {
			t.Errorf("%v has a shorter bar than what expires before it: %s", e, bar)
		}
		last = full
	}
	if full != 40 {
		t.Errorf("a day fills %d of 40 cells", full)
	}
	if a, b := Countdown(40, blocks(10), c), Countdown(40, seconds(50), c); a.String() != b.String() || a[0].Role != themes.Warn {
		t.Errorf("ten blocks: %v, fifty seconds: %v", a, b)
	}
	if bar := Countdown(40, seconds(51), c); bar[0].Role != themes.Bar {
		t.Errorf("%v is amber", bar)
	}
}
