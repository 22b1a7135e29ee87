package widget

import (
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/table"
	tea "github.com/charmbracelet/bubbletea"
)

// One key press to a new frame at 120×40, against bubbles/table with the same
// rows, in one run. The figure is the ratio (goal: 0.2 or less).
func BenchmarkKeyToFrameAgainstBubblesTable(b *testing.B) {
	const rows = 100_000
	ours, l := benchTable(b, rows)
	theirs := bubblesTable(rows)
	down := keyMsg("j")
	for b.Loop() {
		ourTime, theirTime := time.Duration(0), time.Duration(0)
		for range 100 {
			start := time.Now()
			ours.Update(down)
			pump(b, ours, l)
			ours.View(dark)
			ourTime += time.Since(start)

			start = time.Now()
			theirs, _ = theirs.Update(down)
			theirs.View()
			theirTime += time.Since(start)
		}
		b.ReportMetric(ourTime.Seconds()/theirTime.Seconds(), "ratio")
		b.ReportMetric(float64(ourTime.Microseconds())/100, "µs/frame")
	}
}

// A key and its frame in a million rows, against a hundred (goal: 1.2 or less).
func BenchmarkKeyToFrameAtAMillionRowsAgainstAHundred(b *testing.B) {
	few, fewRows := benchTable(b, 100)
	many, manyRows := benchTable(b, 1_000_000)
	measure := func(t *Table, l *list) time.Duration {
		start := time.Now()
		for i := range 200 {
			k := keyMsg("j")
			if i%100 >= 50 {
				k = keyMsg("k")
			}
			t.Update(k)
			pump(b, t, l)
			t.View(dark)
		}
		return time.Since(start)
	}
	for b.Loop() {
		m, f := measure(many, manyRows), measure(few, fewRows)
		b.ReportMetric(m.Seconds()/f.Seconds(), "ratio")
	}
}

func benchTable(b *testing.B, n int) (*Table, *list) {
	l := numbered(n)
	return tableOf(b, Box{120, 40}, l), l
}

func bubblesTable(n int) table.Model {
	rows := make([]table.Row, 0, n)
	for _, key := range numbered(n).keys {
		rows = append(rows, table.Row{key, "alice", "●●○", "bob in 8 blocks"})
	}
	t := table.New(
		table.WithColumns([]table.Column{{Title: "TOKEN", Width: 40}, {Title: "OWNER", Width: 20}, {Title: "GRANTS", Width: 6}, {Title: "ENDS NEXT", Width: 40}}),
		table.WithRows(rows), table.WithFocused(true), table.WithHeight(40), table.WithWidth(120),
	)
	t, _ = t.Update(tea.KeyMsg{Type: tea.KeyDown})
	return t
}
