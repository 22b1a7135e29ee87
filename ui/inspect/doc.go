// Package inspect is the dialogs that only ask: why somebody may do something,
// who could by whatever messages, one message around an expiry (probe), the
// timeline of grants, and dangling grants.
//
// Every answer is core/explain's or core/reach's, of a view or an overlay that is
// thrown away. What changes anything goes through a form, as everywhere, but for a
// way that is played.
package inspect
