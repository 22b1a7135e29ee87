package wire_test

import (
	"ephemera/core/wire"
)

// letter is a message with a member of every shape that the reader knows.
type letter struct {
	To      string    `wire:"to"`
	Urgent  *bool     `wire:"urgent"`
	Pages   *uint32   `wire:"pages"`
	Weight  *uint64   `wire:"weight"`
	Stamp   *stamp    `wire:"stamp"`
	Copies  *[]stamp  `wire:"copies"`
	Remarks []string  `wire:"remarks,optional"`
	Extra   anything  `wire:"extra,optional"`
	Nothing *struct{} `wire:"nothing"`
}

type stamp struct {
	Motif string `wire:"motif"`
	Cents uint64 `wire:"cents"`
}

// anything passes over every member.
type anything struct {
	_ struct{} `wire:"lenient"`
}

type empty struct{}

type only struct {
	Sole string `wire:"sole"`
}

type three struct {
	A *string `wire:"a"`
	B *string `wire:"b"`
	C *string `wire:"c"`
}

// call is a message in the form that a contract takes: one member that names
// it.
type call struct{ got any }

func (c *call) DecodeWire(d *wire.Decoder) (err error) {
	c.got, err = d.ReadVariant("call", []wire.Variant{
		{Name: "send", New: func() any { return new(letter) }},
		{Name: "stop", New: func() any { return new(empty) }},
		{Name: "sole", New: func() any { return new(only) }},
		{Name: "stick", New: func() any { return new(stamp) }},
		{Name: "three", New: func() any { return new(three) }},
		{Name: "count", New: func() any { return new(uint32) }},
		{Name: "counts", New: func() any { return new([]uint32) }},
	})
	return err
}

func (c call) WireValue() any {
	switch m := c.got.(type) {
	case *letter:
		return struct {
			M *letter `wire:"send"`
		}{m}
	case *empty:
		return struct {
			M *empty `wire:"stop"`
		}{m}
	case *only:
		return struct {
			M *only `wire:"sole"`
		}{m}
	case *stamp:
		return struct {
			M *stamp `wire:"stick"`
		}{m}
	case *three:
		return struct {
			M *three `wire:"three"`
		}{m}
	case *uint32:
		return struct {
			M uint32 `wire:"count"`
		}{*m}
	case *[]uint32:
		return struct {
			M []uint32 `wire:"counts"`
		}{*m}
	}
	return nil
}
