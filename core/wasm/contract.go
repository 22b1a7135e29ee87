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

// compileLimit is how long the compiler may take. It stops between two functions.
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

	idle        chan *instance // instances that are ready to be restored
	image       image          // what they are restored to
	spareMemory sync.Pool      // of []byte: memories of dropped instances
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

// prepareInstance makes the first instance and takes the image of it.
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

func compileAndLink(ctx context.Context, code []byte, o Options) (*Contract, error) {
	c := &Contract{Options: o, idle: make(chan *instance, maxIdle)}
	// The allocator limits the memory, because it can report a refusal.
	config := wazero.NewRuntimeConfig().WithCoreFeatures(features).WithCloseOnContextDone(true).WithDebugInfoEnabled(false)
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

// compile compiles the module. It fails with a [*ModuleError], also if the compiler panics
// over an invalid module, and with the cause of ctx's end.
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
	// wazero looks at the context only if it has several workers.
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
