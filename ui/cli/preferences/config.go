// Package preferences is what the explorer remembers of a person. config.yaml, in the
// configuration directory of XDG, is the person's: it says what they prefer and is
// never written. state.json, in the state directory, is the program's: it says where
// they left off, and is nothing that anybody would miss.
//
// Both are read before the explorer starts, and state.json is written when it has
// ended. The package knows no screen.
package preferences

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/cli/command"
)

// Config is what a person prefers.
type Config struct {
	Theme         string // of themes.Names, or auto
	Times         app.TimeForm
	Mouse, Motion bool
	Media         string // a directory; empty for none
}

// Read reads config.yaml. Where there is none, or it leaves a key out, that is as
// without it. A mistake in it is a sentence with the line.
func Read() (Config, error) { return read(filepath.Join(xdg.ConfigHome, "ephemera", "config.yaml")) }

func read(path string) (Config, error) {
	c := Config{Theme: themes.Auto, Mouse: true, Motion: true}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, command.UsageErrorf("%v", err)
	}
	wrong := func(line int, format string, args ...any) (Config, error) {
		return c, command.UsageErrorf("%s, line %d: %s", path, line, fmt.Sprintf(format, args...))
	}
	file, err := parser.ParseBytes(raw, 0)
	if bad := yaml.Error(nil); errors.As(err, &bad) {
		return wrong(bad.GetToken().Position.Line, "%s", bad.GetMessage())
	}
	if err != nil {
		return wrong(1, "%v", err)
	}
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		pairs, ok := doc.Body.(ast.MapNode)
		if !ok {
			return wrong(doc.Body.GetToken().Position.Line, "expected lines like `theme: dark`")
		}
		for pair := pairs.MapRange(); pair.Next(); {
			key := pair.Key().String()
			if err := c.set(key, pair.Value(), filepath.Dir(path)); err != nil {
				return wrong(pair.Key().GetToken().Position.Line, "%s: %v", key, err)
			}
		}
	}
	return c, nil
}

// times are what the key of that name takes, in the order of the forms.
var times = []string{"relative", "utc", "nanoseconds"}

// set takes a value; dir is what a relative path starts from.
func (c *Config) set(key string, node ast.Node, dir string) error {
	var value string
	if scalar, ok := node.(ast.ScalarNode); ok {
		value = fmt.Sprint(scalar.GetValue())
	}
	among := func(names []string) error {
		if !slices.Contains(names, value) {
			return fmt.Errorf("%s is not known, expected one of %s", node, strings.Join(names, ", "))
		}
		return nil
	}
	switch key {
	case "theme":
		c.Theme = value
		return among(append([]string{themes.Auto}, themes.Names()...))
	case "times":
		c.Times = app.TimeForm(slices.Index(times, value))
		return among(times)
	case "mouse":
		c.Mouse = value == "true"
		return among([]string{"true", "false"})
	case "motion":
		c.Motion = value == "true"
		return among([]string{"true", "false"})
	case "media":
		if home, ok := strings.CutPrefix(value, "~/"); ok {
			value = filepath.Join(xdg.Home, home)
		} else if !filepath.IsAbs(value) {
			value = filepath.Join(dir, value)
		}
		c.Media = value
		return Folder(value)
	}
	return errors.New("there is no such key, expected theme, times, mouse, motion or media")
}

// Folder fails for what is no directory of pictures.
func Folder(dir string) error {
	if at, err := os.Stat(dir); err != nil || !at.IsDir() {
		return fmt.Errorf("%s is no directory, expected one with pictures", dir)
	}
	return nil
}
