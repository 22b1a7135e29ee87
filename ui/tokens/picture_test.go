package tokens_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// gifRed is a GIF of 1×1 red pixel.
const gifRed = "R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs="

// withPicture mints ape-00, which stands first, with a field of metadata.
func withPicture(t *testing.T, w, h int, field, value string) *uitest.Driver {
	t.Helper()
	d := uitest.New(t, ui.New, w, h)
	d.Do("minter", fmt.Sprintf(`{"mint":{"token_id":"ape-00","owner":"$alice","extension":{"name":"Red",%q:%q}}}`, field, value))
	d.Press("g")
	return d
}

func TestThePictureOfATokenStandsBesideItsMetadata(t *testing.T) {
	d := withPicture(t, 120, 36, "image_data", "data:image/gif;base64,"+gifRed)
	d.Sees("name          Red", "image data    data:ima", strings.Repeat("▀", 24))
	d.Fits()

	d.Press("j")
	d.DoesNotSee("▀")

	d.Press("k")
	d.Sees("▀")
	for _, size := range uitest.AllSizes {
		withPicture(t, size[0], size[1], "image", "data:image/gif;base64,"+gifRed).Fits()
	}
}

func TestAPictureThatIsNotDrawnIsASentence(t *testing.T) {
	withPicture(t, 120, 36, "image_data", "<svg/>").Sees("picture       it is SVG, which is not drawn")
	withPicture(t, 120, 36, "image", "data:image/png;base64,"+gifRed[:30]).Sees("picture       it is broken")
	d := withPicture(t, 120, 36, "image_data", "data:image/gif;base64,"+gifRed)
	d.Press("j")
	d.Given(func(st *app.State) { st.ThemeOptions.NoColor = true })
	d.Press("k")
	d.Sees("picture       it is not drawn without colours")
	d.DoesNotSee("▀")
}

func TestAPictureIsFoundInTheFolderByTheLastPartOfItsURIAndNeverFetched(t *testing.T) {
	d := withPicture(t, 120, 36, "image", "https://example.com/red.gif")
	d.DoesNotSee("picture  ", "▀")
	raw := chaintest.Must(base64.StdEncoding.DecodeString(gifRed))(t)
	dir := t.TempDir()
	d.Press("j")
	d.Given(func(st *app.State) { st.Media = dir })
	d.Press("k")
	d.Sees("picture       the folder of pictures has no file of its name")
	chaintest.OK(t, os.WriteFile(filepath.Join(dir, "red.gif"), raw, 0o600))
	d.Press("j", "k")
	d.Sees("▀")
}

func TestWhereTheTerminalHasPlaceholdersThePictureIsSentOnceForAnyNumberOfFrames(t *testing.T) {
	d := withPicture(t, 120, 36, "image_data", "data:image/gif;base64,"+gifRed)
	d.Press("j")
	var sent []string
	d.Given(func(st *app.State) {
		st.SendPicture = func(b []byte) error { sent = append(sent, string(b)); return nil }
	})
	d.Press("k", ".", "tab", "tab", ":", "esc")
	if len(sent) != 1 || !strings.HasPrefix(sent[0], "\x1b_G") {
		t.Errorf("sent %d times: %.80q", len(sent), sent)
	}
	d.Sees("\U0010eeee")
	d.DoesNotSee("▀")
	d.Fits()
}

func TestThePictureThatWasSentIsFreedWhenItLeavesTheScreenAndSentAgain(t *testing.T) {
	d := withPicture(t, 120, 36, "image_data", "data:image/gif;base64,"+gifRed)
	d.Press("j")
	var sent []string
	d.Given(func(st *app.State) {
		st.SendPicture = func(b []byte) error { sent = append(sent, string(b)); return nil }
	})
	says := func(when string, want ...string) {
		t.Helper()
		if len(sent) != len(want) {
			t.Fatalf("%s: %d were sent, expected %q: %.80q", when, len(sent), want, sent)
		}
		for i, action := range want {
			if !strings.Contains(sent[i], action) {
				t.Errorf("%s: %.80q, expected %s", when, sent[i], action)
			}
		}
	}
	const drawn, freed = "a=T", "a=d"
	d.Press("k")
	says("a token with a picture", drawn)
	d.Press("j")
	says("a token without", drawn, freed)
	d.Press("k")
	says("back again", drawn, freed, drawn)
	d.Press("2")
	says("another screen", drawn, freed, drawn, freed)
	d.Press("1")
	says("the first screen", drawn, freed, drawn, freed, drawn)
}
