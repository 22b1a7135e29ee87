package cw721_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

const mostShare = "340282366920938463463.374607431768211455" // 2^128-1 atomics

func TestASharePrintsInItsNormalForm(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "0.0": "0", "00": "0", "0.10": "0.1", "00.0500": "0.05", "1": "1", "1.0": "1", "10": "10", "100.010": "100.01",
		"0.000000000000000001": "0.000000000000000001", "0.100000000000000000": "0.1", "000000000000000000000000000000000000000000001": "1",
		"0.010000000000000001": "0.010000000000000001", mostShare: mostShare,
		// The contract's numbers may begin with a plus, in both parts (spec §7).
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

func TestWhatIsNoShareIsRefusedWithTheContractsCause(t *testing.T) {
	const whole, fraction, digits, dots, big = "Error parsing whole", "Error parsing fractional",
		"Cannot parse more than 18 fractional digits", "Unexpected number of dots", "Value too big"
	for in, cause := range map[string]string{
		"": whole, ".": whole, ".1": whole, "-0.1": whole, "-1": whole, "1e-2": whole, "0,1": whole, " 0.1": whole, "+": whole, "0x1": whole,
		"5%": whole, "１": whole, "1_0": whole, "\t1": whole, "1\n": whole, "NaN": whole, "١": whole,
		"0.": fraction, "0.-5": fraction, "0.1 ": fraction, "0.1e2": fraction, "0.x": fraction, "1..2": fraction, "1.x.2": fraction,
		"0.0000000000000000001": digits, "0.1000000000000000000": digits, "0.1234567890123456789": digits,
		"1.2.3": dots, "0.1.": dots,
		"340282366920938463463.374607431768211456": big, "340282366920938463464": big, "340282366920938463464.x": big,
		// Each part is read as a number of 128 bits before it is put in its place.
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
	rapid.Check(t, func(t *rapid.T) {
		a, x := drawShare(t, "a")
		b, y := drawShare(t, "b")
		if got, want := a.Cmp(b), x.Cmp(y); got != want {
			t.Fatalf("%s against %s is %d, want %d", a, b, got, want)
		}
		if a.Cmp(b) >= 0 {
			left, ok := new(big.Int).SetString(strings.ReplaceAll(padded(a.Sub(b).String()), ".", ""), 10)
			if want := new(big.Int).Sub(x, y); !ok || left.Cmp(want) != 0 {
				t.Fatalf("%s - %s is %s", a, b, a.Sub(b))
			}
		}
		again, err := cw721.ParseShare(a.String())
		if err != nil || again != a {
			t.Fatalf("%s came back as %s, %v", a, again, err)
		}
	})
}

// padded writes a decimal with all 18 digits behind the dot.
func padded(s string) string {
	whole, frac, _ := strings.Cut(s, ".")
	return whole + "." + frac + strings.Repeat("0", 18-len(frac))
}

// drawShare draws a share and what it is in atomics.
func drawShare(t *rapid.T, label string) (cw721.Share, *big.Int) {
	atomics := new(big.Int).Add(
		new(big.Int).Lsh(big.NewInt(int64(rapid.Uint32().Draw(t, label+" high"))), 96),
		new(big.Int).SetUint64(rapid.Uint64().Draw(t, label+" low")),
	)
	digits := atomics.String()
	if len(digits) < 19 {
		digits = strings.Repeat("0", 19-len(digits)) + digits
	}
	s := kvtest.Must(cw721.ParseShare(digits[:len(digits)-18] + "." + digits[len(digits)-18:]))(t)
	return s, atomics
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
