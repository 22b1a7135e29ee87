package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

func TestTheDevelopersPageNamesPackagesAndFilesThatExist(t *testing.T) {
	page := readText(t, "help/developers.md")
	places := regexp.MustCompile(`\b(?:core|ui|persist|themes)/[a-z0-9_/.]*[a-z0-9_]`).FindAllString(page, -1)
	if len(places) < 30 {
		t.Fatalf("only %d places were found", len(places))
	}
	for _, place := range places {
		if _, err := os.Stat(filepath.Join("../..", place)); err != nil {
			t.Errorf("the page names %s: %v", place, err)
		}
	}
}
