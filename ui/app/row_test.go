package app

import (
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
)

func TestCountdownShowsWhatIsLeftOfAGrantsOwnLife(t *testing.T) {
	c := chain.Clock{Height: 1000, Time: 1_795_262_405_000_000_000, SecondsPerBlock: 5}
	given := func(blocksAgo cw721.Height) cw721.Block {
		return cw721.Block{Height: c.Height - blocksAgo, Time: c.Time - cw721.Time(blocksAgo)*5e9}
	}
	blocks := func(n cw721.Height) cw721.Expiration { return cw721.UntilHeight(c.Height + n) }
	seconds := func(n cw721.Time) cw721.Expiration { return cw721.UntilTime(c.Time + n*1e9) }
	for name, test := range map[string]struct {
		given   cw721.Block
		expires cw721.Expiration
		full    int // of 40 cells
		role    themes.Role
	}{
		"just given":                {given(0), blocks(98), 40, themes.Bar},
		"just given, until a time":  {given(0), seconds(7200), 40, themes.Bar},
		"half of it":                {given(98), blocks(98), 20, themes.Bar},
		"98 blocks of a long life":  {given(294), blocks(98), 10, themes.Bar},
		"13 blocks of a short life": {given(7), blocks(13), 26, themes.Bar},
		"a time, a quarter of it":   {given(30), seconds(51), 10, themes.Bar}, // 51 of 201
		"the last ten blocks":       {given(10), blocks(10), 20, themes.Warn},
		"the last fifty seconds":    {given(10), seconds(50), 20, themes.Warn},
		"the last of very many":     {given(999), blocks(1), 1, themes.Warn},
		"one block of many is gone": {given(1), blocks(999), 39, themes.Bar},
		"expired":                   {given(20), blocks(0), 0, themes.Warn},
		"given when it had expired": {given(0), cw721.UntilHeight(900), 0, themes.Warn},
		"until the greatest height": {given(0), cw721.UntilHeight(^cw721.Height(0)), 40, themes.Bar},
		"one axis moved by itself":  {cw721.Block{Height: c.Height, Time: c.Time - 100e9}, seconds(100), 20, themes.Bar},
	} {
		bar := Countdown(40, expiry.Entry{Grant: cw721.Grant{Expires: test.expires}, GrantedAt: test.given}, c)
		if full := strings.Count(bar.String(), themes.GlyphFull); full != test.full || bar.Width() != 40 {
			t.Errorf("%s: %d of 40 cells are full, expected %d", name, full, test.full)
		}
		if full := test.full > 0; full && bar[0].Role != test.role {
			t.Errorf("%s: its colour is %v", name, bar[0].Role)
		}
	}

	// Without an end there is no share, and without a beginning neither.
	if bar := Countdown(40, expiry.Entry{GrantedAt: given(1)}, c); bar != nil {
		t.Errorf("never: %v", bar)
	}
	if bar := Countdown(40, expiry.Entry{Grant: cw721.Grant{Expires: blocks(10)}}, c); bar != nil {
		t.Errorf("not known when it was given: %v", bar)
	}
}
