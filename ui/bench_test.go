package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/table"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/persist"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// pump runs a model's commands until there is nothing more to do. What comes
// after a while is left out.
func pump(m tea.Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if v := reflect.ValueOf(msg); v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			pump(m, v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	if _, isTimer := msg.(app.TimerMsg); msg != nil && !isTimer {
		_, cmd = m.Update(msg)
		pump(m, cmd)
	}
}

// benchModel gives the explorer, at 120×40, on a database on the disk with so
// many generated tokens. .ci/bench makes the databases.
func benchModel(b *testing.B, tokens int) *Model {
	b.Helper()
	dir := os.Getenv("EPHEMERA_BENCH_DIR")
	if dir == "" {
		b.Skip("needs databases that .ci/bench makes")
	}
	disk := chaintest.Must(persist.Open(filepath.Join(dir, fmt.Sprint(tokens)), persist.Options{}))(b)
	c := chaintest.Must(chain.Open(disk))(b)
	b.Cleanup(func() { _ = c.Close() })
	options := themes.Options{Profile: termenv.TrueColor, Terminal: themes.DarkBackground}
	palette := chaintest.Must(themes.Lookup("dark", themes.DarkBackground))(b)
	m := New(app.Options{
		Open: func() (app.Engine, error) { return c, nil }, Theme: themes.New(palette, options), ThemeOptions: options,
	})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	pump(m, m.Init())
	return m
}

// frame is one key and the frame after it, with all that was read for it.
func frame(m *Model, key string) time.Duration {
	start := time.Now()
	_, cmd := m.Update(uitest.Key(key))
	first := m.View() // what a person sees at once
	took := time.Since(start)
	if len(first) == 0 {
		panic("nothing is drawn")
	}
	pump(m, cmd)
	m.View()
	return took
}

// fresh is frame with what is read for it counted too.
func fresh(m *Model, key string) time.Duration {
	start := time.Now()
	_, cmd := m.Update(uitest.Key(key))
	pump(m, cmd)
	m.View()
	return time.Since(start)
}

// upAndDown are keys that move over a few windows of rows and back.
func upAndDown(i int) string {
	if i%200 < 100 {
		return "j"
	}
	return "k"
}

func BenchmarkKeyToFrameOfTheModelAgainstBubblesTable(b *testing.B) {
	const rows = 100_000
	ours := benchModel(b, rows)
	theirs := table.New(
		table.WithColumns([]table.Column{{Title: "TOKEN", Width: 40}, {Title: "OWNER", Width: 20}, {Title: "GRANTS", Width: 6}, {Title: "EXPIRES NEXT", Width: 40}}),
		table.WithFocused(true), table.WithHeight(40), table.WithWidth(120),
	)
	all := make([]table.Row, rows)
	for i := range all {
		all[i] = table.Row{fmt.Sprintf("gen-%07d", i+1), "alice", "●●○", "bob in 8 blocks"}
	}
	theirs.SetRows(all)
	for _, measured := range measures {
		b.Run(measured.name, func(b *testing.B) {
			for b.Loop() {
				var took [2]time.Duration
				const keys = 200
				for i := range keys {
					took[0] += measured.key(ours, upAndDown(i))
					start := time.Now()
					theirs, _ = theirs.Update(uitest.Key(upAndDown(i)))
					theirs.View()
					took[1] += time.Since(start)
				}
				b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "ratio")
				b.ReportMetric(float64(took[0].Microseconds())/keys, "µs/frame")
				b.ReportMetric(float64(took[1].Microseconds())/keys, "µs/table")
			}
		})
	}
}

// measures are two ways to look at a key: the frame that shows that it was
// pressed, and the frame with all that had to be read for it.
var measures = []struct {
	name string
	key  func(*Model, string) time.Duration
}{{"drawn", frame}, {"read and drawn", fresh}}

func BenchmarkKeyToFrameOfTheModelAtAMillionAgainstAHundred(b *testing.B) {
	for _, measured := range measures {
		b.Run(measured.name, func(b *testing.B) {
			many, few := benchModel(b, 1_000_000), benchModel(b, 100)
			for b.Loop() {
				var took [2]time.Duration
				const keys = 400
				for i := range keys {
					took[0] += measured.key(many, upAndDown(i))
					took[1] += measured.key(few, upAndDown(i))
				}
				b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "ratio")
				b.ReportMetric(float64(took[0].Microseconds())/keys, "µs/million")
				b.ReportMetric(float64(took[1].Microseconds())/keys, "µs/hundred")
			}
		})
	}
}

// journeys are keys that take a person from the list of tokens to something
// else that reads the collection, and back.
var journeys = []struct {
	name string
	keys []string
}{
	{"last token and first", []string{"G", "g"}},
	{"sort by what expires next", []string{"s", "G", "g", "s"}},
	{"tokens of an owner", []string{"/", "owner:alice", "enter", "G", "g", "esc", "esc"}},
	{"tokens with a spender", []string{"/", "spender:bob", "enter", "G", "g", "esc", "esc"}},
	{"tokens that expire soon", []string{"/", "expires<10", "enter", "G", "esc", "esc"}},
	{"why", []string{"w", "esc"}},
	{"timeline", []string{"L", "esc"}},
	{"probe", []string{"B", "esc"}},
	{"approvals", []string{"2", "G", "g", "1"}},
	{"operators", []string{"3", "G", "g", "1"}},
	{"collection", []string{"4", "1"}},
	{"history", []string{"5", "G", "g", "1"}},
	{"console", []string{"6", "esc", "f1"}},
	{"accounts", []string{"8", "G", "g", "1"}},
	{"the clock and back", []string{".", "u"}},
	{"the next expiry and back", []string{"e", "u"}},
}

func BenchmarkJourneyAtAMillionAgainstAThousand(b *testing.B) {
	many, few := benchModel(b, 1_000_000), benchModel(b, 1_000)
	for _, j := range journeys {
		b.Run(j.name, func(b *testing.B) {
			for b.Loop() {
				var took [2][]time.Duration
				for range 20 {
					for side, m := range []*Model{many, few} {
						start := time.Now()
						for _, key := range j.keys {
							fresh(m, key)
						}
						took[side] = append(took[side], time.Since(start))
					}
				}
				slices.Sort(took[0])
				slices.Sort(took[1])
				b.ReportMetric(float64(took[0][10])/float64(took[1][10]), "ratio")
				b.ReportMetric(float64(took[0][10].Microseconds()), "µs/million")
				b.ReportMetric(float64(took[1][10].Microseconds()), "µs/thousand")
			}
		})
	}
}

// BenchmarkTextFilterOverAMillion looks through a million tokens for a text that
// none holds, and reports how long one batch keeps the store; keys are answered
// between batches.
func BenchmarkTextFilterOverAMillion(b *testing.B) {
	m := benchModel(b, 1_000_000)
	for b.Loop() {
		m.Update(uitest.Key("/"))
		_, cmd := m.Update(uitest.Key("nowhere"))
		start := time.Now()
		pump(m, cmd)
		took := time.Since(start)
		b.ReportMetric(1/took.Seconds(), "Mtokens/s")
		b.ReportMetric(took.Seconds()*1e3*2000/1e6, "ms/batch")
		pump(m, func() tea.Msg { return uitest.Key("esc") })
		pump(m, func() tea.Msg { return uitest.Key("esc") })
	}
}
