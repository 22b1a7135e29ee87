package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/dump"
)

// RecordError says why a history cannot be told as a scenario.
type RecordError struct{ Text string }

func (e *RecordError) Error() string { return e.Text }

// HistoryPart is the stretch of a history that is recorded. The zero Part is all of it,
// to where the history stands.
type HistoryPart struct {
	// From is the first node that is held to its answer. What came before sets
	// the scene: it plays without an expectation, and refused messages are left
	// out of it. 0 holds everything to its answer.
	From history.ID
	// To is the last node, on whatever branch; 0 is where the history stands.
	To history.ID
	// FullAnswers expects whole answers; else a message that was carried out is expected
	// to be, and one that was refused with its kind and text.
	FullAnswers bool
	// DumpName is the name of the dump that holds what an import brought, as the
	// scenario's header has it; empty where that cannot be kept.
	DumpName string
	// FinalSteps are steps behind what happened, for which all of it sets the scene.
	FinalSteps []Step
}

// Source is whose history is recorded.
type Source interface {
	View(func(*chain.View) error) error
	ViewAt(history.ID, func(*chain.View) error) error
}

// RecordToFile is [Record] into the file of a name, whose end says the format: save lets
// write fill a file. What an import brought goes into a dump beside it,
// NAME.state.json.
func RecordToFile(from Source, name string, part HistoryPart, save func(name string, write func(io.Writer) error) error, each func() error) (steps int, err error) {
	format, err := FormatOf(name)
	if err != nil {
		return 0, err
	}
	dir, base := path.Split(strings.TrimSuffix(name, ".gz"))
	part.DumpName = strings.TrimSuffix(base, path.Ext(base)) + ".state.json"
	err = save(name, func(w io.Writer) error {
		var imported history.ID
		err := from.View(func(v *chain.View) (err error) {
			steps, imported, err = Record(w, format, v, part, each)
			return err
		})
		if err != nil || imported == 0 {
			return err
		}
		return save(dir+part.DumpName, func(w io.Writer) error {
			return from.ViewAt(imported, func(v *chain.View) error { return dump.Write(w, nil, v.Records()) })
		})
	})
	return steps, err
}

// Record writes what happened on a chain, from its beginning to the end of a part,
// as a scenario that plays the same: every message with its block, its sender and
// its answer, refused ones too. What was undone is not in it. It tells how many
// steps it has, and the import that all began with, 0 for none. each, which can be
// nil, is asked before every step whether to go on: its error ends the writing.
// Save fails with a [*RecordError] where the beginning is not known, or the part
// begins somewhere else, and with what w fails with.
func Record(w io.Writer, f Format, v *chain.View, part HistoryPart, each func() error) (steps int, imported history.ID, err error) {
	r := &recording{v: v, part: part, firstReceivers: map[cw721.Address]chain.Receiver{}}
	if err := r.collectPath(); err != nil {
		return 0, 0, err
	}
	header, err := r.header()
	if err != nil {
		return 0, 0, err
	}
	messages := messageChecker{contract: v.Contract()}
	if _, messages.compiled, err = v.Module(); err != nil {
		return 0, 0, err
	}
	err = Write(w, f, header, func(write func(Step) error) error {
		return r.eachStep(func(s Step) error {
			if each != nil {
				if err := each(); err != nil {
					return err
				}
			}
			steps++
			if f == YAML {
				_, misread := messages.findMistake(&s)
				s.Ignored = misread != ""
			}
			return write(s)
		})
	})
	return steps, r.imported, err
}

// recording is a way through the history.
type recording struct {
	v    *chain.View
	part HistoryPart
	// path holds the nodes from the last one up to the beginning.
	path []history.ID
	// start is the block before everything.
	start cw721.Block
	// firstReceivers is what was at an address when a token was first sent there: the
	// history does not hold what people said about contracts, only how those
	// answered.
	firstReceivers map[cw721.Address]chain.Receiver
	// names are those of addresses.
	names        map[cw721.Address]string
	book         cw721.Names
	addressNames *strings.Replacer // of addresses in messages by "$name"
	imported     history.ID        // the import that all began with; 0 for none
}

// collectPath walks from the last node up to the beginning.
func (r *recording) collectPath() error {
	r.start = r.v.Clock.Block()
	r.part.To = cmp.Or(r.part.To, r.v.Head)
	for at := r.part.To; at != 0; {
		n, err := r.v.Node(at)
		if unknown := (*history.UnknownNodeError)(nil); errors.As(err, &unknown) && unknown.Pruned && len(r.path) > 0 {
			return &RecordError{fmt.Sprintf("the history before node %d was forgotten, so it cannot be recorded from the beginning", r.path[len(r.path)-1])}
		}
		if err != nil {
			return err
		}
		if n.Kind == history.KindImport && r.part.DumpName == "" {
			return &RecordError{"the collection was imported, so what made it is not known and it cannot be recorded from the beginning"}
		}
		if n.Kind == history.KindMigrate && n.Refusal == nil {
			return &RecordError{fmt.Sprintf("#%d is a migration to another contract, which a scenario cannot hold", at)}
		}
		if to, receiver, ok := r.receiverShownBy(n); ok {
			r.firstReceivers[to] = receiver
		}
		r.start = cw721.Block{Height: n.Height, Time: n.Time}
		if n.Kind == history.KindImport {
			r.imported = at
			break
		}
		r.path = append(r.path, at)
		at = n.Parent
	}
	if r.part.From != 0 && !slices.Contains(r.path, r.part.From) {
		return &RecordError{fmt.Sprintf("#%d does not lead to #%d, so there is nothing between the two to record", r.part.From, r.part.To)}
	}
	return nil
}

// receiverShownBy tells what a node reveals about the address that a token was sent
// to.
func (r *recording) receiverShownBy(n history.Node) (to cw721.Address, receiver chain.Receiver, ok bool) {
	if n.Kind != history.KindExecute || r.v.Config.Record {
		return "", "", false
	}
	msg, _, err := r.v.Contract().DecodeExecute([]byte(n.Message), nil)
	send, isSend := msg.(*cw721.SendNft)
	if err != nil || !isSend || send.Contract == r.v.Self {
		return "", "", false
	}
	if n.Refusal == nil {
		return send.Contract, chain.ReceiverAccepts, true
	}
	receiver, ok = chain.ReceiverBehind(n.Refusal.Kind, n.Refusal.Text)
	return send.Contract, receiver, ok
}

func (r *recording) header() (Header, error) {
	h := Header{
		Name: r.v.About, Rules: r.v.Rules, Prefix: r.v.Prefix, Self: r.v.Self, Flavour: r.v.Flavour,
		Undelivered: Undelivered(r.v.Config.Record),
		Start:       At{Height: &r.start.Height, Time: &r.start.Time},
	}
	if c, err := r.v.Collection(); err == nil && h.Name == "" {
		h.Name = c.Name
	}
	accounts, err := r.v.Accounts()
	if err != nil {
		return h, err
	}
	if r.imported != 0 {
		h.Import = r.part.DumpName
	}
	r.names = map[cw721.Address]string{}
	addresses := map[string]cw721.Address{}
	add := func(name string, a cw721.Address, receiver chain.Receiver) {
		r.names[a], addresses[name] = name, a
		h.Accounts = append(h.Accounts, Account{Name: name, Address: a})
		if seen, ok := r.firstReceivers[a]; ok {
			receiver = seen
		}
		if receiver != chain.ReceiverDefault {
			h.Contracts = append(h.Contracts, Contract{Name: name, Receiver: receiver})
		}
	}
	for _, a := range accounts {
		add(a.Name, a.Address, a.Receiver)
	}
	for _, to := range slices.Sorted(maps.Keys(r.firstReceivers)) {
		if r.names[to] == "" {
			add(unusedContractName(addresses), to, chain.ReceiverDefault)
		}
	}
	var pairs []string
	for address, name := range r.names {
		pairs = append(pairs, string(address), "$"+name)
	}
	r.addressNames = quotedReplacer(pairs)
	r.book = func(name string) (string, bool) {
		a, ok := addresses[name]
		return string(a), ok
	}
	return h, nil
}

// eachStep tells the way down again, step by step.
func (r *recording) eachStep(tell func(Step) error) error {
	var moved clockMove
	scene := r.part.From != 0 || r.part.FinalSteps != nil // what comes before the part
	there := maps.Clone(r.firstReceivers)
	for _, id := range slices.Backward(r.path) {
		n, err := r.v.Node(id)
		if err != nil {
			return err
		}
		if scene && id == r.part.From {
			scene = false
			note := Step{Note: partBegins}
			moved.addTo(&note)
			if err := tell(note); err != nil {
				return err
			}
		}
		if n.Kind == history.KindClock {
			if err := moved.add(n); err != nil {
				return err
			}
			continue
		}
		if scene && n.Refusal != nil {
			continue
		}
		s := r.messageStep(n)
		moved.addTo(&s)
		if scene {
			s.Expect = nil
		}
		if to, receiver, ok := r.receiverShownBy(n); ok && there[to] != receiver {
			s.Contracts = []Contract{{Name: r.names[to], Receiver: receiver}}
			there[to] = receiver
		}
		if err := tell(s); err != nil {
			return err
		}
	}
	then := r.part.FinalSteps
	if moved != (clockMove{}) {
		last := Step{}
		moved.addTo(&last)
		then = append([]Step{last}, then...)
	}
	for _, s := range then {
		if err := tell(s); err != nil {
			return err
		}
	}
	return nil
}

// partBegins is the note where the scene is set.
const partBegins = "What came before sets the scene. From here on every answer is held to what it was."

// unusedContractName gives a contract without a name one that nobody has.
func unusedContractName(taken map[string]cw721.Address) string {
	for i := 1; ; i++ {
		name := fmt.Sprintf("contract-%d", i)
		if _, ok := taken[name]; !ok {
			return name
		}
	}
}
