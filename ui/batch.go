package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// batch sends many messages, one by one: first it shows of each what will
// become of it, then it sends those that will work, then it says what became of
// them.
type batch struct {
	title  string
	jobs   []job
	load   func(*chain.View) ([]job, error) // nil when the jobs are given
	actor  cw721.Address
	owners bool // each is sent by the token's owner instead

	phase   batchPhase
	seq     int
	seen    int // jobs that were previewed
	at      int // the job that is being sent
	stopped bool
	fault   string
	scroll  *widget.Scroll
	box     widget.Box
	drawn   string // what the lines in the scroll were made for
}

// job is one message of a batch.
type job struct {
	what  string // in words: "ape-0042 → bob"
	owner cw721.Address
	msg   []byte
	state jobState
	text  string
}

type jobState int

const (
	jobUnknown  jobState = iota
	jobFine              // will work
	jobRefused           // will be refused
	jobDone              // was carried out
	jobFailed            // was refused after all
	jobLeftOver          // was not sent
)

type batchPhase int

const (
	batchLooking batchPhase = iota
	batchReady
	batchSending
	batchOver
)

// previewChunk is how many messages one command previews.
const previewChunk = 50

// batchLookedMsg brings the jobs, or previews of some of them.
type batchLookedMsg struct {
	batch *batch
	seq   int
	jobs  []job
	from  int
	err   error
}

// batchOverMsg says that the selection was seen to.
type batchOverMsg struct{}

// openBatch gives the command that opens a batch.
func openBatch(d *Desk, title string, jobs []job, load func(*chain.View) ([]job, error)) tea.Cmd {
	b := &batch{title: title, jobs: jobs, load: load, actor: d.Actor, scroll: widget.NewScroll()}
	return tea.Sequence(dialog(b), b.start(d))
}

// sender is who sends a job.
func (b *batch) sender(j job) cw721.Address {
	if b.owners && j.owner != "" {
		return j.owner
	}
	return b.actor
}

// start reads the jobs, if they are not known, and previews the first of them.
func (b *batch) start(d *Desk) tea.Cmd {
	b.seq++
	b.phase, b.seen = batchLooking, 0
	if b.load == nil {
		return b.look(d)
	}
	engine, load, seq := d.Engine, b.load, b.seq
	return func() tea.Msg {
		msg := batchLookedMsg{batch: b, seq: seq, from: -1}
		msg.err = engine.View(func(v *chain.View) (err error) {
			msg.jobs, err = load(v)
			return err
		})
		return msg
	}
}

// look previews the next jobs.
func (b *batch) look(d *Desk) tea.Cmd {
	to := min(b.seen+previewChunk, len(b.jobs))
	if b.seen == to {
		b.phase = batchReady
		return nil
	}
	engine, from, seq := d.Engine, b.seen, b.seq
	jobs := append([]job{}, b.jobs[from:to]...)
	senders := make([]cw721.Address, len(jobs))
	for i := range jobs {
		senders[i] = b.sender(jobs[i])
	}
	return func() tea.Msg {
		msg := batchLookedMsg{batch: b, seq: seq, jobs: jobs, from: from}
		for i := range jobs {
			r, err := engine.Preview(senders[i], jobs[i].msg)
			switch {
			case err != nil:
				jobs[i].state, jobs[i].text = jobRefused, err.Error()
			case r.Refusal != nil:
				jobs[i].state, jobs[i].text = jobRefused, r.Refusal.Text
			default:
				jobs[i].state, jobs[i].text = jobFine, ""
			}
		}
		return msg
	}
}

func (b *batch) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case batchLookedMsg:
		return b.looked(d, msg), false
	case executedMsg:
		if msg.from == any(b) {
			return b.sent(d, msg), false
		}
	case tea.MouseMsg:
		b.scroll.Update(msg)
	case tea.KeyMsg:
		return b.key(d, msg)
	}
	return nil, false
}

func (b *batch) looked(d *Desk, msg batchLookedMsg) tea.Cmd {
	if msg.batch != b || msg.seq != b.seq {
		return nil
	}
	if msg.err != nil {
		b.phase, b.fault = batchOver, msg.err.Error()
		return nil
	}
	if msg.from < 0 {
		b.jobs, b.load = msg.jobs, nil
	} else {
		copy(b.jobs[msg.from:], msg.jobs)
		b.seen = msg.from + len(msg.jobs)
	}
	return b.look(d)
}

// batchKeys are the keys of a batch, for help.
var batchKeys = []Command{
	{Binding: bind("enter", "send those that will work", "enter"), Group: groupHere},
	{Binding: bind("o", "each as its owner, or all as the actor", "o"), Group: groupHere},
	{Binding: bind("esc", "cancel, stop or close", "esc", "q"), Group: groupHere},
}

func (b *batch) Commands(*Desk) []Command {
	return append(batchKeys[:len(batchKeys):len(batchKeys)], listed(groupMove, b.scroll.Bindings()...)...)
}

func (b *batch) key(d *Desk, k tea.KeyMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "esc", "q":
		if b.phase != batchSending {
			return nil, true
		}
		b.stopped = true // the one that is on its way is still told
		return nil, false
	case "o":
		if b.phase == batchReady {
			b.owners = !b.owners
			return b.start(d), false
		}
	case "enter":
		switch {
		case b.phase == batchReady && b.count(jobFine) > 0:
			b.phase, b.at = batchSending, -1
			return b.send(d), false
		case b.phase == batchOver:
			return nil, true
		}
	default:
		b.scroll.Update(k)
	}
	return nil, false
}

// send sends the next job that will work, or ends the batch.
func (b *batch) send(d *Desk) tea.Cmd {
	for b.at++; b.at < len(b.jobs); b.at++ {
		j := &b.jobs[b.at]
		switch {
		case j.state != jobFine:
		case b.stopped:
			j.state = jobLeftOver
		default:
			return executeAs(d, b, b.sender(*j), j.msg)
		}
	}
	b.phase = batchOver
	return tea.Batch(say(b.summary()), func() tea.Msg { return batchOverMsg{} })
}

func (b *batch) sent(d *Desk, msg executedMsg) tea.Cmd {
	j := &b.jobs[b.at]
	switch {
	case msg.err != nil:
		j.state, j.text = jobFailed, msg.err.Error()
	case msg.receipt.Refusal != nil:
		j.state, j.text = jobFailed, msg.receipt.Refusal.Text
	default:
		j.state = jobDone
	}
	return b.send(d)
}

func (b *batch) count(s jobState) (n int) {
	for _, j := range b.jobs {
		if j.state == s {
			n++
		}
	}
	return n
}

// summary says at the end what became of all.
func (b *batch) summary() (widget.Level, string) {
	done, bad := b.count(jobDone), b.count(jobFailed)+b.count(jobRefused)
	text := fmt.Sprintf("%s: %d done", b.title, done)
	if bad > 0 {
		text += fmt.Sprintf(", %d refused", bad)
	}
	if left := b.count(jobLeftOver); left > 0 {
		text += fmt.Sprintf(", %d not sent", left)
	}
	if bad > 0 {
		return levelWarn, text
	}
	return levelGood, text
}

const batchWidth = 96

func (b *batch) Resize(box widget.Box) { b.box = box }

func (b *batch) View(d *Desk) string {
	frame := widget.Box{W: min(b.box.W, batchWidth), H: min(b.box.H, max(len(b.jobs)+b.count(jobRefused)+b.count(jobFailed), 1)+5)}
	inner := widget.FrameInner(frame)
	if now := fmt.Sprint(b.phase, b.seq, b.seen, b.at, inner, len(d.Names)); now != b.drawn {
		b.drawn = now
		b.scroll.Resize(widget.Box{W: inner.W, H: max(inner.H-3, 0)})
		b.scroll.Keep(b.lines(inner.W))
	}
	th := d.Theme
	body := widget.JoinV(
		b.headline().Fit(th, inner.W),
		horizontalRule(d, inner.W),
		b.scroll.View(th),
		b.keysLine().Fit(th, inner.W))
	by := widget.Safe(d.Call(b.actor))
	if b.owners {
		by = "their owners"
	}
	return widget.Frame(th, b.title+" as "+by, body, true, frame)
}

// headline says how things stand.
func (b *batch) headline() widget.Line {
	fine, bad := b.count(jobFine), b.count(jobRefused)
	switch {
	case b.fault != "":
		return widget.In(themes.Bad, " "+themes.GlyphNo+" "+b.fault)
	case b.phase == batchLooking:
		return widget.In(themes.Muted, fmt.Sprintf(" looking at what will happen: %d of %d%s", b.seen, len(b.jobs), themes.GlyphEllipsis))
	case b.phase == batchSending:
		return widget.In(themes.Warn, fmt.Sprintf(" sending: %d done%s esc stops", b.count(jobDone), themes.GlyphEllipsis))
	case b.phase == batchOver:
		_, text := b.summary()
		return widget.In(themes.Strong, " "+text)
	case len(b.jobs) == 0:
		return widget.In(themes.Muted, " nothing to do")
	case bad == 0:
		return widget.In(themes.Good, fmt.Sprintf(" %s all %d will work", themes.GlyphYes, fine))
	}
	return widget.In(themes.Good, fmt.Sprintf(" %s %d will work  ", themes.GlyphYes, fine)).And(themes.Bad, fmt.Sprintf("%s %d will be refused", themes.GlyphNo, bad))
}

func (b *batch) keysLine() widget.Line {
	switch {
	case b.phase == batchOver:
		return widget.In(themes.Key, " enter").And(themes.Muted, " closes")
	case b.phase != batchReady:
		return widget.Plain("")
	}
	l := widget.Plain(" ")
	if n := b.count(jobFine); n > 0 {
		l = l.And(themes.Key, "enter").And(themes.Muted, fmt.Sprintf(" sends %d  ", n))
	}
	as := " each as its owner  "
	if b.owners {
		as = " all as the actor  "
	}
	return l.And(themes.Key, "o").And(themes.Muted, as).And(themes.Key, "esc").And(themes.Muted, " cancels")
}

// lines lists the jobs, each with its sign and, where it is refused, why.
func (b *batch) lines(w int) []widget.Line {
	wide := 0
	for _, j := range b.jobs {
		wide = max(wide, widget.Width(widget.Safe(j.what)))
	}
	wide = min(wide, max(w-49, w/3, 8)) // so that the usual refusal fits beside it
	lines := make([]widget.Line, 0, len(b.jobs))
	for _, j := range b.jobs {
		sign, role, text := themes.GlyphDot, themes.Faint, ""
		switch j.state {
		case jobFine:
			sign, role, text = themes.GlyphYes, themes.Good, "will work"
		case jobRefused:
			sign, role, text = themes.GlyphNo, themes.Bad, j.text
		case jobDone:
			sign, role, text = themes.GlyphYes, themes.Good, "done"
		case jobFailed:
			sign, role, text = themes.GlyphNo, themes.Bad, "refused: "+j.text
		case jobLeftOver:
			text = "not sent"
		}
		l := widget.In(role, " "+sign+" ").And(themes.Text, widget.Fit(widget.Safe(j.what), wide)+"  ")
		lines = append(lines, l.And(themes.Muted, text))
	}
	return lines
}
