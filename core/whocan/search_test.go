package whocan

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

func TestMoreThanADozenWhoCanSendAreNeverNoneAtAll(t *testing.T) {
	w := newWorld(t)
	for i := range MaxActors + 1 {
		w.do(fmt.Sprintf("alice approve spender%d rose", i))
	}
	a := w.ask("approve unmoved")
	if a.Verdict != NoneWithin || !strings.Contains(a.CutReason, "more than 12 accounts") {
		t.Errorf("got %s, cut because %q", a.Verdict, a.CutReason)
	}
	if a := w.ask("approve unmoved passive alice,spender0"); strings.Contains(a.CutReason, "accounts") {
		t.Errorf("twelve are too many: %s", a.CutReason)
	}
}

func TestWhoHoldsNothingLiveTakesNobodysPlace(t *testing.T) {
	w := newWorld(t)
	for i := range 2 * MaxActors {
		w.do(fmt.Sprintf("alice approve spender%d rose 1001", i))
	}
	if a := w.do("clock 1001").ask("transfer"); a.Verdict != None {
		t.Errorf("got %s, cut because %q", a.Verdict, a.CutReason)
	}
}

func TestNoneWithinIsSaidWhereMoreMessagesCouldHelp(t *testing.T) {
	w := newWorld(t).do("alice approve_all bob")
	for depth, want := range map[string]Verdict{"1": NoneWithin, "2": NoneWithin, "4": None} {
		if a := w.ask("approve as carol unmoved depth " + depth); a.Verdict != want {
			t.Errorf("to depth %s: got %s", depth, a.Verdict)
		}
	}
}

func TestAStateCountsAtItsEarliestMomentAlone(t *testing.T) {
	w := newWorld(t).do("alice approve_all bob\nalice approve carol rose")
	const question = "approve as carol unmoved"
	once, twice := w.ask(question), w.ask(question+" after 1050")
	if once.Verdict != None || twice.Verdict != None || once.States != twice.States {
		t.Errorf("%s of %d states at one moment, and %s of %d at two", once.Verdict, once.States, twice.Verdict, twice.States)
	}
}

func TestFurtherWaysDifferAndNoneHoldsMoreThanItNeeds(t *testing.T) {
	a := newWorld(t).do("alice approve bob rose\nalice approve_all carol 1100").ask("transfer after 1200 unmoved ways 9")
	got := ways(a)
	for _, want := range []string{
		"1200 bob transfer bob [approval] | 1000 carol approve carol [operator]; 1200 carol transfer carol [approval] | 1000 carol approve anyone",
	} {
		if !strings.HasPrefix(got, want) {
			t.Errorf("got  %s\nwant %s…", got, want)
		}
	}
	for i, way := range a.Ways {
		for _, shorter := range a.Ways[:i] {
			if holds(way, shorter) {
				t.Errorf("%s holds more than %s", told(way), told(shorter))
			}
		}
	}
}

// holds reports whether a way has all messages of a shorter one in the same order.
func holds(way, shorter []Step) bool {
	for _, s := range way {
		if len(shorter) > 0 && told([]Step{s}) == told(shorter[:1]) {
			shorter = shorter[1:]
		}
	}
	return len(shorter) == 0
}

func TestTheAnswerIsTheSameEveryTime(t *testing.T) {
	w := newWorld(t).do("alice approve_all bob\nalice approve_all carol 1100\nalice approve dave rose 1050")
	first := ways(w.ask("transfer as erin ways 20"))
	for range 5 {
		if again := ways(w.ask("transfer as erin ways 20")); again != first {
			t.Fatalf("first %s\nthen  %s", first, again)
		}
	}
}

func TestAMistakenQuestionIsRefused(t *testing.T) {
	w := newWorld(t)
	for text, want := range map[string]error{
		"transfer as bob passive bob":        ErrAsPassive,
		"transfer until 1000":                ErrNoTime,
		"transfer after 1100 until 1100":     ErrNoTime,
		"transfer after t1001000 until 1010": ErrNoTime,
	} {
		w.view(func(v *chain.View) error {
			if _, err := Ask(context.Background(), v, w.question(text)); !errors.Is(err, want) {
				t.Errorf("%s: got %v", text, err)
			}
			return nil
		})
	}
	q := w.question("transfer")
	q.Token = "lily"
	w.view(func(v *chain.View) error {
		_, err := Ask(context.Background(), v, q)
		if e := cw721.AsError(err); e == nil || e.Kind != cw721.KindNotFound {
			t.Errorf("about no token: got %v", err)
		}
		return nil
	})
}

// wide returns a world and a question for which the search visits many states.
func wide(t testing.TB) (*world, string) {
	w := newWorld(t).do("alice approve_all bob")
	for i := range 9 {
		w.do(fmt.Sprintf("alice approve_all spender%d", i))
	}
	return w, "approve as carol unmoved depth 12"
}

// leaving is a context that is cancelled after a number of calls of Err. The search calls Err
// before each message.
type leaving struct {
	context.Context
	leavesAt int64 // the number of calls without an error
	asked    atomic.Int64
}

// Err counts the call, and returns an error if there were more than leavesAt.
func (l *leaving) Err() error {
	if l.asked.Add(1) > l.leavesAt {
		return context.Canceled
	}
	return nil
}

func TestASearchStopsWhenItIsToldTo(t *testing.T) {
	w, text := wide(t)
	left := &leaving{Context: context.Background(), leavesAt: 5000}
	w.view(func(v *chain.View) error {
		_, err := Ask(left, v, w.question(text))
		if after := left.asked.Load() - left.leavesAt; !errors.Is(err, context.Canceled) || after > 1 {
			t.Errorf("got %v, and %d messages were tried after that", err, after)
		}
		return nil
	})
}

func TestWhoMayMintBesidesTheMinterIsFound(t *testing.T) {
	w := worldUnder(t, cw721.RulesV022)
	for question, want := range map[string]string{
		"mint":                         "",
		"mint as carol active creator": "1000 creator add_minter [minter]; 1000 carol mint [additional minter]",
	} {
		if a := w.ask(question); ways(a) != want {
			t.Errorf("%s is answered with %s %s", question, a.Verdict, ways(a))
		}
	}
	w.do("creator add-minter bob")
	if a := w.ask("mint"); ways(a) != "1000 bob mint [additional minter]" {
		t.Errorf("got %s %s", a.Verdict, ways(a))
	}

	// The contract allows ten additional minters.
	for i := range 9 {
		w.do(fmt.Sprintf("creator add-minter minter%d", i))
	}
	want := "1000 creator remove_minter [minter]; 1000 creator add_minter [minter]; 1000 carol mint [additional minter]"
	if a := w.ask("mint as carol only creator,carol ways 9"); !strings.Contains(ways(a), want) {
		t.Errorf("got %s %s", a.Verdict, ways(a))
	}
}

func TestADeadlineCutsAndIsNoNone(t *testing.T) {
	w, text := wide(t)
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	<-ctx.Done()
	w.view(func(v *chain.View) error {
		a, err := Ask(ctx, v, w.question(text))
		if err != nil || a.Verdict != NoneWithin || a.CutReason == "" {
			t.Errorf("got %s, cut because %q, %v", a.Verdict, a.CutReason, err)
		}
		return nil
	})
}

func TestMemoryCutsAndIsNoNone(t *testing.T) {
	w, text := wide(t)
	w.view(func(v *chain.View) error {
		s, err := prepare(context.Background(), v, w.question(text))
		chaintest.OK(t, err)
		s.maxVisitedStates = 0
		chaintest.OK(t, s.run())
		if s.answer.Verdict != NoneWithin || s.answer.Depth != 0 || s.answer.CutReason == "" {
			t.Errorf("got %s to depth %d, cut because %q", s.answer.Verdict, s.answer.Depth, s.answer.CutReason)
		}
		return nil
	})
}

func TestWhatTheAnswerRestsOnIsSaid(t *testing.T) {
	w := newWorld(t)
	w.view(func(v *chain.View) error {
		a, err := Ask(context.Background(), v, w.question("send unmoved passive alice,bob"))
		chaintest.OK(t, err)
		got := strings.Join(a.Assumptions, "\n")
		for _, want := range []string{"a block takes 5 s", "these accounts send nothing: alice, bob", "neither transferred nor burned", "accepts it", "minted"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not said in\n%s", want, got)
			}
		}
		return nil
	})
}

func TestTheRealEndOfAGrant(t *testing.T) {
	const never = "expiration: never"
	approval := cw721.Grant{Kind: cw721.GrantApproval, Token: "rose", Owner: address("alice"), Spender: address("bob")}
	operator := cw721.Grant{Kind: cw721.GrantOperator, Owner: address("alice"), Spender: address("bob")}
	for _, c := range []struct {
		about, world string
		grant        cw721.Grant
		expires      string
		want         string
	}{
		{"an approval ends when it says", `alice approve bob rose 1100`, approval, "1100", "expiration height: 1100"},
		{"in time as well", `alice approve bob rose t1000600`, approval, "t1000600", "expiration time: 1000600.000000000"},
		{"an approval of an operator does not", "alice approve bob rose 1100\nalice approve_all bob 1050", approval, "1100", never},
		{"an operator can approve himself", `alice approve_all bob 1100`, operator, "1100", never},
		{"other grants count for nothing", "alice approve bob rose 1100\nalice approve_all carol", approval, "1100", "expiration height: 1100"},
		{"one that has expired", "alice approve_all bob 1100\nclock 1100", operator, "1100", "expiration height: 1100"},
		{"one to oneself", "alice approve_all alice 1100", cw721.Grant{Kind: cw721.GrantOperator, Owner: address("alice"), Spender: address("alice")}, "1100", "expiration height: 1100"},
		{"an offer", "creator offer-minter bob 1100", cw721.Grant{Kind: cw721.GrantMinterOffer, Owner: address("creator"), Spender: address("bob")}, "1100", "expiration height: 1100"},
	} {
		t.Run(c.about, func(t *testing.T) {
			c.grant.Expires = *expiration(c.expires)
			newWorld(t).do(c.world).view(func(v *chain.View) error {
				end, err := RealExpiry(context.Background(), v, c.grant)
				if err != nil || end.String() != c.want {
					t.Errorf("got %s, %v", end, err)
				}
				return nil
			})
		})
	}
}

// The package knows the contract through messages, decisions and what a view
// tells: no record, no storage key, no rule.
func TestNothingOfTheContractIsKnownButMessagesAndAnswers(t *testing.T) {
	imports := []string{"ephemera/core/chain", "ephemera/core/cw721", "ephemera/core/human", "ephemera/core/kv"}
	answers := strings.Fields(`
		Action ActionNamed Address AccountBytes ContractBytes Block Env Info Contract AsError
		Error Walk Decision Check Rule RuleOwner RuleApproval RuleOperator RuleMinter RuleCreator
		RulePendingOwner RuleAnyone RuleAdditionalMinter Ownership Grant GrantApproval
		GrantOperator Expiration Never UntilTime Encode ExecuteMsg TransferNft SendNft Burn
		Approve ApproveAll Revoke RevokeAll Mint UpdateCollectionInfo UpdateMinterOwnership
		UpdateCreatorOwnership RoleMessage Offer Accept Renounce AddMinter RemoveMinter`)
	entries, err := os.ReadDir(".")
	chaintest.OK(t, err)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, e.Name(), nil, 0)
		chaintest.OK(t, err)
		for _, i := range file.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			if strings.Contains(path, ".") || strings.HasPrefix(path, "ephemera") && !slices.Contains(imports, path) {
				t.Errorf("%s imports %s", e.Name(), path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, isSelector := n.(*ast.SelectorExpr); isSelector {
				if x, isName := s.X.(*ast.Ident); isName && x.Name == "cw721" && !slices.Contains(answers, s.Sel.Name) {
					t.Errorf("%s: cw721.%s is neither a message nor an answer", files.Position(n.Pos()), s.Sel.Name)
				}
			}
			return true
		})
	}
}

// migrateToTestContract lets the world run the contract of the tests of package wasm. It
// executes send_nft of anyone, stops at transfer_nft, and refuses most other messages.
func (w *world) migrateToTestContract() *world {
	w.t.Helper()
	code := chaintest.Must(os.ReadFile("../wasm/testdata/contract.wasm"))(w.t)
	chaintest.Must(w.c.Migrate(chain.Module{File: "contract.wasm", Code: code}, address("creator"), []byte(`{"count":{}}`)))(w.t)
	return w
}

func TestAWayIsPlayedThroughTheCompiledContractThatRuns(t *testing.T) {
	w := newWorld(t).do("alice approve bob rose").migrateToTestContract()

	if a := w.ask("send unmoved"); ways(a) != "1000 bob send_nft [approval]" || len(a.RefusedWays) > 0 {
		t.Errorf("got %s, and %d are refused", ways(a), len(a.RefusedWays))
	}
	a := w.ask("transfer unmoved")
	if a.Verdict != None || len(a.RefusedWays) != 1 || told(a.RefusedWays[0]) != "1000 bob transfer bob [approval]" || !strings.Contains(a.RefusedWays[0][0].Refusal.Text, "unreachable") {
		t.Errorf("got %s, refused: %v", a.Verdict, a.RefusedWays)
	}
}

func TestAMessageThatTheCompiledContractExecutesAgainstTheRulesIsAWay(t *testing.T) {
	w := newWorld(t).migrateToTestContract()

	a := w.ask("send unmoved as dave")

	if ways(a) != "1000 dave send_nft []" || !a.Ways[0][0].Decision.Overruled || a.MessagesTried == 0 {
		t.Errorf("got %s %s, %d tried", a.Verdict, ways(a), a.MessagesTried)
	}
}

func TestNobodyOnAContractOfNoKnownReleaseHoldsForWhatWasTried(t *testing.T) {
	w := newWorld(t)
	builtIn := w.ask("burn unmoved")
	w.migrateToTestContract()

	a := w.ask("burn unmoved")

	if a.Verdict != None || a.MessagesTried < len(people)-1 || !strings.Contains(a.UnprovenReason, "contract.wasm is no known release") {
		t.Errorf("got %s, %d tried: %q", a.Verdict, a.MessagesTried, a.UnprovenReason)
	}
	if builtIn.MessagesTried != 0 || builtIn.UnprovenReason != "" {
		t.Errorf("of the built-in contract: %d tried: %q", builtIn.MessagesTried, builtIn.UnprovenReason)
	}
}
