package picture

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// flag is a picture of w×h pixels: red above, blue below.
func flag(w, h int) *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{}})
	for y := h / 2; y < h; y++ {
		for x := range w {
			img.SetColorIndex(x, y, 1)
		}
	}
	return img
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t *testing.T, img image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, img) })
}

func dataURI(raw []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(raw)
}

func drawn(t *testing.T, s Source, w, h int) CellPicture {
	t.Helper()
	d, err := s.Draw(w, h, termenv.TrueColor, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPNGJPEGAndTheFirstFrameOfAGIFAreDrawnInHalfBlocks(t *testing.T) {
	moving := &gif.GIF{Image: []*image.Paletted{flag(4, 4), image.NewPaletted(image.Rect(0, 0, 4, 4), flag(1, 1).Palette)}, Delay: []int{1, 1}}
	for name, raw := range map[string][]byte{
		"png":  pngOf(t, flag(4, 4)),
		"jpeg": encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, flag(16, 16), nil) }),
		"gif":  encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, moving) }),
	} {
		d := drawn(t, Source{Data: dataURI(raw)}, 8, 8)
		if d.Width != 8 || len(d.Rows) != 4 {
			t.Errorf("%s: %d×%d cells", name, d.Width, len(d.Rows))
		}
		if top := d.Rows[0]; !strings.HasPrefix(top, "\x1b[0m\x1b[38;2;25") || ansi.Strip(top) != "▀▀▀▀▀▀▀▀" {
			t.Errorf("%s begins with %q, expected red half blocks", name, top)
		}
	}
}

func TestAPictureKeepsItsShapeAndASmallOneGrowsByWholeSteps(t *testing.T) {
	for _, c := range []struct{ w, h, cellsW, cellsH int }{{10, 10, 20, 10}, {9, 9, 18, 9}, {400, 100, 24, 3}, {100, 400, 6, 12}, {1, 3000, 1, 12}} {
		d := drawn(t, Source{Data: dataURI(pngOf(t, flag(c.w, c.h)))}, 24, 12)
		if d.Width != c.cellsW || len(d.Rows) != c.cellsH {
			t.Errorf("%d×%d pixels take %d×%d cells, expected %d×%d", c.w, c.h, d.Width, len(d.Rows), c.cellsW, c.cellsH)
		}
	}
}

func TestWhereAPictureIsTransparentTheGroundShows(t *testing.T) {
	img := flag(2, 2)
	img.Pix = []byte{0, 2, 2, 1}
	if d := drawn(t, Source{Data: dataURI(pngOf(t, img))}, 2, 1); d.Rows[0] != "\x1b[0m\x1b[38;2;255;0;0m▀\x1b[0m\x1b[38;2;0;0;255m▄\x1b[0m" {
		t.Errorf("drawn as %q", d.Rows[0])
	}
}

// whitePNG returns a white picture as a data URI.
func whitePNG(t *testing.T, width, height int) string {
	t.Helper()
	return dataURI(pngOf(t, image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White})))
}

// requireReason fails unless the picture is not drawn for a reason.
func requireReason(t *testing.T, s Source, profile termenv.Profile, reason string) {
	t.Helper()
	if _, err := s.Draw(24, 12, profile, nil); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("%.60v: %v, expected %q", s, err, reason)
	}
}

func TestMetadataThatIsNotDrawnSaysWhy(t *testing.T) {
	whole := pngOf(t, flag(200, 200))
	huge := bytes.Clone(whole)
	copy(huge[16:], []byte{0, 0, 0x40, 0, 0, 0, 0x40, 0, 8, 3, 0, 0, 0, 0x2a, 0x5a, 0x3d, 0x8d}) // the header alone says 16,384×16,384
	for data, reason := range map[string]string{
		"<svg xmlns='http://www.w3.org/2000/svg'/>": "SVG, which is not drawn",
		"data:image/svg+xml,%3Csvg/%3E":             "SVG, which is not drawn",
		"an ape":                                    "no PNG, JPEG or GIF",
		dataURI(whole[:len(whole)/2]):               "broken",
		"GIF89a\x01\x00\x00\x00\x00\x00\x00":        "has 1×0 pixels",
		dataURI(huge):                               "broken", // its checksum does not fit, and nothing was decoded
		"data:image/png;base64,???":                 "not encoded as it says",
		"data:image/png":                            "no comma",
		whitePNG(t, 4001, 1000):                     "4001×1000 pixels, more than 4 million",
		whitePNG(t, 8193, 1):                        "8193×1 pixels, and a side has at most 8192",
		whitePNG(t, 1, 8193):                        "1×8193 pixels, and a side has at most 8192",
	} {
		requireReason(t, Source{Data: data}, termenv.TrueColor, reason)
	}
	widest := Source{Image: whitePNG(t, MaxSidePixels, 1)}
	drawn(t, widest, 24, 12)
	requireReason(t, widest, termenv.Ascii, "colours")
}

func TestAFileThatIsNotDrawnSaysWhy(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.png")
	os.WriteFile(outside, pngOf(t, flag(2, 2)), 0o600)
	os.Symlink(outside, filepath.Join(dir, "link.png"))
	os.Mkdir(filepath.Join(dir, "sub"), 0o700)
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe.png")).Run(); err != nil { // there are none on Windows
		os.Mkdir(filepath.Join(dir, "pipe.png"), 0o700)
	}
	os.WriteFile(filepath.Join(dir, "big.png"), make([]byte, MaxBytes+1), 0o600)
	for name, reason := range map[string]string{
		"none.png":        "has no file of its name",
		"sub":             "is no file",
		"pipe.png":        "is no file",
		"link.png":        "is no file",
		"big.png":         "larger than 8 MB",
		"..%2fsecret.png": "ends in no name of a file",
		"..":              "ends in no name of a file",
		"":                "ends in no name of a file",
	} {
		requireReason(t, Source{Image: "ipfs://cid/" + name, Dir: dir}, termenv.TrueColor, reason)
	}
	requireReason(t, Source{Image: "1.png", Dir: filepath.Join(dir, "none")}, termenv.TrueColor, "folder of pictures cannot be opened")
}

func TestAFileIsFoundByTheLastPartOfTheImageURI(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "ape 1.png"), pngOf(t, flag(2, 2)), 0o600)
	for _, uri := range []string{"ipfs://cid/ape%201.png", "https://x.example/a/ape%201.png?size=9#top", "ape 1.png"} {
		drawn(t, Source{Image: uri, Dir: dir}, 24, 12)
	}
	if (Source{Image: "ipfs://cid/1.png"}).MayHavePicture() {
		t.Error("something is looked for without a folder")
	}
}

func TestNothingOfWhatWasReadReachesTheTerminal(t *testing.T) {
	ours := regexp.MustCompile(`^(\x1b\[[0-9;]*m|[▀▄ ])*$`)
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 40).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		copy(img.Pix, rapid.SliceOfN(rapid.Byte(), 1, 4*w*h).Draw(t, "pixels"))
		var raw bytes.Buffer
		if err := png.Encode(&raw, img); err != nil {
			t.Fatal(err)
		}
		for _, p := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
			d, err := Source{Data: dataURI(raw.Bytes())}.Draw(20, 10, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range d.Rows {
				if !ours.MatchString(row) || ansi.StringWidth(row) != d.Width {
					t.Fatalf("row %q of a picture %d wide", row, d.Width)
				}
			}
		}
	})
}

func TestPlaceholdersTakeTheCellsThatTheyStandFor(t *testing.T) {
	var sent []byte
	d, err := Source{Data: dataURI(pngOf(t, flag(500, 500)))}.Draw(24, 12, termenv.TrueColor, func(b []byte) error { sent = b; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if d.Width != 24 || len(d.Rows) != 12 {
		t.Errorf("%d×%d cells", d.Width, len(d.Rows))
	}
	for _, row := range d.Rows {
		if ansi.StringWidth(row) != 24 || ansi.StringWidthWc(row) != 24 {
			t.Errorf("%q is %d cells wide", row, ansi.StringWidth(row))
		}
		if cut := ansi.Truncate(row, 24, ""); cut != row {
			t.Errorf("the renderer cuts %q to %q", row, cut)
		}
	}
	for _, want := range []string{"\x1b_G", "a=T", "U=1", "c=24", "r=12", "q=2", "i=219"} {
		if !strings.Contains(string(sent), want) {
			t.Errorf("%.80q has no %s", sent, want)
		}
	}
}

func TestPlaceholdersAreForTerminalsThatSayThatTheyAreOneWithThem(t *testing.T) {
	for name, has := range map[string]bool{"kitty(0.42.1)": true, "ghostty 1.1.3": true, "WezTerm 20240203": false, "tmux 3.4": false, "": false} {
		if HasPlaceholders(name) != has {
			t.Errorf("%q: %v", name, !has)
		}
	}
}
