package wasm

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Options are the settings that all calls of a contract share.
type Options struct {
	// Prefix is the bech32 prefix of the chain's addresses.
	Prefix string
	// CacheDir keeps compiled modules for the next start; "" for none. A directory
	// that cannot be used is ignored. Only this user may write to it: what is read
	// from it is executed.
	CacheDir string
	// TimeLimit is how long a call may take; 0 means [DefaultTimeLimit].
	TimeLimit time.Duration
}

// compileLimit is how long compiling a module may take. The compiler notices the end of the
// time only between two functions.
var compileLimit = 10 * time.Second

// DefaultTimeLimit is how long a call may take if the options say nothing else.
const DefaultTimeLimit = 5 * time.Second

// What the VM of most chains allows a contract.
const (
	maxMemory = 32 << 20 // bytes
	pageSize  = 64 << 10
)

// Contract is a compiled contract. Any number of goroutines may call it.
type Contract struct {
	Options
	runtime wazero.Runtime
	cache   wazero.CompilationCache // nil for none
	module  wazero.CompiledModule

	idle        chan *instance // instances that no call uses
	image       image          // the state to which an instance is restored before a call
	spareMemory sync.Pool      // of []byte: memories of closed instances, to use again
}

// features are what the VM allows a contract: no bulk memory, no reference types, no
// SIMD. Without the first two, only memory and globals change while a contract runs.
const features = api.CoreFeaturesV1 | api.CoreFeatureSignExtensionOps |
	api.CoreFeatureMultiValue | api.CoreFeatureNonTrappingFloatToIntConversion

// Load compiles a module and links it with the host. It fails with a [*ModuleError] if the
// module is not a contract, with a [*LimitError] if compiling it or making an instance
// takes too much, and with ctx's error if ctx ends before the module is compiled.
func Load(ctx context.Context, code []byte, o Options) (*Contract, error) {
	code, err := inspect(code)
	if err != nil {
		return nil, err
	}
	o.TimeLimit = cmp.Or(o.TimeLimit, DefaultTimeLimit)
	ctx, cancel := context.WithTimeoutCause(ctx, compileLimit, errCompile)
	defer cancel()
	c, err := compileAndLink(ctx, code, o)
	if err != nil && o.CacheDir != "" && ctx.Err() == nil {
		// The cause may be the cache, which is not needed.
		o.CacheDir = ""
		c, err = compileAndLink(ctx, code, o)
	}
	if err != nil {
		return nil, err
	}
	if err := c.prepareInstance(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// prepareInstance verifies the interface of the compiled module, makes the first instance and
// copies its state, the image, to which instances are restored between calls. It fails with
// a [*ModuleError] or a [*LimitError].
func (c *Contract) prepareInstance() error {
	if err := checkInterface(c.module); err != nil {
		return err
	}
	in, err := c.newInstance(context.Background())
	if err != nil {
		return err
	}
	c.image = in.image()
	c.returnInstance(in)
	return nil
}

// compileAndLink compiles a module in a runtime of its own that has the functions of the
// host. It uses the cache of compiled modules if the options name its directory. It fails
// as compile does, and if the cache cannot be used.
func compileAndLink(ctx context.Context, code []byte, o Options) (*Contract, error) {
	c := &Contract{Options: o, idle: make(chan *instance, maxIdle)}

	// The config sets no limit of memory: [memory.Reallocate] does, and can report it.
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(features).
		WithCloseOnContextDone(true).
		WithDebugInfoEnabled(false)
	if o.CacheDir != "" {
		var err error
		if c.cache, err = wazero.NewCompilationCacheWithDir(o.CacheDir); err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(c.cache)
	}
	c.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	err := exportHost(ctx, c.runtime)
	if err == nil {
		err = c.compile(ctx, code)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// compile compiles the module into c.module. It fails with a [*ModuleError] for an invalid
// module, over which the compiler may also panic, and with the cause of ctx's end if ctx
// ends first.
func (c *Contract) compile(ctx context.Context, code []byte) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("%v", panicked)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		default:
			err = moduleError("it cannot be compiled: %s", firstLine(err))
		}
	}()

	// With one worker wazero would not notice that ctx has ended.
	workers := max(2, runtime.GOMAXPROCS(0))
	c.module, err = c.runtime.CompileModule(experimental.WithCompilationWorkers(ctx, workers), code)
	return err
}

// Close frees the compiled module. No call may be running.
func (c *Contract) Close() error {
	ctx := context.Background()
	err := c.runtime.Close(ctx)
	if c.cache != nil {
		err = cmp.Or(err, c.cache.Close(ctx))
	}
	return err
}
