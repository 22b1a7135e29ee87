package ui

import (
	"fmt"
	"testing"

	"ephemera/ui/uitest"
)

func TestEveryScreenLooksAsKept(t *testing.T) {
	for _, size := range uitest.Sizes {
		d := uitest.New(t, New, size[0], size[1])
		for i, s := range root(d).screens {
			t.Run(fmt.Sprintf("%s_%dx%d", s.Name(), size[0], size[1]), func(t *testing.T) {
				d.T = t
				d.Press(fmt.Sprint(i + 1))
				d.Golden(fmt.Sprintf("screen-%s-%dx%d", s.Name(), size[0], size[1]))
			})
		}
	}
}

// scenes are the forms and dialogs, with the keys that lead there.
var scenes = []struct {
	name string
	keys []string
}{
	{"transfer", []string{"t", "bob"}},
	{"approve", []string{"p", "bob", "tab", "+10"}},
	{"revoke", []string{"r"}},
	{"deliver", []string{"d", "vault"}},
	{"burn", []string{"b"}},
	{"mint", []string{"m"}},
	{"token-info", []string{"i"}},
	{"filter", []string{"/", "owner:bob", "enter"}},
	{"grant-operator", []string{"3", "o"}},
	{"edit-collection", []string{"4", "enter"}},
	{"console-message", []string{"6", "enter", `{"burn":{"token_id":"ape-01"}}`}},
	{"why", []string{"w"}},
	{"probe", []string{"B"}},
	{"clock", []string{"T"}},
	{"ended", []string{"e"}},
	{"act-as", []string{"a"}},
	{"commands", []string{":"}},
	{"help", []string{"?"}},
	{"timeline", []string{"L"}},
	{"matrix", []string{"M"}},
	{"matrix-reason", []string{"M", ">", "j", "j", "j", "c", "L"}},
	{"dangling", []string{"D"}},
	{"quit", []string{".", "q"}},
}

func TestEveryFormAndDialogLooksAsKept(t *testing.T) {
	for _, size := range uitest.Sizes {
		for _, scene := range scenes {
			t.Run(fmt.Sprintf("%s_%dx%d", scene.name, size[0], size[1]), func(t *testing.T) {
				d := uitest.New(t, New, size[0], size[1])
				for _, k := range scene.keys {
					if _, isKey := uitest.Named[k]; isKey || len(k) == 1 {
						d.Press(k)
					} else {
						d.Types(k)
					}
				}
				d.Golden(fmt.Sprintf("%s-%dx%d", scene.name, size[0], size[1]))
			})
		}
	}
}
