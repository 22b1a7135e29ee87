package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

const mostShare = "340282366920938463463.374607431768211455" // 2^128-1 atomics

func TestASharePrintsInItsNormalForm(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "0.0": "0", "00": "0", "0.10": "0.1", "00.0500": "0.05", "1": "1", "1.0": "1", "10": "10", "100.010": "100.01",
		"0.000000000000000001": "0.000000000000000001", "0.100000000000000000": "0.1", "000000000000000000000000000000000000000000001": "1",
		"0.010000000000000001": "0.010000000000000001", mostShare: mostShare,
		// Both parts may begin with a plus sign (spec §7).
		"+0.05": "0.05", "0.+5": "0.05", "+0.+1": "0.01", "+1": "1", "0.+12345678901234567": "0.012345678901234567",
	} {
		s, err := cw721.ParseShare(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
		} else if got := s.String(); got != want {
			t.Errorf("%s prints as %s, want %s", in, got, want)
		}
	}
}

func TestInvalidSharesAreRefusedWithTheContractsCause(t *testing.T) {
	const whole, fraction, digits, dots, big = "Error parsing whole", "Error parsing fractional",
		"Cannot parse more than 18 fractional digits", "Unexpected number of dots", "Value too big"
	for in, cause := range map[string]string{
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
		_, err := cw721.ParseShare(in)
		if want := "Error parsing decimal '" + in + "': Generic error: " + cause; err == nil || err.Error() != want {
			t.Errorf("%.60q gives %v, want %s", in, err, want)
		}
	}
}

func TestSharesAreComparedExactly(t *testing.T) {
	for _, c := range []struct{ larger, smaller, difference string }{
		{"0.100000000000000001", "0.1", "0.000000000000000001"},
		{mostShare, "18.446744073709551616", "340282366920938463444.927863358058659839"},
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
		share     string
		of, gives uint64
	}{
		{"0.05", 100, 5}, {"0.05", 19, 0}, {"0.05", 20, 1}, {"0.1", 18446744073709551615, 1844674407370955161},
		{"0", 100, 0}, {"1", 100, 100}, {"0.000000000000000001", 999_999_999_999_999_999, 0}, {"0.000000000000000001", 1e18, 1}, {"2", 100, 100},
	} {
		s := kvtest.Must(cw721.ParseShare(c.share))(t)
		if got := s.PortionOf(c.of); got != c.gives {
			t.Errorf("%s of %d is %d, want %d", c.share, c.of, got, c.gives)
		}
	}
}

func TestPeopleReadSharesAsPercentages(t *testing.T) {
	for in, want := range map[string]string{"0": "0", "0.05": "5", "0.1": "10", "0.025": "2.5", "0.2": "20", "5": "500", "18": "1800", "20": "20 × 100", "0.000000000000000001": "0.0000000000000001"} {
		s := kvtest.Must(cw721.ParseShare(in))(t)
		if got := s.Percentage(); got != want {
			t.Errorf("%s is %s %%, want %s", in, got, want)
		}
	}
	if got := cw721.Percent(10).Cmp(cw721.MaxShare); got != 0 {
		t.Errorf("ten percent against the largest share is %d", got)
	}
}
