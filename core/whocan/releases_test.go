package whocan

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// releasedContracts returns the compiled contracts in the directory that EPHEMERA_CONTRACTS
// names, by their file names. It skips the test if the variable is not set.
func releasedContracts(t *testing.T) map[string]chain.Module {
	t.Helper()
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	modules := map[string]chain.Module{}
	for _, path := range chaintest.Must(filepath.Glob(filepath.Join(dir, "*.wasm")))(t) {
		modules[filepath.Base(path)] = chain.Module{File: filepath.Base(path), Code: chaintest.Must(os.ReadFile(path))(t)}
	}
	return modules
}

// compiledWorld returns a world in which creator, minter and the owner of rose are different
// people, on a compiled contract, with grants and offers drawn from r.
func compiledWorld(t *testing.T, module chain.Module, o chain.Options, r *rand.Rand) *world {
	t.Helper()
	c := chaintest.Must(chain.OpenWith(kv.NewMemory(), o))(t)
	g := chain.Genesis{Clock: chain.Clock{Height: 1000, Time: 1_000_000e9}, Module: &module}
	for _, name := range people {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: address(name)})
	}
	founding := fmt.Sprintf(`{"name":"Apes","symbol":"APE","minter":%q}`, address("erin"))
	chaintest.Must(c.Create(g, address("creator"), []byte(founding)))(t)

	w := &world{t, c}
	w.do("erin mint rose alice")
	person := func() string { return people[r.IntN(len(people))] }
	for range r.IntN(5) {
		end := []string{"", " 1010", " t1000075"}[r.IntN(3)]
		switch r.IntN(3) {
		case 0:
			w.do("alice approve " + person() + " rose" + end)
		case 1:
			w.do(person() + " approve_all " + person() + end)
		case 2:
			if strings.Contains(module.File, "v0.19.0") { // the older ones have another message
				w.do("erin offer-minter " + person() + end)
			}
		}
	}
	return w
}

// sendByHand sends an act from everybody who is not passive, in the blocks before and at
// each expiry that compiledWorld draws. It returns the first one that the contract executes.
func sendByHand(t *testing.T, v *chain.View, q Question, passive []cw721.Address) (executed string) {
	t.Helper()
	for _, height := range []uint64{1000, 1009, 1010, 1014, 1015, 1016} {
		moment := chaintest.Must(v.Clock.ToExpiry(cw721.UntilHeight(cw721.Height(height)), 0))(t).Block()
		for _, who := range append([]string{"fresh"}, people...) {
			sender := address(who)
			if strings.Contains(fmt.Sprint(passive), string(sender)) {
				continue
			}
			message := cw721.Encode(q.act(sender, address("the market")))
			sent := []chain.TimedMessage{{Block: moment, Sender: sender, Message: message}}
			count, _, err := v.TryMessages(sent)
			chaintest.OK(t, err)
			if count == 1 {
				return fmt.Sprintf("%s sends %s at height %d", who, message, height)
			}
		}
	}
	return ""
}

func TestNobodyIsNeverSaidWhereAReleasedContractExecutesTheMessage(t *testing.T) {
	cached := chain.Options{CacheDir: t.TempDir()}
	for file, module := range releasedContracts(t) {
		t.Run(file, func(t *testing.T) {
			verdicts := map[Verdict]int{}
			unanswered := 0
			for seed := range uint64(kvtest.Many(10)) {
				r := rand.New(rand.NewPCG(seed, 27))
				w := compiledWorld(t, module, cached, r)
				for _, action := range cw721.RulesStandard.Actions() {
					w.view(func(v *chain.View) error {
						question := Question{Action: action, Depth: 1}
						if action.NeedsToken {
							question.Token = "rose"
						}
						answer, err := Ask(context.Background(), v, question)
						if errors.As(err, new(*chain.NoRulesError)) || errors.As(err, new(*chain.UnreadableError)) {
							unanswered++
							return nil
						}
						chaintest.OK(t, err)
						verdicts[answer.Verdict]++
						if answer.UnprovenReason != "" {
							t.Errorf("%s is not known by its checksum", file)
						}
						if answer.Verdict == WayExists {
							return nil
						}
						if question.Token == "" {
							question.Token = "new"
						}
						if executed := sendByHand(t, v, question, answer.PassiveAccounts); executed != "" {
							t.Errorf("world %d, %s: %s, but %s", seed, action.Name, answer.Verdict, executed)
						}
						return nil
					})
				}
			}
			t.Logf("%v, %d not answered", verdicts, unanswered)
			hasRules := strings.Contains(file, "v0.19.0")
			if hasRules != (unanswered == 0) || hasRules && (verdicts[WayExists] == 0 || verdicts[None]+verdicts[NoneWithin] == 0) {
				t.Errorf("%v, %d not answered", verdicts, unanswered)
			}
		})
	}
}

// Before 0.19 there is no rule set, so that the real end of a grant is what the contract
// itself shows. In every world it is never exactly where some message of the spender, in any
// block before the expiry, keeps the token movable after it.
func TestTheRealEndOfAGrantIsWhatAnOlderReleaseShows(t *testing.T) {
	cached := chain.Options{CacheDir: t.TempDir()}
	for file, module := range releasedContracts(t) {
		if strings.Contains(file, "v0.19.0") {
			continue
		}
		t.Run(file, func(t *testing.T) {
			count := map[bool]int{}
			for seed := range uint64(kvtest.Many(20)) {
				w := compiledWorld(t, module, cached, rand.New(rand.NewPCG(seed, 28)))
				w.view(func(v *chain.View) error {
					for grant, err := range v.GrantsOver("rose") {
						chaintest.OK(t, err)
						grant.Token = "rose"
						if grant.Expires.Axis == cw721.Never || grant.Spender == grant.Owner {
							continue
						}
						end := chaintest.Must(RealExpiry(context.Background(), v, grant))(t)
						outlives := outlivesByHand(t, v, grant)
						count[outlives]++
						if (end.Axis == cw721.Never) != outlives {
							t.Errorf("world %d: %v of %v: until %v, by hand it outlives its expiry: %v", seed, grant.Kind, grant.Spender, end, outlives)
						}
					}
					return nil
				})
			}
			if count[true] == 0 || count[false] == 0 {
				t.Errorf("the worlds are too alike: %v", count)
			}
		})
	}
}

// outlivesByHand reports whether the spender of a grant can send a message before the grant
// expires after which he, or a fresh account, can transfer the token in the block of the
// expiry.
func outlivesByHand(t *testing.T, v *chain.View, g cw721.Grant) bool {
	t.Helper()
	end := chaintest.Must(v.Clock.ToExpiry(g.Expires, 0))(t).Block()
	fresh := address("fresh")
	preparations := []cw721.ExecuteMsg{
		nil,
		&cw721.Approve{Spender: g.Spender, TokenID: g.Token},
		&cw721.Approve{Spender: fresh, TokenID: g.Token},
		&cw721.ApproveAll{Operator: g.Spender},
		&cw721.ApproveAll{Operator: fresh},
	}
	for _, preparation := range preparations {
		for height := v.Clock.Height; height < end.Height; height++ {
			before := cw721.Block{Height: height, Time: v.Clock.EstimateTimeAt(height)}
			for _, mover := range []cw721.Address{g.Spender, fresh} {
				transfer := cw721.Encode(&cw721.TransferNft{Recipient: mover, TokenID: g.Token})
				messages := []chain.TimedMessage{{Block: end, Sender: mover, Message: transfer}}
				if preparation != nil {
					first := chain.TimedMessage{Block: before, Sender: g.Spender, Message: cw721.Encode(preparation)}
					messages = []chain.TimedMessage{first, messages[0]}
				}
				_, refusal, err := v.TryMessages(messages)
				chaintest.OK(t, err)
				if refusal == nil {
					return true
				}
			}
		}
	}
	return false
}
