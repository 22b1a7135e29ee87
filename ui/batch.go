package ui

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
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
	seq  int
	jobs []job
	from int
	err  error
}

// batchOverMsg says that the selection was seen to.
type batchOverMsg struct{}

// openBatch gives the command that opens a batch.
func openBatch(d *Desk, title string, jobs []job, load func(*chain.View) ([]job, error)) tea.Cmd {
	b := &batch{title: title, jobs: jobs, load: load, actor: d.Actor, scroll: widget.NewScroll()}
	return dialogThen(b, b.start(d))
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
	load, seq := b.load, b.seq
	return d.ask(b, func(e Engine) tea.Msg {
		msg := batchLookedMsg{seq: seq, from: -1}
		msg.err = e.View(func(v *chain.View) (err error) {
			msg.jobs, err = load(v)
			return err
		})
		return msg
	})
}

// look previews the next jobs.
func (b *batch) look(d *Desk) tea.Cmd {
	to := min(b.seen+previewChunk, len(b.jobs))
	if b.seen == to {
		b.phase = batchReady
		return nil
	}
	from, seq := b.seen, b.seq
	jobs := append([]job{}, b.jobs[from:to]...)
	senders := make([]cw721.Address, len(jobs))
	for i := range jobs {
		senders[i] = b.sender(jobs[i])
	}
	return d.ask(b, func(e Engine) tea.Msg {
		msg := batchLookedMsg{seq: seq, jobs: jobs, from: from}
		for i := range jobs {
			r, err := e.Preview(senders[i], jobs[i].msg)
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
}

func (b *batch) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case batchLookedMsg:
		return b.looked(d, msg), false
	case executedMsg:
		if msg.from == any(b) {
			cmd := b.sent(d, msg)
			return cmd, b.phase == batchOver && len(b.jobs) == 1 && b.jobs[0].state == jobDone
		}
	case tea.MouseMsg:
		b.scroll.Update(msg)
	case tea.KeyMsg:
		return b.key(d, msg)
	}
	return nil, false
}

func (b *batch) looked(d *Desk, msg batchLookedMsg) tea.Cmd {
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
	return b.look(d)
}

// Commands are the keys that do something in this phase.
func (b *batch) Commands(*Desk) []Command {
	var keys []key.Binding
	switch b.phase {
	case batchReady:
		if n := b.count(jobFine); n > 0 {
			keys = append(keys, bind("enter", fmt.Sprintf("send %d", n), "enter"))
		}
		other := "each as its owner"
		if b.owners {
			other = "all as the actor"
		}
		keys = append(keys, bind("esc", "cancel", "esc", "q"), bind("o", other, "o"))
	case batchSending:
		keys = append(keys, bind("esc", "stop", "esc", "q"))
	case batchOver:
		keys = append(keys, bind("enter", "close", "enter"), bind("esc", "close", "esc", "q"))
	default:
		keys = append(keys, bind("esc", "cancel", "esc", "q"))
	}
	return append(listed(groupHere, keys...), readOn(b.scroll.Hidden())...)
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
	return tea.Batch(say(b.summary()), over)
}

func over() tea.Msg { return batchOverMsg{} }

func (b *batch) sent(d *Desk, msg executedMsg) tea.Cmd {
	j := &b.jobs[b.at]
	switch {
	case msg.err != nil:
		j.state, j.text = jobFailed, msg.err.Error()
	case msg.receipt.Refusal != nil:
		j.state, j.text = jobFailed, msg.receipt.Refusal.Text
	default:
		j.state = jobDone
		if len(b.jobs) == 1 { // a list of one has no more to tell than any message
			b.phase = batchOver
			return tea.Batch(say(levelGood, d.summary(msg.receipt)), over)
		}
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
