package cw721

import (
	"cmp"
	"fmt"
	"strconv"

	"ephemera/core/wire"
)

// Axis is the part of a block, its height or its time, with which an [Expiration] is
// compared.
type Axis uint8

// The axes (spec §3.2).
const (
	Never    Axis = iota // does not expire
	AtHeight             // the block's height, in blocks
	AtTime               // the block's time, in nanoseconds
)

// Expiration is when an approval, an operator grant or the offer of a role expires.
// The zero value never expires.
type Expiration struct {
	Axis Axis
	// Value is the first expired height or time; 0 for [Never].
	Value uint64
}

// UntilHeight returns an Expiration whose first expired block has height h.
func UntilHeight(h Height) Expiration { return Expiration{AtHeight, uint64(h)} }

// UntilTime returns an Expiration whose first expired nanosecond is t.
func UntilTime(t Time) Expiration { return Expiration{AtTime, uint64(t)} }

// Expired reports whether e has expired in block b: a block at the expiration's
// value has expired, the block before has not (spec §3.2). All code that asks
// whether something has expired calls Expired.
func (e Expiration) Expired(b Block) bool {
	now, end, canExpire := e.NowAndEnd(b)
	return canExpire && now >= end
}

// NowAndEnd returns the two numbers that [Expiration.Expired] compares: the height of b
// and the first expired height in blocks, or both times in nanoseconds. canExpire is false
// if e never expires.
func (e Expiration) NowAndEnd(b Block) (now, end uint64, canExpire bool) {
	switch e.Axis {
	case AtHeight:
		return uint64(b.Height), e.Value, true
	case AtTime:
		return uint64(b.Time), e.Value, true
	}
	return 0, 0, false
}

// String returns the text that the contract puts into the attributes of roles, such
// as "expiration height: 20001" or "expiration time: 1600000000.000000001".
func (e Expiration) String() string {
	switch e.Axis {
	case AtHeight:
		return "expiration height: " + strconv.FormatUint(e.Value, 10)
	case AtTime:
		return fmt.Sprintf("expiration time: %d.%09d", e.Value/1e9, e.Value%1e9)
	}
	return "expiration: never"
}

// AppendWire appends a JSON object with one member, such as {"at_height":20001}
// (spec §3.2).
func (e Expiration) AppendWire(dst []byte) []byte {
	switch e.Axis {
	case AtHeight:
		dst = append(dst, `{"at_height":`...)
		dst = Height(e.Value).AppendWire(dst)
	case AtTime:
		dst = append(dst, `{"at_time":`...)
		dst = Time(e.Value).AppendWire(dst)
	default:
		dst = append(dst, `{"never":{}`...)
	}
	return append(dst, '}')
}

// expirationVariants are the three forms of an expiration: {"at_height":5},
// {"at_time":"1700000000000000000"} and {"never":{}}.
var expirationVariants = []wire.Variant{
	variantOf[Height]("at_height"),
	variantOf[Time]("at_time"),
	variantOf[struct{}]("never"),
}

// DecodeWire reads an object with exactly one of the members at_height, at_time and
// never.
func (e *Expiration) DecodeWire(d *wire.Decoder) error {
	v, err := d.OneOf("of at_height, at_time and never", expirationVariants)
	if err != nil {
		return err
	}

	switch v := v.(type) {
	case *Height:
		*e = UntilHeight(*v)
	case *Time:
		*e = UntilTime(*v)
	default:
		*e = Expiration{}
	}
	return nil
}

// orNever returns the expiration that a message has. A message without one means never.
func orNever(e *Expiration) Expiration { return *cmp.Or(e, &Expiration{}) }
