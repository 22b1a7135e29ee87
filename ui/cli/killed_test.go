package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
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
	"ephemera/core/kv/kvtest"
	"ephemera/ui/cli/command"
)

func TestAcknowledgedStepsSurviveAKill(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	acknowledged := map[string]bool{}
	for round := range kvtest.Many(8) {
		for n := range mintUntilKilled(t, dir, round, rand.IntN(80)) {
			if id := mintedToken(round, n+1); id != "" {
				acknowledged[id] = true
			}
		}

		exit, _, stderr := ephemera(t, "--db", dir, "query", `{"num_tokens":{}}`)
		if exit != 0 || stderr != "" {
			t.Fatalf("after the kill: exit status %d, stderr %q", exit, stderr)
		}
		checkMinted(t, dir, acknowledged)
	}
	t.Logf("%d steps acknowledged", len(acknowledged))
}

func TestAnInterruptionEndsBetweenTwoSteps(t *testing.T) {
	acceptHangups(t)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "db")

			// The usual program stops waiting for the step after some seconds.
			acks, ended := mintUntil(t, "patient-ephemera", dir, 0, 20, sig)
			if status := ended.ExitCode(); status != command.StatusInterrupted {
				t.Errorf("exit status %d, want %d", status, command.StatusInterrupted)
			}
			closedInOrder(t, dir)
			if tokens := checkMinted(t, dir, nil); tokens != acks-1 {
				t.Errorf("%d steps were acknowledged, the first made the collection, and there are %d tokens", acks, tokens)
			}
		})
	}
}

// acceptHangups lets SIGHUP end the processes that a test starts, even if the tests run
// under nohup: a new process ignores the signals that its parent ignores, but not those
// that its parent handles.
func acceptHangups(t *testing.T) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
}

// A kill at any moment of an import or a generation leaves no collection, a mark of the
// interruption, or the whole collection. Once the answer is printed, it is the latter.
func TestAKillDuringAnImportOrAGenerationLeavesAllOrNothing(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "from")
	file := filepath.Join(t.TempDir(), "large.json")
	generate := []string{"generate", "--tokens", "3000", "--grants", "300"}
	runs(t, append([]string{"--db", source}, generate...)...)
	runs(t, "--db", source, "export", file)

	for _, args := range [][]string{{"import", file}, generate} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			outcomes := map[string]int{}
			_, duration := fillUntil(t, filepath.Join(t.TempDir(), "db"), args, nil)
			for range kvtest.Many(2) {
				dir := filepath.Join(t.TempDir(), "db")
				delay := time.Duration(rand.Int64N(int64(duration) * 6 / 5))
				printed, _ := fillUntil(t, dir, args, &delay)
				outcomes[fillOutcome(t, dir, printed)]++

				if exit, _, _ := ephemera(t, "--db", dir, "doctor"); exit != 0 {
					runs(t, append([]string{"--db", dir}, args...)...)
				}
				chaintest.OK(t, os.RemoveAll(dir))
			}
			t.Log(outcomes)
		})
	}
}

// fillUntil runs a command that fills a database, and kills it after a delay unless that
// is nil. It returns what the command printed, and how long it ran.
func fillUntil(t *testing.T, dir string, args []string, delay *time.Duration) (printed string, duration time.Duration) {
	t.Helper()
	var stdout bytes.Buffer
	cmd := exec.Command("ephemera", append([]string{"--db", dir}, args...)...)
	cmd.Stdout = &stdout
	start := time.Now()
	chaintest.OK(t, cmd.Start())
	if delay != nil {
		time.Sleep(*delay) // the kill may come at any moment
		_ = cmd.Process.Kill()
	}
	_ = cmd.Wait()
	return stdout.String(), time.Since(start)
}

// fillOutcome says what a killed import or generation left. It fails the test for a part
// of a collection, and for less than the whole if the answer was printed.
func fillOutcome(t *testing.T, dir, printed string) string {
	t.Helper()
	exit, count, stderr := ephemera(t, "--db", dir, "query", `{"num_tokens":{}}`)
	switch {
	case exit == 0 && count == "{\"count\":3000}\n":
		return "whole"
	case printed != "":
		t.Errorf("after the answer %s: exit status %d, %s%s", printed, exit, count, stderr)
	case exit == 2 && strings.Contains(stderr, "interrupted"):
		return "marked"
	case exit == 2 && strings.Contains(stderr, "no collection yet"):
		return "none"
	default:
		t.Errorf("exit status %d, %s%s", exit, count, stderr)
	}
	return "wrong"
}

// mintedToken returns the token that a step of [mintScenario] mints. The first step of
// the first round creates the collection, and mints none.
func mintedToken(round, step int) string {
	if round == 0 && step == 1 {
		return ""
	}
	return fmt.Sprintf("%d-%d", round, step)
}

// mintScenario writes a scenario that is far too long to be played to its end.
func mintScenario(t *testing.T, round int) string {
	t.Helper()
	var lines bytes.Buffer
	fmt.Fprintln(&lines, `{"name":"mint on","accounts":{"alice":null}}`)
	for n := 1; n <= 20_000; n++ {
		if id := mintedToken(round, n); id != "" {
			fmt.Fprintf(&lines, `{"as":"alice","execute":{"mint":{"token_id":%q,"owner":"$alice"}}}`+"\n", id)
		} else {
			fmt.Fprintln(&lines, `{"as":"alice","instantiate":{"name":"Apes","symbol":"APE"}}`)
		}
	}
	name := filepath.Join(t.TempDir(), "mint.jsonl")
	chaintest.OK(t, os.WriteFile(name, lines.Bytes(), 0o600))
	return name
}

// mintUntilKilled is [mintUntil] with a kill. It returns the number of acknowledged steps.
func mintUntilKilled(t *testing.T, dir string, round, steps int) int {
	t.Helper()
	acks, ended := mintUntil(t, "ephemera", dir, round, steps, os.Kill)
	if status := ended.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGKILL {
		t.Fatalf("round %d ended with %v", round, ended)
	}
	return acks
}

// mintUntil plays a scenario on a database, and sends the program a signal once more than
// the given number of steps is acknowledged, and so durable. It returns how many were
// acknowledged in the end, and how the program ended.
func mintUntil(t *testing.T, program, dir string, round, steps int, sig os.Signal) (acks int, ended *os.ProcessState) {
	t.Helper()
	cmd := exec.Command(program, "--db", dir, "run", "-v", mintScenario(t, round))
	stdout := chaintest.Must(cmd.StdoutPipe())(t)
	chaintest.OK(t, cmd.Start())
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		step, _, isStep := strings.Cut(strings.TrimPrefix(lines.Text(), "ok "), " - ")
		if !isStep {
			continue // the summary
		}
		acks = chaintest.Must(strconv.Atoi(step))(t)
		if acks == steps+1 {
			chaintest.OK(t, cmd.Process.Signal(sig))
		}
	}
	_ = cmd.Wait()
	return acks, cmd.ProcessState
}

// checkMinted fails the test unless every acknowledged token exists, and the stored count,
// the tokens and the history agree. It returns the number of tokens.
func checkMinted(t *testing.T, dir string, acknowledged map[string]bool) int {
	t.Helper()
	db := chaintest.Must(openDatabase(command.OpenOptions{Dir: dir}))(t)
	defer db.Close()
	tokens := map[string]bool{}
	minted := 0
	chaintest.OK(t, db.View(func(v *chain.View) error {
		for token, err := range v.Tokens("", cw721.Walk{}) {
			chaintest.OK(t, err)
			tokens[token.ID] = true
		}
		for node, err := range v.History(0) {
			chaintest.OK(t, err)
			if node.Kind == history.KindExecute && node.ChangeCount > 0 {
				minted++
			}
		}
		c, err := v.Collection()
		if int(c.TokenCount) != len(tokens) || minted != len(tokens) {
			t.Fatalf("the count is %d, there are %d tokens, and the history has %d mints", c.TokenCount, len(tokens), minted)
		}
		return err
	}))
	for id := range acknowledged {
		if !tokens[id] {
			t.Fatalf("token %s was acknowledged and is missing", id)
		}
	}
	return len(tokens)
}
