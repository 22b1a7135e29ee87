package wasm

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero/sys"
)

// A call can pass its time limit while a host function, such as query_chain, calls allocate.
// Then the runtime's error is the cause of a stop.
func TestATimeLimitThatIsPassedInAHostFunctionIsALimit(t *testing.T) {
	deadline := &stop{sys.NewExitError(sys.ExitCodeDeadlineExceeded)}
	c := &Contract{Options: Options{TimeLimit: 2 * time.Second}}
	for _, err := range []error{deadline, fmt.Errorf("%w (recovered by wazero)", deadline), deadline.error} {
		got := c.callError(&instance{memory: &memory{}}, err)
		var limit *LimitError
		if !errors.As(got, &limit) || !strings.Contains(limit.Text, "a call may take 2s") {
			t.Errorf("%v: got %v", err, got)
		}
	}
	if err := errors.New("the disk"); c.callError(&instance{memory: &memory{}}, fmt.Errorf("%w", &stop{err})) != err {
		t.Error("an error of the store is not returned")
	}
}
