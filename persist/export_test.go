package persist

// BareOptions are the options of Badger below a database, for measuring
// against it.
var BareOptions = options
