package cli_test

import (
	"slices"
	"testing"
)

// There is no network: nothing of ours imports a package that could reach it.
// That something below imports one (Badger has net/http for pages that only a
// server serves) is no way out, as nobody calls it. idna only spells names.
func TestNothingOfOursImportsTheNetwork(t *testing.T) {
	network := []string{"net", "net/http", "net/rpc", "net/smtp", "crypto/tls", "golang.org/x/net", "google.golang.org/grpc", "plugin"}
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			if slices.ContainsFunc(network, func(tree string) bool {
				return imported != "golang.org/x/net/idna" && (imported == tree || tree != "net" && within(imported, tree))
			}) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}
