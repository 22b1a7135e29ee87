package scenario

import _ "embed"

// Schema is a JSON Schema of scenario files, for editors that complete and
// check what is typed.
//
//go:embed scenario.schema.json
var Schema []byte
