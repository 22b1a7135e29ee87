// Package uitest drives the explorer in tests, without a terminal: it types keys,
// runs commands at once, and compares what a person would see. It makes the
// collection that the tests of all rooms start from, and keeps their golden views.
//
// Only tests import it. It knows the explorer by [Explorer], and no room.
package uitest
