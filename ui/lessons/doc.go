// Package lessons is the screen that lists the lessons, and what a lesson that is
// played shows: its panel, its questions and its hints.
//
// core/lesson tells what a task is and when it is done. The root puts the
// lesson's chain in the place of the person's own; this package never does.
package lessons
