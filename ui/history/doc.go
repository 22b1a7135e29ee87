// Package history is the screen of what happened: the nodes from where the
// collection began to where it stands, what each changed, the branches, snapshots
// and the recording of a scenario.
//
// It walks with the engine's undo, redo and goto. It writes no record itself.
package history
