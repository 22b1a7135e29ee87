// Package picture finds the picture of a token and draws it in cells.
//
// A picture comes from the token's metadata or from a folder of files; nothing is ever
// fetched. The package draws with colours and its own characters: no byte of a picture
// reaches the terminal unchanged. It must know nothing of collections or of the explorer.
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
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// The limits of a picture that is loaded. They bound the memory: 4 million pixels take
// 16 MB, and scaling a picture takes more if one of its sides is long.
const (
	MaxBytes      = 8 << 20   // of the encoded picture
	MaxPixels     = 4_000_000 // width × height
	MaxSidePixels = 8192      // of the width and of the height
)

// Source names the places where the picture of a token may be: a data URI in Data or Image, the
// text of Data itself, a file in Dir. The first that the token has counts.
type Source struct {
	Data  string // the member image_data of the token's metadata; "" if it is missing
	Image string // the member image: a URI, such as "ipfs://bafy/1.png"; "" if it is missing
	Dir   string // a folder of files, each named as the last part of an Image; "" is none
}

// errTooLarge is the error for an encoded picture of more than [MaxBytes].
var errTooLarge = fmt.Errorf("it is larger than %d MB", MaxBytes>>20)

// MayHavePicture reports whether there is any place to look for a picture.
func (s Source) MayHavePicture() bool {
	hasDataURI := strings.HasPrefix(s.Image, "data:")
	mayHaveFile := s.Dir != "" && s.Image != ""
	return s.Data != "" || hasDataURI || mayHaveFile
}

// Load reads and decodes the picture: a PNG, a JPEG or the first frame of a GIF. It may block
// on a file. The text of an error continues a sentence about the picture, such as "it is
// larger than 8 MB".
func (s Source) Load() (image.Image, error) {
	encoded, err := s.read()
	if err != nil {
		return nil, err
	}
	if len(encoded) > MaxBytes {
		return nil, errTooLarge
	}
	if isSVG(encoded) {
		return nil, errors.New("it is SVG, which is not drawn")
	}

	// Look at the size before decoding, since a small file can hold a huge picture.
	if err := checkSize(encoded); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(bytes.NewReader(encoded))
	if err != nil || img.Bounds().Empty() {
		return nil, errors.New("it is broken")
	}
	return img, nil
}

// checkSize fails if a picture has too many pixels, is no PNG, JPEG or GIF, or is broken.
func checkSize(encoded []byte) error {
	config, _, err := image.DecodeConfig(bytes.NewReader(encoded))
	switch {
	case errors.Is(err, image.ErrFormat):
		return errors.New("it is no PNG, JPEG or GIF")
	case err != nil:
		return errors.New("it is broken")
	case config.Width <= 0 || config.Height <= 0 || config.Width > MaxPixels/config.Height:
		return fmt.Errorf("it has %d×%d pixels, more than 4 million", config.Width, config.Height)
	case max(config.Width, config.Height) > MaxSidePixels:
		return fmt.Errorf(
			"it has %d×%d pixels, and a side has at most %d",
			config.Width, config.Height, MaxSidePixels,
		)
	}
	return nil
}

// isSVG reports whether the bytes begin like an SVG, which is XML.
func isSVG(encoded []byte) bool {
	text := bytes.TrimSpace(encoded)
	return bytes.HasPrefix(text, []byte("<svg")) || bytes.HasPrefix(text, []byte("<?xml"))
}

// read returns the encoded picture of the first place that has one. Data without
// "data:" is the picture itself: marketplaces put the text of an SVG there.
func (s Source) read() ([]byte, error) {
	for _, text := range []string{s.Data, s.Image} {
		if uri, isDataURI := strings.CutPrefix(text, "data:"); isDataURI {
			return decodeDataURI(uri)
		}
	}
	if s.Data != "" {
		return []byte(s.Data), nil
	}
	return s.readFile()
}

// errBadEncoding is the error for a data URI whose text cannot be decoded.
var errBadEncoding = errors.New("its data URI is not encoded as it says")

// decodeDataURI returns the bytes in a data URI (RFC 2397), given without its scheme:
// "image/png;base64,iVBORw0…" or "image/svg+xml,%3Csvg…".
func decodeDataURI(uri string) ([]byte, error) {
	mediaType, encodedText, hasComma := strings.Cut(uri, ",")
	if !hasComma {
		return nil, errors.New("its data URI has no comma")
	}
	unescaped, err := url.PathUnescape(encodedText)
	if err != nil {
		return nil, errBadEncoding
	}
	if !strings.HasSuffix(mediaType, ";base64") {
		return []byte(unescaped), nil
	}

	// Some metadata omits the padding, so it is cut off before decoding.
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(unescaped, "="))
	if err != nil {
		return nil, errBadEncoding
	}
	return decoded, nil
}

// readFile reads the regular file of the folder whose name is the last part of the URI: "1.png"
// for "ipfs://bafy/1.png?size=2".
func (s Source) readFile() ([]byte, error) {
	name := fileNameOf(s.Image)
	if name == "" {
		return nil, errors.New("its URI ends in no name of a file")
	}

	// A root follows no link that leads out of the folder.
	dir, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, errors.New("the folder of pictures cannot be opened")
	}
	defer dir.Close()

	fileInfo, err := dir.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, errors.New("the folder of pictures has no file of its name")
	case err != nil || !fileInfo.Mode().IsRegular():
		return nil, errors.New("what has its name in the folder of pictures is no file")
	case fileInfo.Size() > MaxBytes:
		return nil, errTooLarge
	}
	encoded, err := dir.ReadFile(name)
	if err != nil {
		return nil, errors.New("its file cannot be read")
	}
	return encoded, nil
}

// fileNameOf returns the last part of the path of a URI, or "" if that part cannot be the name
// of a file in a folder.
func fileNameOf(uri string) string {
	pathEnd := strings.IndexAny(uri+"?", "?#")
	path := uri[:pathEnd]
	nameStart := strings.LastIndex(path, "/") + 1
	name, err := url.PathUnescape(path[nameStart:])
	if err != nil || name == "." || !filepath.IsLocal(name) || filepath.Base(name) != name {
		return ""
	}
	return name
}
