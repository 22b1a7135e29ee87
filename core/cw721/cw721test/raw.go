package cw721test

import (
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// RawContract is a contract that takes its messages in JSON, as chains pass them.
type RawContract struct{ cw721.Contract }

// Instantiate creates the collection.
func (c RawContract) Instantiate(t kv.Txn, env cw721.Env, info cw721.Info, raw []byte) (cw721.Response, error) {
	msg, _, err := c.DecodeInstantiate(raw, nil)
	if err != nil {
		return cw721.Response{}, err
	}
	return c.RunInstantiate(t, env, info, msg)
}

// Execute changes the collection.
func (c RawContract) Execute(t kv.Txn, env cw721.Env, info cw721.Info, raw []byte) (cw721.Response, error) {
	msg, _, err := c.DecodeExecute(raw, nil)
	if err != nil {
		return cw721.Response{}, err
	}
	return c.RunExecute(t, env, info, msg)
}

// Query answers a query.
func (c RawContract) Query(r kv.Reader, env cw721.Env, raw []byte) ([]byte, error) {
	msg, _, err := c.DecodeQuery(raw, nil)
	if err != nil {
		return nil, err
	}
	return c.RunQuery(r, env, msg)
}
