package cw721

import (
	"cmp"
	"fmt"
	"strconv"

	"ephemera/core/wire"
)

// Axis says whether an [Expiration] is compared with the height of a block or with its
// time.
type Axis uint8

// The axes, by which an expiration is measured (spec §3.2).
const (
	Never    Axis = iota // does not expire
	AtHeight             // the block's height, in blocks
	AtTime               // the block's time, in nanoseconds
)

// Expiration is when an approval, an operator grant or the offer of a role expires.
// The zero value never expires.
type Expiration struct {
	Axis  Axis
	Value uint64 // the first expired height or time; 0 for [Never]
}

// UntilHeight returns an Expiration whose first expired block has height h.
func UntilHeight(h Height) Expiration { return Expiration{AtHeight, uint64(h)} }

// UntilTime returns an Expiration whose first expired nanosecond is t.
func UntilTime(t Time) Expiration { return Expiration{AtTime, uint64(t)} }

// HasExpired reports whether e has expired in a block. An expiration at height 100 has
// expired in block 100, but not in block 99; times likewise (spec §3.2).
func (e Expiration) HasExpired(block Block) bool {
	now, end, canExpire := e.NowAndEnd(block)
	return canExpire && now >= end
}

// NowAndEnd returns the two numbers that [Expiration.HasExpired] compares: the height or the
// time of block, and the first expired one. canExpire is false if e never expires.
func (e Expiration) NowAndEnd(block Block) (now, end uint64, canExpire bool) {
	if e.Axis == Never {
		return 0, 0, false
	}
	return block.ValueOn(e.Axis), e.Value, true
}

// ValueOn returns the height of the block, or its time in nanoseconds; 0 for [Never].
func (b Block) ValueOn(axis Axis) uint64 {
	switch axis {
	case AtHeight:
		return uint64(b.Height)
	case AtTime:
		return uint64(b.Time)
	}
	return 0
}

// String returns the contract's text, such as "expiration height: 20001" or "expiration time:
// 1600000000.000000001".
func (e Expiration) String() string {
	switch e.Axis {
	case AtHeight:
		return "expiration height: " + strconv.FormatUint(e.Value, 10)
	case AtTime:
		return fmt.Sprintf("expiration time: %d.%09d", e.Value/1e9, e.Value%1e9)
	}
	return "expiration: never"
}

// AppendWire appends an object such as {"at_height":20001} (spec §3.2).
func (e Expiration) AppendWire(dst []byte) []byte {
	switch e.Axis {
	case AtHeight:
		dst = append(dst, `{"at_height":`...)
		dst = strconv.AppendUint(dst, e.Value, 10)
	case AtTime:
		dst = append(dst, `{"at_time":`...)
		dst = Time(e.Value).AppendWire(dst)
	default:
		dst = append(dst, `{"never":{}`...)
	}
	return append(dst, '}')
}

var expirationVariants = []wire.Variant{
	variantOf[Height]("at_height"),
	variantOf[Time]("at_time"),
	variantOf[struct{}]("never"),
}

// DecodeWire reads an object with exactly one of the members "at_height", "at_time" and
// "never".
func (e *Expiration) DecodeWire(decoder *wire.Decoder) error {
	// The kind completes an error text: "expected an object that holds one of at_height, …".
	variant, err := decoder.ReadVariant("of at_height, at_time and never", expirationVariants)
	if err != nil {
		return err
	}

	switch v := variant.(type) {
	case *Height:
		*e = UntilHeight(*v)
	case *Time:
		*e = UntilTime(*v)
	default:
		*e = Expiration{}
	}
	return nil
}

func expirationOrNever(e *Expiration) Expiration { return *cmp.Or(e, &Expiration{}) }
