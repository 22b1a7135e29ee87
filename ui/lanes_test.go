package ui

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/uitest"
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
		cell, expires := expiry.CellOfExpiration(e, clock.Block(), clock.SecondsPerBlock)
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
		exact := map[countPosition]int{}
		for _, e := range live {
			position, isLive := chart.positionOfExpiry(e)
			if isLive { // a grant in no position makes a count differ
				exact[position]++
			}
		}

		got := ansi.Strip(widget.JoinVertically(
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
func drawnLane(chart laneChart, exact map[countPosition]int, axis cw721.Axis) string {
	title := " height  ▏"
	never := "      " + countSign(exact[countPosition{axis: cw721.Never}], "·")
	if axis == cw721.AtTime {
		title = " time    ▏"
		never = ""
	}
	var line strings.Builder
	line.WriteString(title)
	for column := range chart.columnCount {
		line.WriteString(countSign(exact[countPosition{axis, column}], " ") + " ")
	}
	line.WriteString("     " + countSign(exact[countPosition{axis, chart.columnCount}], "·") + never)
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
		later := chart.counts[countPosition{cw721.AtHeight, chart.columnCount}]
		onScale := total - later
		isLongest := chart.scaleEnd == expiry.Scales[len(expiry.Scales)-1]
		if 10*onScale < 9*total && !isLongest {
			t.Fatalf("%d of %d are on a scale of %v", onScale, total, chart.scaleEnd)
		}
	})
}

// TestTheLanesOfACrowdedCollectionAreDrawnAsKept draws its lanes in four widths, below the
// list of all its grants, from which each mark can be counted by hand.
func TestTheLanesOfACrowdedCollectionAreDrawnAsKept(t *testing.T) {
	d := uitest.On(t, New, uitest.Crowded(t), 200, 55)
	st := d.Model.State()
	var text strings.Builder
	counts := map[string]int{}
	err := d.Chain.View(func(v *chain.View) error {
		for e, err := range v.List(expiry.List{}, expiry.Walk{}) {
			if err != nil {
				return err
			}
			axis := [...]string{"never", "height", "time"}[e.Expires.Axis]
			if e.Expires.HasExpired(v.Clock.Block()) {
				axis = "expired"
			}
			counts[axis]++
			fmt.Fprintf(&text, "%-8s %s, %s\n", axis, widget.Safe(st.GrantLabel(e)), st.When(e.Expires))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&text, "%v\n", counts)
	for _, width := range []int{72, 80, 120, 200} {
		fmt.Fprintf(&text, "\n%s\n", ansi.Strip(new(drawnLanes).draw(st, nil, width)))
	}
	uitest.Kept(t, "lanes-of-a-crowded-collection", text.String())

	want := map[string]int{"height": 16, "time": 15, "never": 4, "expired": 4}
	if !maps.Equal(counts, want) {
		t.Errorf("the collection has %v grants, not %v", counts, want)
	}
}

func TestTheLineWithoutLanesCountsEveryGrantThatIsInForce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		clock := chain.Clock{Height: 1000, Time: 1_795_262_400_000_000_000, SecondsPerBlock: 5}
		live := drawLive(r, clock.Block())
		never := 0
		perCell := map[countPosition]int{}
		isFull := false
		for _, e := range live {
			cell, expires := expiry.CellOfExpiration(e, clock.Block(), clock.SecondsPerBlock)
			if !expires {
				never++
				continue
			}
			position := countPosition{e.Axis, cell}
			perCell[position]++
			isFull = isFull || perCell[position] >= expiry.MaxCount
		}
		ahead := len(live) - never
		want := ""
		if ahead > 0 {
			want = fmt.Sprintf("· %d ahead ", ahead)
		}
		switch {
		case never >= expiry.MaxCount:
			want += "· 10+ never "
		case never > 0:
			want += fmt.Sprintf("· %d never ", never)
		}

		got := grantCountText(countAll(live, clock))

		if isFull {
			_, after, hasPlus := strings.Cut(got, "+ ahead ")
			_, wantAfter, _ := strings.Cut(want, " ahead ")
			if !hasPlus || after != wantAfter {
				r.Fatalf("got %q for %d grants that expire and %d that don't", got, ahead, never)
			}
			return
		}
		if got != want {
			r.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestBelow60ColumnsOr20LinesOneLineCountsTheGrants(t *testing.T) {
	for size, lines := range map[[2]int]int{{59, 36}: 1, {60, 36}: 4, {120, 19}: 1, {120, 20}: 4, {80, 24}: 4, {60, 20}: 4} {
		d := uitest.On(t, New, uitest.Crowded(t), size[0], size[1])
		clock := strings.Split(uitest.Clock(strings.Split(d.Screen(), "\n")), "\n")
		countsGrants := strings.Contains(clock[0], "ape-0007 → bob") && strings.Contains(clock[0], "· 31 ahead · 4 never")
		if len(clock) != lines || countsGrants != (lines == 1) {
			t.Errorf("%v: %d lines, %q", size, len(clock), clock[0])
		}
	}
}

func TestTheMarksOfTheAccountUnderTheCursorStandOut(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 20}} {
		marksStandOut(t, uitest.New(t, New, size[0], size[1]))
	}
}

// marksStandOut checks the marks of the accounts of the fixture.
func marksStandOut(t *testing.T, d *uitest.Driver) {
	t.Helper()
	marked := func(account string) string {
		d.UnderCursor(account)
		th := d.Model.State().Theme
		match, _, _ := strings.Cut(th.Render(themes.Match, "|"), "|")
		lines := strings.Split(d.Model.View(), "\n")
		lanes := strings.Join(lines[len(lines)-4:], "\n")
		return fmt.Sprint(strings.Count(lanes, match))
	}
	d.Press("8")
	// alice gave bob, carol and dave a grant each; bob gave erin one; creator is in none.
	for account, want := range map[string]string{"● alice": "3", "  creator": "0", "  dave": "1", "  erin": "1", "  bob": "2"} {
		if got := marked(account); got != want {
			t.Errorf("%s: %s marks stand out, want %s\n%s", account, got, want, d.Screen())
		}
	}
}
