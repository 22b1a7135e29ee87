package wasm_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

// withLength returns a text with its length before it.
func withLength(text string) string {
	return string(binary.AppendUvarint(nil, uint64(len(text)))) + text
}

// moduleWithFunction returns a module with one function. The function has no type, so
// that the compiler refuses it.
func moduleWithFunction(locals uint64, body string) []byte {
	declared := "\x01" + string(binary.AppendUvarint(nil, locals)) + "\x7f"
	return []byte("\x00asm\x01\x00\x00\x00\x0a" + withLength("\x01"+withLength(declared+body+"\x0b")))
}

func TestAFunctionThatWouldTakeTooLongToCompileIsRefusedBeforeCompiling(t *testing.T) {
	const (
		openIf = "\x41\x01\x04\x40"
		flatIf = openIf + "\x0b"
		loop   = "\x03\x40\x0b"
		call   = "\x10\x0f"
	)
	repeat := strings.Repeat
	for name, code := range map[string][]byte{
		"40,000 nested ifs":                  moduleWithFunction(0, repeat(openIf, 40_000)+repeat("\x0b", 40_000)),
		"120,000 nested ifs":                 moduleWithFunction(0, repeat(openIf, 120_000)+repeat("\x0b", 120_000)),
		"40,000 ifs in a row":                moduleWithFunction(0, repeat(flatIf, 40_000)),
		"20,000 locals and 40,000 loops":     moduleWithFunction(20_000, repeat(loop, 40_000)),
		"20,000 locals and 2,000 loops":      moduleWithFunction(20_000, repeat(loop, 2_000)),
		"800,000 calls":                      moduleWithFunction(0, repeat(call, 800_000)),
		"8,001 branches":                     moduleWithFunction(0, repeat("\x0c\x00", 8_001)),
		"8,001 conditional branches":         moduleWithFunction(0, repeat("\x41\x00\x0d\x00", 8_001)),
		"tables of branches to 8,001 places": moduleWithFunction(0, repeat("\x0e\x02\x00\x00\x00", 2_667)),
	} {
		_, err := wasm.Load(context.Background(), code, wasm.Options{})
		var limit *wasm.LimitError
		if !errors.As(err, &limit) || !strings.HasPrefix(limit.Text, "one of its functions takes too long to compile: it has ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, code := range map[string][]byte{
		"8,000 ifs in a row":            moduleWithFunction(0, repeat(flatIf, 8_000)),
		"8,000 locals and 1,900 loops":  moduleWithFunction(8_000, repeat(loop, 1_900)),
		"200,000 calls":                 moduleWithFunction(0, repeat(call, 200_000)),
		"constants that look like more": moduleWithFunction(0, repeat("\x42\x04\x1a\x41\x0c\x1a", 10_000)),
	} {
		_, err := wasm.Load(context.Background(), code, wasm.Options{})
		if !errors.As(err, new(*wasm.ModuleError)) || !strings.Contains(err.Error(), "it cannot be compiled") {
			t.Errorf("%s: %v, expected that the compiler sees it", name, err)
		}
	}
}

func TestAnInstructionIsReadWithItsOperands(t *testing.T) {
	const next = "\x04\x40"
	for code, branches := range map[string]uint64{
		"\x02\x40": 1, "\x03\x7f": 1, "\x04\x85\x01": 1, "\x0c\x80\x01": 1, "\x0d\x00": 1, "\x0e\x00\x01": 1, "\x0e\x02\x00\x81\x01\x02": 3,
		"\x00": 0, "\x05": 0, "\x0b": 0, "\x0f": 0, "\x10\x80\x80\x01": 0, "\x11\x04\x00": 0, "\x1a": 0, "\x20\x80\x02": 0, "\x24\x04": 0,
		"\x28\x02\x80\x02": 0, "\x3e\x04\x04": 0, "\x3f\x00": 0, "\x40\x00": 0, "\x41\x80\x80\x80\x80\x78": 0,
		"\x42\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f": 0, "\x43\x04\x04\x04\x04": 0, "\x44\x04\x04\x04\x04\x04\x04\x04\x04": 0,
		"\x45": 0, "\xc4": 0, "\xfc\x07": 0,
	} {
		got, left, err := wasm.ReadInstruction(code + next)
		if got != branches || left != next || err != nil {
			t.Errorf("%x: %d branches and %x left, %v; expected %d", code, got, left, err, branches)
		}
	}
	for _, code := range []string{"\xfc\x08\x00\x00", "\xfd\x0c", "\xfe\x00", "\xd0\x70", "\x41\x80", "\x43\x00"} {
		if _, _, err := wasm.ReadInstruction(code); !errors.As(err, new(*wasm.ModuleError)) {
			t.Errorf("%x: %v, expected that it is refused", code, err)
		}
	}
}

func TestATypeWithMoreThanAHundredValuesIsRefused(t *testing.T) {
	code := []byte("\x00asm\x01\x00\x00\x00\x01" + withLength("\x01\x60"+withLength(strings.Repeat("\x7f", 101))+"\x00"))
	_, err := wasm.Load(context.Background(), code, wasm.Options{})
	if !errors.As(err, new(*wasm.ModuleError)) || !strings.Contains(err.Error(), "101 values") {
		t.Error(err)
	}
}

func TestCompilingEndsWithItsContextAndItsTimeLimit(t *testing.T) {
	code := readFile(t, "testdata/contract.wasm")
	interrupted, interrupt := context.WithCancel(context.Background())
	interrupt()
	for _, cache := range []string{"", t.TempDir()} {
		if _, err := wasm.Load(interrupted, code, wasm.Options{CacheDir: cache}); err != context.Canceled {
			t.Errorf("interrupted: %v", err)
		}
	}
	wasm.LimitCompiling(t, 1)
	for _, cache := range []string{"", t.TempDir()} {
		if _, err := wasm.Load(context.Background(), code, wasm.Options{CacheDir: cache}); !errors.As(err, new(*wasm.LimitError)) {
			t.Errorf("out of time: %v", err)
		}
	}
}

// contractThatRepeats returns the test contract with another loop for its message
// {"loop":{}}: for each number it runs the instructions of step, with a key that begins
// with the number. keyLength is the length of the key in LEB128.
func contractThatRepeats(t *testing.T, keyLength string, step string) []byte {
	const (
		endless = "\x07\x00\x03\x40\x0c\x00\x0b\x0b"
		start   = "\x01\x01\x7f\x41\x04\x40\x00\x1a\x03\x40\x41\x80\x20\x20\x00\x36\x02\x00\x41\x30\x41\x80\x20"
		region  = "\x10\x12"
		again   = "\x20\x00\x41\x01\x6a\x21\x00\x0c\x00\x0b\x0b"
	)
	old := readFile(t, "testdata/contract.wasm")
	loop := withLength(start + "\x41" + keyLength + region + step + again)
	at := bytes.Index(old, []byte(endless))
	if at < 0 {
		t.Fatal("the contract has no endless loop")
	}
	out := old[:8:8]
	for rest := old[8:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		end := 1 + n + int(size)
		body := strings.Replace(string(rest[1+n:end]), endless, loop, 1)
		out = append(append(out, rest[0]), withLength(body)...)
		rest = rest[end:]
	}
	return out
}

func TestATransactionCanPassALimitedNumberOfBytesToTheStorage(t *testing.T) {
	const (
		four  = "\x04"
		large = "\x80\xf4\x03" // 64,000
		value = "\x41\xc0\x00\x41\x80\x02\x41\x80\x80\x08\x10\x12"
	)
	for name, code := range map[string][]byte{
		"writes":   contractThatRepeats(t, four, value+"\x10\x02"),
		"removals": contractThatRepeats(t, large, "\x10\x03"),
		"reads":    contractThatRepeats(t, large, "\x10\x01\x1a"),
		"scans":    contractThatRepeats(t, large, "\x41\x00\x41\x01\x10\x04\x1a"),
	} {
		w := newWorldOf(t, code, wasm.Options{})
		_, err := w.execute(`{"loop":{}}`)
		var limit *kv.LimitError
		if !errors.As(err, &limit) || limit.Kind != "transaction" || limit.Size > 33<<20 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheCallsOfATransactionShareItsLimit(t *testing.T) {
	w := newWorld(t)
	held := 32<<20 - 20
	w.env.StorageBytes = &held
	w.mustExecute(`{"count":{}}`) // reads five bytes, and writes six
	if held != 32<<20-9 {
		t.Errorf("%d bytes are left", 32<<20-held)
	}
	_, err := w.execute(`{"count":{}}`)
	if !errors.As(err, new(*kv.LimitError)) {
		t.Error(err)
	}
	w.env.StorageBytes = nil
	kvtest.Must(w.execute(`{"count":{}}`))(t)
}
