package kv

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestAPartIsPrecededByItsLengthInTwoBytes(t *testing.T) {
	for _, c := range []struct{ part, want string }{
		{"", "\x00\x00"},
		{"tokens", "\x00\x06tokens"},
		{"tokens__owner", "\x00\x0dtokens__owner"},
		{strings.Repeat("x", 256), "\x01\x00" + strings.Repeat("x", 256)},
	} {
		if got := AppendPart(nil, c.part); string(got) != c.want {
			t.Errorf("%q became % x", c.part, got)
		}
	}
}

func TestAKeyThatIsCutShortIsAnErrorAndNoPanic(t *testing.T) {
	for _, key := range []string{"", "\x00", "\x00\x01", "\x00\x05abcd", "\xff\xffx"} {
		if part, rest, err := CutPart([]byte(key)); err == nil {
			t.Errorf("% x was cut into %q and %q", key, part, rest)
		}
	}
}

func TestARecordThatDoesNotReadNamesItsKeyAndItsReason(t *testing.T) {
	reason := errors.New("no JSON")
	err := error(&CorruptError{Key: []byte("\x00a"), Err: reason})
	if got, want := err.Error(), `the record under key "\x00a" cannot be read: no JSON`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, reason) {
		t.Error("the reason is lost")
	}
}

// FuzzTwoKey holds the keys of two parts to what cw-storage-plus promises: they
// come back, and they are ordered by the first part's length, the first part,
// and then the second.
func FuzzTwoKey(f *testing.F) {
	f.Add("cosmos1a", "1", "cosmos1a", "10")
	f.Add("", "", "", "\x00")
	f.Add("a", "b", "ab", "")
	f.Add("\x00", "\x01a", "\x00\x01", "a")
	f.Add(strings.Repeat("x", 300), "é", strings.Repeat("x", 299), "😀")
	key := TwoTextsKey[string, string]()
	f.Fuzz(func(t *testing.T, a1, a2, b1, b2 string) {
		if max(len(a1), len(b1)) > MaxKey {
			t.Skip("no store takes such a key")
		}
		a, b := TextPair[string, string]{a1, a2}, TextPair[string, string]{b1, b2}
		ka, kb := key.Encode([]byte("map"), a), key.Encode([]byte("map"), b)
		for _, c := range []struct {
			key  []byte
			want TextPair[string, string]
		}{{ka, a}, {kb, b}} {
			rest, ok := bytes.CutPrefix(c.key, []byte("map"))
			if !ok {
				t.Fatal("what was there before is lost")
			}
			if got, err := key.Decode(rest); err != nil || got != c.want {
				t.Fatalf("%q came back as %q, %v", c.want, got, err)
			}
			part, second, err := CutPart(rest)
			if err != nil || string(part) != c.want.First || string(second) != c.want.Second {
				t.Fatalf("%q was cut into %q and %q, %v", c.want, part, second, err)
			}
		}
		want := len(a1) - len(b1)
		if want == 0 {
			want = strings.Compare(a1, b1)
		}
		if want == 0 {
			want = strings.Compare(a2, b2)
		}
		if got := bytes.Compare(ka, kb); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
			t.Fatalf("%q and %q: keys compare as %d, parts as %d", a, b, got, want)
		}
		if within := AppendPart([]byte("map"), a1); bytes.HasPrefix(kb, within) != (a1 == b1) {
			t.Fatalf("keys of %q and of %q stand together", a1, b1)
		}
	})
}

// FuzzCutKey reads any bytes as a key of two parts.
func FuzzCutKey(f *testing.F) {
	f.Add([]byte("\x00\x01ab"))
	f.Add([]byte("\xff\xff"))
	f.Add([]byte{})
	key := TwoTextsKey[string, string]()
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := key.Decode(b)
		if err != nil {
			return
		}
		if got := key.Encode(nil, k); !bytes.Equal(got, b) {
			t.Fatalf("% x came back as % x", b, got)
		}
	})
}
