package cw721

import (
	"cmp"
	"fmt"
	"strconv"

	"ephemera/core/wire"
)

// Axis tells what an [Expiration] is measured in.
type Axis uint8

// The three kinds of end (spec §3.2).
const (
	Never    Axis = iota // no end
	AtHeight             // a block height, in blocks
	AtTime               // a block time, in nanoseconds
)

// Expiration is when an approval, an operator grant or a role offer ends. The
// zero value never ends.
type Expiration struct {
	Axis Axis
	// Value is the height or the time at which it is over; 0 under [Never].
	Value uint64
}

// UntilHeight ends at block height h: at h it is over.
func UntilHeight(h Height) Expiration { return Expiration{AtHeight, uint64(h)} }

// UntilTime ends at block time t, in nanoseconds: at t it is over.
func UntilTime(t Time) Expiration { return Expiration{AtTime, uint64(t)} }

// Expired tells whether it is over in block b: at the value already, never
// before it (spec §3.2). This is the only place that decides so.
func (e Expiration) Expired(b Block) bool {
	now, end, ends := e.NowAndEnd(b)
	return ends && now >= end
}

// NowAndEnd gives the two numbers that [Expiration.Expired] compares, in blocks
// or nanoseconds; ends is false for one that never ends.
func (e Expiration) NowAndEnd(b Block) (now, end uint64, ends bool) {
	switch e.Axis {
	case AtHeight:
		return uint64(b.Height), e.Value, true
	case AtTime:
		return uint64(b.Time), e.Value, true
	}
	return 0, 0, false
}

// String gives the text that the contract puts into ownership attributes.
func (e Expiration) String() string {
	switch e.Axis {
	case AtHeight:
		return "expiration height: " + strconv.FormatUint(e.Value, 10)
	case AtTime:
		return fmt.Sprintf("expiration time: %d.%09d", e.Value/1e9, e.Value%1e9)
	}
	return "expiration: never"
}

// AppendWire writes the one-member object of spec §3.2.
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

var expirations = []wire.Variant{
	{Name: "at_height", New: func() any { return new(Height) }},
	{Name: "at_time", New: func() any { return new(Time) }},
	{Name: "never", New: func() any { return new(struct{}) }},
}

// DecodeWire reads exactly one of at_height, at_time and never.
func (e *Expiration) DecodeWire(d *wire.Decoder) error {
	v, err := d.OneOf("of at_height, at_time and never", expirations)
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

// orNever is what an absent expires means.
func orNever(e *Expiration) Expiration { return *cmp.Or(e, &Expiration{}) }
