package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/cli/command"
)

// kills is how often the program is killed.
func kills() int {
	switch {
	case os.Getenv("EPHEMERA_LONG") != "":
		return 100
	case testing.Short():
		return 3
	}
	return 20
}

// killsOfLoads is how often an import and a generation are killed.
func killsOfLoads() int {
	if os.Getenv("EPHEMERA_LONG") != "" {
		return 100
	}
	return 4
}

func TestWhatWasAcknowledgedOutlivesAKill(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	acknowledged := map[string]bool{}
	for round := range kills() {
		acks := mintUntil(t, dir, round, rand.IntN(80), os.Kill, -1)
		for n := 1; n <= acks; n++ {
			if id := tokenOf(round, n); id != "" {
				acknowledged[id] = true
			}
		}
		opensInSilence(t, dir)
		checkKilled(t, dir, acknowledged)
	}
	t.Logf("%d kills, %d steps acknowledged", kills(), len(acknowledged))
}

func TestAnInterruptionEndsBetweenTwoSteps(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "db")
			acks := mintUntil(t, dir, 0, 20, signal, 130)
			closedInOrder(t, dir)
			if tokens := checkKilled(t, dir, nil); tokens != acks-1 {
				t.Errorf("%d steps were acknowledged, the first made the collection, and there are %d tokens", acks, tokens)
			}
		})
	}
}

// A kill at any moment of an import or a generation leaves nothing, a mark that says
// so, or the whole collection, which it is when that was acknowledged.
func TestAKillInTheMiddleOfAnImportOrAGenerationLeavesAllOrNothing(t *testing.T) {
	t.Parallel()
	from, file := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "large.json")
	generate := []string{"generate", "--tokens", "3000", "--grants", "300"}
	runs(t, append([]string{"--db", from}, generate...)...)
	runs(t, "--db", from, "export", file)
	for _, args := range [][]string{{"import", file}, generate} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			none, marked, whole, acknowledged, takes := 0, 0, 0, 0, time.Duration(0)
			for round := range min(kills(), killsOfLoads()) {
				dir := filepath.Join(t.TempDir(), "db")
				var out bytes.Buffer
				cmd := exec.Command("ephemera", append([]string{"--db", dir}, args...)...)
				cmd.Stdout = &out
				began := time.Now()
				chaintest.OK(t, cmd.Start())
				if round > 0 {
					time.Sleep(time.Duration(rand.Int64N(int64(takes) * 6 / 5))) // when it is killed
					_ = cmd.Process.Kill()
				}
				_ = cmd.Wait()
				if round == 0 {
					takes = time.Since(began)
				}
				exit, count, said := ephemera(t, "--db", dir, "query", `{"num_tokens":{}}`)
				switch {
				case exit == 0 && count == "{\"count\":3000}\n":
					whole++
				case out.Len() > 0:
					t.Errorf("it was acknowledged (%s), and then: exit status %d, %s%s", &out, exit, count, said)
				case exit == 2 && strings.Contains(said, "interrupted"):
					marked++
				case exit == 2 && strings.Contains(said, "no collection yet"):
					none++
				default:
					t.Errorf("exit status %d, %s%s", exit, count, said)
				}
				if out.Len() > 0 {
					acknowledged++
				}
				if exit == 0 {
					runs(t, "--db", dir, "doctor")
				} else {
					runs(t, append([]string{"--db", dir}, args...)...) // again, and whole
				}
				chaintest.OK(t, os.RemoveAll(dir))
			}
			t.Logf("%d without a collection, %d marked as cut off, %d whole, of which %d acknowledged", none, marked, whole, acknowledged)
		})
	}
}

// tokenOf is the token that a step mints. The first step of all makes the
// collection.
func tokenOf(round, step int) string {
	if round == 0 && step == 1 {
		return ""
	}
	return fmt.Sprintf("%d-%d", round, step)
}

// stepsOf writes a scenario that is far too long to be played to its end.
func stepsOf(t *testing.T, round int) string {
	var lines bytes.Buffer
	fmt.Fprintln(&lines, `{"name":"mint on","accounts":{"alice":null}}`)
	for n := 1; n <= 20_000; n++ {
		if id := tokenOf(round, n); id != "" {
			fmt.Fprintf(&lines, `{"as":"alice","execute":{"mint":{"token_id":%q,"owner":"$alice"}}}`+"\n", id)
		} else {
			fmt.Fprintln(&lines, `{"as":"alice","instantiate":{"name":"Apes","symbol":"APE"}}`)
		}
	}
	name := filepath.Join(t.TempDir(), "mint.jsonl")
	chaintest.OK(t, os.WriteFile(name, lines.Bytes(), 0o600))
	return name
}

// mintUntil plays steps with every one durable, sends a signal after so many
// were acknowledged, and gives how many were acknowledged in the end.
func mintUntil(t *testing.T, dir string, round, after int, signal os.Signal, exit int) (acks int) {
	t.Helper()
	cmd := exec.Command("ephemera", "--db", dir, "run", "-v", stepsOf(t, round))
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	chaintest.OK(t, err)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		n, ok := strings.CutPrefix(lines.Text(), "ok ")
		n, _, _ = strings.Cut(n, " - ")
		if !ok || strings.HasPrefix(n, " ") {
			continue // the line that tells how it went
		}
		if acks, err = strconv.Atoi(n); err != nil {
			t.Fatal(err)
		}
		if acks == after+1 {
			chaintest.OK(t, cmd.Process.Signal(signal))
		}
	}
	var ended *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &ended) || ended.ExitCode() != exit {
		t.Fatalf("round %d ended with %v after %d steps, want exit status %d: %s", round, err, acks, exit, &said)
	}
	if signal == os.Kill && ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("round %d ended with %v", round, ended)
	}
	return acks
}

// opensInSilence holds that the next start needs no help and says nothing.
func opensInSilence(t *testing.T, dir string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command("ephemera", "--db", dir, "query", `{"num_tokens":{}}`)
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	if err := cmd.Run(); err != nil || said.Len() > 0 {
		t.Fatalf("after the kill: %v, stderr %q", err, &said)
	}
}

// checkKilled holds that every acknowledged token is there, and that the count, the
// tokens and the history are in step. It gives the number of tokens.
func checkKilled(t *testing.T, dir string, acknowledged map[string]bool) int {
	t.Helper()
	db, err := open(command.Where{Dir: dir})
	chaintest.OK(t, err)
	defer db.Close()
	tokens, minted := 0, 0
	err = db.View(func(v *chain.View) error {
		for id := range acknowledged {
			if _, ok, err := v.Token(id); err != nil || !ok {
				return fmt.Errorf("token %s was acknowledged: there %t, %w", id, ok, err)
			}
		}
		for _, err := range v.Tokens("", cw721.Walk{}) {
			if err != nil {
				return err
			}
			tokens++
		}
		for n, err := range v.History(0) {
			if err != nil {
				return err
			}
			if n.Kind == history.KindExecute && n.Changes > 0 {
				minted++
			}
		}
		c, err := v.Collection()
		if err == nil && (int(c.TokenCount) != tokens || minted != tokens) {
			err = fmt.Errorf("the count says %d tokens, there are %d, and the history tells of %d", c.TokenCount, tokens, minted)
		}
		return err
	})
	chaintest.OK(t, err)
	return tokens
}
