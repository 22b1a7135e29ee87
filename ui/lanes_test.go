package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// drawLive draws grants that have not expired, as expirations.
func drawLive(t *rapid.T, now cw721.Block) (live []cw721.Expiration) {
	for range rapid.IntRange(0, 40).Draw(t, "grants") {
		axis := rapid.SampledFrom([]cw721.Axis{cw721.AtHeight, cw721.AtTime, cw721.Never}).Draw(t, "axis")
		current, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(now)
		e := cw721.Expiration{Axis: axis}
		if axis != cw721.Never {
			ahead := rapid.OneOf(rapid.Uint64Range(1, 20), rapid.Uint64Range(1, 1<<40), rapid.Uint64Range(1, 1<<58))
			e.Value = current + ahead.Draw(t, "ahead")
		}
		live = append(live, e)
	}
	return live
}

// countAll counts grants in the cells of the lanes.
func countAll(live []cw721.Expiration, clock chain.Clock) (counts expiry.Lanes) {
	add := func(count *uint8) { *count = min(*count+1, expiry.MaxCount) }
	for _, e := range live {
		cell, expires := expiry.CellOf(e, clock.Block(), clock.SecondsPerBlock)
		switch {
		case !expires:
			add(&counts.Never)
		case e.Axis == cw721.AtHeight:
			add(&counts.Height[cell])
		default:
			add(&counts.Time[cell])
		}
	}
	return counts
}

func TestEveryLiveGrantIsInOnePlaceOfTheLanesAndDigitsAreExact(t *testing.T) {
	palette, _ := themes.Lookup("dark", themes.DarkBackground)
	theme := themes.New(palette, themes.Options{Terminal: themes.DarkBackground})
	rapid.Check(t, func(t *rapid.T) {
		clock := chain.Clock{Height: 1000, Time: 1_795_262_400_000_000_000}
		clock.SecondsPerBlock = rapid.Uint64Range(1, 100).Draw(t, "seconds per block")
		live := drawLive(t, clock.Block())
		width := rapid.IntRange(60, 200).Draw(t, "width")
		chart := newLaneChart(countAll(live, clock), clock, width)
		exact := map[lanePlace]int{}
		for _, e := range live {
			place, isLive := chart.placeOf(e)
			if isLive { // a grant in no place makes a count differ
				exact[place]++
			}
		}

		got := ansi.Strip(widget.JoinV(
			chart.laneView(theme, cw721.AtHeight, nil),
			chart.laneView(theme, cw721.AtTime, nil),
		))
		want := drawnLane(chart, exact, cw721.AtHeight) + "\n" + drawnLane(chart, exact, cw721.AtTime)
		for i, line := range strings.Split(got, "\n") {
			if widget.Width(line) != width {
				t.Fatalf("a line of %d cells instead of %d: %s", widget.Width(line), width, line)
			}
			if wanted := strings.Split(want, "\n")[i]; strings.TrimRight(line, " ") != wanted {
				t.Fatalf("drawn  %s\nwanted %s", line, wanted)
			}
		}
	})
}

// drawnLane is a lane as it should look, from the exact numbers of grants.
func drawnLane(chart laneChart, exact map[lanePlace]int, axis cw721.Axis) string {
	title := " height  ▏"
	never := "      " + countSign(exact[lanePlace{axis: cw721.Never}], "·")
	if axis == cw721.AtTime {
		title = " time    ▏"
		never = ""
	}
	var line strings.Builder
	line.WriteString(title)
	for column := range chart.columns {
		line.WriteString(countSign(exact[lanePlace{axis, column}], " ") + " ")
	}
	line.WriteString("     " + countSign(exact[lanePlace{axis, chart.columns}], "·") + never)
	return strings.TrimRight(line.String(), " ")
}

func TestNineInTenOfTheGrantsThatExpireAreOnTheScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counts expiry.Lanes
		for cell := range counts.Height {
			counts.Height[cell] = uint8(rapid.IntRange(0, 2).Draw(t, "count"))
		}
		chart := newLaneChart(counts, chain.Clock{}, 120)
		total := countBefore(counts, 1<<62)
		later := chart.counts[lanePlace{cw721.AtHeight, chart.columns}]
		onScale := total - later
		isLongest := chart.scaleEnd == expiry.Scales[len(expiry.Scales)-1]
		if 10*onScale < 9*total && !isLongest {
			t.Fatalf("%d of %d are on a scale of %v", onScale, total, chart.scaleEnd)
		}
	})
}
