package app

import (
	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

// Engine is what the explorer needs of a chain. Its methods may wait for a disk, so they are
// only called from commands, which run on other goroutines.
type Engine interface {
	// Reading the chain.
	Config() (chain.Config, bool)
	View(read func(*chain.View) error) error
	ViewAt(node history.ID, read func(*chain.View) error) error
	ViewAtMoment(moment chain.Moment, read func(*chain.View) error) error

	// Messages to the contract. A preview keeps nothing of what the message changes.
	Create(genesis chain.Genesis, sender cw721.Address, msg []byte) (chain.Receipt, error)
	PreviewInstantiate(genesis chain.Genesis, sender cw721.Address, msg []byte) (chain.Receipt, error)
	Execute(sender cw721.Address, msg []byte) (chain.Receipt, error)
	ExecuteInBatch(batch history.ID, sender cw721.Address, msg []byte) (chain.Receipt, error)
	Preview(sender cw721.Address, msg []byte) (chain.Receipt, error)

	// The clock and the history.
	Advance(step chain.ClockStep) (chain.Move, error)
	SetPace(seconds uint64) (chain.Move, error)
	Undo(steps int) (chain.WalkResult, error)
	Redo(steps int) (chain.WalkResult, error)
	Goto(target string) (chain.WalkResult, error)
	Snapshot(name string, node history.ID) (history.ID, error)
	RenameSnapshot(name, newName string) (history.ID, error)
	DeleteSnapshot(name string) (history.ID, error)

	// The accounts that have names.
	AddAccount(name string, address cw721.Address, receiver chain.Receiver) (chain.Account, error)
	SetReceiver(name string, receiver chain.Receiver) (chain.Account, error)
	RemoveAccount(name string) error
	Close() error
}

var _ Engine = (*chain.Chain)(nil)

// lockedEngine is an engine that refuses to send or preview messages, to move the clock, and
// to go to another place in the history. It is used while a lesson waits for a prediction.
type lockedEngine struct {
	Engine
	reason error // the error of everything that is refused
}

func (e lockedEngine) Execute(cw721.Address, []byte) (chain.Receipt, error) {
	return chain.Receipt{}, e.reason
}

func (e lockedEngine) Preview(cw721.Address, []byte) (chain.Receipt, error) {
	return chain.Receipt{}, e.reason
}

func (e lockedEngine) ExecuteInBatch(history.ID, cw721.Address, []byte) (chain.Receipt, error) {
	return chain.Receipt{}, e.reason
}

func (e lockedEngine) Advance(chain.ClockStep) (chain.Move, error) {
	return chain.Move{}, e.reason
}

func (e lockedEngine) Undo(int) (chain.WalkResult, error) {
	return chain.WalkResult{}, e.reason
}

func (e lockedEngine) Redo(int) (chain.WalkResult, error) {
	return chain.WalkResult{}, e.reason
}

func (e lockedEngine) Goto(string) (chain.WalkResult, error) {
	return chain.WalkResult{}, e.reason
}
