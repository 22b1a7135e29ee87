// Package picture finds the picture of a token and draws it in cells.
//
// A picture comes from the token's metadata or from a folder of files; nothing is ever
// fetched. The package draws with colours and its own characters: no byte of a picture
// reaches the terminal unchanged. It knows images and terminals. It must know nothing of
// collections or of the explorer.
package picture

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // these three are decoded
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// The limits of a picture. 4 million pixels take 16 MB, and scaling them takes more if a
// side is long.
const (
	MaxBytes      = 8 << 20
	MaxPixels     = 4_000_000
	MaxSidePixels = 8192 // pixels
)

// Source names the places where the picture of a token can be.
type Source struct {
	Data  string // image_data of the metadata, or ""
	Image string // image of the metadata, or ""
	Dir   string // folder with a file named as the last part of Image; "" for none
}

// HasPlace reports whether there is a place to look at.
func (s Source) HasPlace() bool {
	return s.Data != "" || strings.HasPrefix(s.Image, "data:") || s.Dir != "" && s.Image != ""
}

// Load reads and decodes the picture: a PNG, a JPEG or the first frame of a GIF. It reads at
// most one file, which blocks. Its errors are sentences about the picture.
func (s Source) Load() (image.Image, error) {
	raw, err := s.read()
	if err != nil {
		return nil, err
	}
	if len(raw) > MaxBytes {
		return nil, fmt.Errorf("it is larger than %d MB", MaxBytes>>20)
	}
	if isSVG(raw) {
		return nil, errors.New("it is SVG, which is not drawn")
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(raw))
	switch {
	case errors.Is(err, image.ErrFormat):
		return nil, errors.New("it is no PNG, JPEG or GIF")
	case err != nil:
		return nil, errors.New("it is broken")
	case config.Width <= 0 || config.Height <= 0 || config.Width > MaxPixels/config.Height:
		return nil, fmt.Errorf("it has %d×%d pixels, more than 4 million", config.Width, config.Height)
	case max(config.Width, config.Height) > MaxSidePixels:
		return nil, fmt.Errorf("it has %d×%d pixels, and a side has at most %d", config.Width, config.Height, MaxSidePixels)
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil || img.Bounds().Empty() {
		return nil, errors.New("it is broken")
	}
	return img, nil
}

func isSVG(raw []byte) bool {
	text := bytes.TrimSpace(raw)
	return bytes.HasPrefix(text, []byte("<svg")) || bytes.HasPrefix(text, []byte("<?xml"))
}

// read returns the bytes of the first place that has a picture.
func (s Source) read() ([]byte, error) {
	for _, text := range []string{s.Data, s.Image} {
		if rest, ok := strings.CutPrefix(text, "data:"); ok {
			return decodeDataURI(rest)
		}
	}
	if s.Data != "" {
		return []byte(s.Data), nil
	}
	return s.readFile()
}

// decodeDataURI returns the bytes of a data URI (RFC 2397), given without its scheme.
func decodeDataURI(uri string) ([]byte, error) {
	kind, text, ok := strings.Cut(uri, ",")
	if !ok {
		return nil, errors.New("its data URI has no comma")
	}
	plain, err := url.PathUnescape(text)
	if err == nil && strings.HasSuffix(kind, ";base64") {
		var raw []byte
		raw, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(plain, "="))
		plain = string(raw)
	}
	if err != nil {
		return nil, errors.New("its data URI is not encoded as it says")
	}
	return []byte(plain), nil
}

// readFile reads the file in the folder that is named as the last part of the URI. It
// follows no link out of the folder, and opens only a regular file.
func (s Source) readFile() ([]byte, error) {
	path, _, _ := strings.Cut(s.Image, "?")
	path, _, _ = strings.Cut(path, "#")
	name, err := url.PathUnescape(path[strings.LastIndex(path, "/")+1:])
	isDir := name == "." || name == ".."
	isInFolder := filepath.IsLocal(name) && filepath.Base(name) == name
	if err != nil || isDir || !isInFolder {
		return nil, errors.New("its URI ends in no name of a file")
	}
	dir, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, errors.New("the folder of pictures cannot be opened")
	}
	defer dir.Close()
	info, err := dir.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, errors.New("the folder of pictures has no file of its name")
	case err != nil || !info.Mode().IsRegular():
		return nil, errors.New("what has its name in the folder of pictures is no file")
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil, errors.New("its file cannot be opened")
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, errors.New("its file cannot be read")
	}
	return raw, nil
}
