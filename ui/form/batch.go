package form

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Batch sends many messages, one by one: first it shows of each what will
// become of it, then it sends those that will work, then it says what became of
// them.
type Batch struct {
	title  string
	jobs   []Job
	load   func(*chain.View) ([]Job, error) // nil when the jobs are given
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

// Job is one message of a batch.
type Job struct {
	What  string // in words: "ape-0042 → bob"
	Owner cw721.Address
	Msg   []byte
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

// waitedSends is how many messages keys wait for; more are sent behind them.
const waitedSends = 50

// previewChunk is how many messages one command previews.
const previewChunk = 50

// batchReadMsg brings the jobs, or previews of some of them.
type batchReadMsg struct {
	seq  int
	jobs []Job
	from int
	err  error
}

// BatchOverMsg says that the selection was seen to.
type BatchOverMsg struct{}

// OpenBatch gives the command that opens a batch.
func OpenBatch(st *app.State, title string, jobs []Job, load func(*chain.View) ([]Job, error)) tea.Cmd {
	b := &Batch{title: title, jobs: jobs, load: load, actor: st.Actor, scroll: widget.NewScroll()}
	return app.OpenDialogThen(b, b.start(st))
}

// sender is who sends a job.
func (b *Batch) sender(j Job) cw721.Address {
	if b.owners && j.Owner != "" {
		return j.Owner
	}
	return b.actor
}

// start reads the jobs, if they are not known, and previews the first of them.
func (b *Batch) start(st *app.State) tea.Cmd {
	b.seq++
	b.phase, b.seen = batchLooking, 0
	if b.load == nil {
		return b.previewNext(st)
	}
	load, seq := b.load, b.seq
	return st.Ask(b, func(e app.Engine) tea.Msg {
		jobs, err := chain.Read(e, load)
		return batchReadMsg{seq: seq, jobs: jobs, from: -1, err: err}
	})
}

// previewNext previews the next jobs.
func (b *Batch) previewNext(st *app.State) tea.Cmd {
	to := min(b.seen+previewChunk, len(b.jobs))
	if b.seen == to {
		b.phase = batchReady
		return nil
	}
	from, seq := b.seen, b.seq
	jobs := append([]Job{}, b.jobs[from:to]...)
	senders := make([]cw721.Address, len(jobs))
	for i := range jobs {
		senders[i] = b.sender(jobs[i])
	}
	preview := st.Ask(b, func(e app.Engine) tea.Msg {
		msg := batchReadMsg{seq: seq, jobs: jobs, from: from}
		for i := range jobs {
			r, err := e.Preview(senders[i], jobs[i].Msg)
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
	})
	if from > 0 {
		return app.Background(preview)
	}
	return preview
}

func (b *Batch) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case batchReadMsg:
		return b.applyPreviews(st, msg), false
	case app.ExecutedMsg:
		if msg.From == any(b) {
			cmd := b.sent(st, msg)
			return cmd, b.phase == batchOver && len(b.jobs) == 1 && b.jobs[0].state == jobDone
		}
	case tea.MouseMsg:
		b.scroll.Update(msg)
	case tea.KeyMsg:
		return b.key(st, msg)
	}
	return nil, false
}

func (b *Batch) applyPreviews(st *app.State, msg batchReadMsg) tea.Cmd {
	if msg.seq != b.seq {
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
	return b.previewNext(st)
}

// Commands are the keys that do something in this phase.
func (b *Batch) Commands(*app.State) []app.Command {
	var keys []key.Binding
	switch b.phase {
	case batchReady:
		if n := b.count(jobFine); n > 0 {
			keys = append(keys, app.Bind("enter", fmt.Sprintf("send %d", n), "enter"))
		}
		other := "each as its owner"
		if b.owners {
			other = "all as the actor"
		}
		keys = append(keys, app.Bind("esc", "cancel", "esc", "q"), app.Bind("o", other, "o"))
	case batchSending:
		keys = append(keys, app.Bind("esc", "stop", "esc", "q"))
	case batchOver:
		keys = append(keys, app.Bind("enter", "close", "enter"), app.Bind("esc", "close", "esc", "q"))
	default:
		keys = append(keys, app.Bind("esc", "cancel", "esc", "q"))
	}
	return append(app.Listed(app.GroupHere, keys...), readOn(b.scroll.Hidden())...)
}

func (b *Batch) key(st *app.State, k tea.KeyMsg) (tea.Cmd, bool) {
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
			return b.start(st), false
		}
	case "enter":
		switch {
		case b.phase == batchReady && b.count(jobFine) > 0:
			b.phase, b.at = batchSending, -1
			return b.send(st), false
		case b.phase == batchOver:
			return nil, true
		}
	default:
		b.scroll.Update(k)
	}
	return nil, false
}

// send sends the next job that will work, or closes the batch.
func (b *Batch) send(st *app.State) tea.Cmd {
	for b.at++; b.at < len(b.jobs); b.at++ {
		j := &b.jobs[b.at]
		switch {
		case j.state != jobFine:
		case b.stopped:
			j.state = jobLeftOver
		default:
			send := app.ExecuteAs(st, b, b.sender(*j), j.Msg)
			if b.at >= waitedSends {
				return app.Background(send)
			}
			return send
		}
	}
	b.phase = batchOver
	return tea.Batch(app.Notify(b.summary()), over)
}

func over() tea.Msg { return BatchOverMsg{} }

func (b *Batch) sent(st *app.State, msg app.ExecutedMsg) tea.Cmd {
	j := &b.jobs[b.at]
	switch {
	case msg.Err != nil:
		j.state, j.text = jobFailed, msg.Err.Error()
	case msg.Receipt.Refusal != nil:
		j.state, j.text = jobFailed, msg.Receipt.Refusal.Text
	default:
		j.state = jobDone
		if len(b.jobs) == 1 { // a list of one has no more to tell than any message
			b.phase = batchOver
			return tea.Batch(app.Notify(app.LevelGood, st.Summary(msg.Receipt)), over)
		}
	}
	return b.send(st)
}

func (b *Batch) count(s jobState) (n int) {
	for _, j := range b.jobs {
		if j.state == s {
			n++
		}
	}
	return n
}

// summary says at the end what became of all.
func (b *Batch) summary() (widget.Level, string) {
	done, bad := b.count(jobDone), b.count(jobFailed)+b.count(jobRefused)
	text := fmt.Sprintf("%s: %d done", b.title, done)
	if bad > 0 {
		text += fmt.Sprintf(", %d refused", bad)
	}
	if left := b.count(jobLeftOver); left > 0 {
		text += fmt.Sprintf(", %d not sent", left)
	}
	if bad > 0 {
		return app.LevelWarn, text
	}
	return app.LevelGood, text
}

// RevokeJob revokes one approval.
func RevokeJob(call func(cw721.Address) string, g cw721.Grant) Job {
	return Job{
		What: g.Token + " " + themes.GlyphArrow + " " + call(g.Spender) + " (" + call(g.Owner) + "'s)", Owner: g.Owner,
		Msg: cw721.Encode(&cw721.Revoke{Spender: g.Spender, TokenID: g.Token}),
	}
}
