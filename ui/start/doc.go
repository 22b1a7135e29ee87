// Package start is what an empty database is met with: the welcome, and the
// forms that create a collection or import one.
//
// How files are opened and databases made is handed in with app.Options.
package start
