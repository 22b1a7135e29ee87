package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

// largestShare is (2^128 - 1) × 10^-18.
const largestShare = "340282366920938463463.374607431768211455"

func TestInvalidSharesAreRefusedWithTheContractsCause(t *testing.T) {
	const (
		whole    = "Error parsing whole"
		fraction = "Error parsing fractional"
		digits   = "Cannot parse more than 18 fractional digits"
		dots     = "Unexpected number of dots"
		big      = "Value too big"
	)
	for text, cause := range map[string]string{
		"": whole, ".": whole, ".1": whole, "-0.1": whole, "-1": whole, "1e-2": whole, "0,1": whole, " 0.1": whole, "+": whole, "0x1": whole,
		"5%": whole, "１": whole, "1_0": whole, "\t1": whole, "1\n": whole, "NaN": whole, "١": whole,
		"0.": fraction, "0.-5": fraction, "0.1 ": fraction, "0.1e2": fraction, "0.x": fraction, "1..2": fraction, "1.x.2": fraction,
		"0.0000000000000000001": digits, "0.1000000000000000000": digits, "0.1234567890123456789": digits,
		"1.2.3": dots, "0.1.": dots,
		"340282366920938463463.374607431768211456": big, "340282366920938463464": big, "340282366920938463464.x": big,
		// Each part must fit in 128 bits by itself.
		strings.Repeat("9", 5000): whole, "340282366920938463463374607431768211456": whole, "340282366920938463463374607431768211455": big,
		"0." + strings.Repeat("9", 40): fraction, "0." + strings.Repeat("0", 40): digits,
		"++1": whole, "+-1": whole, "-+1": whole, "+.1": whole, "0.+": fraction, "0.++5": fraction, "0.+12345678901234567x": fraction,
		"0.+123456789012345678": digits,
	} {
		_, err := cw721.ParseShare(text)
		want := "Error parsing decimal '" + text + "': Generic error: " + cause
		if err == nil || err.Error() != want {
			t.Errorf("%.60q gives %v, want %s", text, err, want)
		}
	}
}

func TestSharesAreComparedExactly(t *testing.T) {
	for _, c := range []struct{ larger, smaller, difference string }{
		{"0.100000000000000001", "0.1", "0.000000000000000001"},
		{largestShare, "18.446744073709551616", "340282366920938463444.927863358058659839"},
		{"18.446744073709551616", "18.446744073709551615", "0.000000000000000001"},
		{"256", "255", "1"},
	} {
		larger := kvtest.Must(cw721.ParseShare(c.larger))(t)
		smaller := kvtest.Must(cw721.ParseShare(c.smaller))(t)

		if larger.Cmp(smaller) != 1 || smaller.Cmp(larger) != -1 || larger.Cmp(larger) != 0 {
			t.Errorf("%s is not greater than %s", larger, smaller)
		}
		if got := larger.Sub(smaller).String(); got != c.difference {
			t.Errorf("%s - %s is %s, want %s", larger, smaller, got, c.difference)
		}
	}
}

func TestAShareOfAnAmountIsRoundedDown(t *testing.T) {
	for _, c := range []struct {
		share        string
		amount, want uint64
	}{
		{"0.05", 100, 5}, {"0.05", 19, 0}, {"0.05", 20, 1}, {"0.1", 18446744073709551615, 1844674407370955161},
		{"0", 100, 0}, {"1", 100, 100}, {"0.000000000000000001", 999_999_999_999_999_999, 0}, {"0.000000000000000001", 1e18, 1}, {"2", 100, 100},
	} {
		s := kvtest.Must(cw721.ParseShare(c.share))(t)
		if got := s.PortionOf(c.amount); got != c.want {
			t.Errorf("%s of %d is %d, want %d", c.share, c.amount, got, c.want)
		}
	}
}
