package wasm

import (
	"bytes"
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

// Options are what is fixed for all calls of a contract.
type Options struct {
	// Prefix is the bech32 prefix of the chain's addresses.
	Prefix string
	// CacheDir keeps compiled modules for the next start; empty for none, and
	// passed over where it cannot be used. Nobody else may write to it: what is
	// read from it is executed.
	CacheDir string
	// TimeLimit is how long a call may take; 0 is [DefaultTimeLimit].
	TimeLimit time.Duration
}

// compileLimit is how long the compiler may take. It ends between two functions.
var compileLimit = 10 * time.Second

// DefaultTimeLimit is how long a call may take where nothing else is said.
const DefaultTimeLimit = 5 * time.Second

// What the VM of most chains gives a contract.
const (
	maxMemory = 32 << 20 // bytes
	pageSize  = 64 << 10
)

// Contract is a compiled contract. Any number of goroutines may call it.
type Contract struct {
	Options
	runtime wazero.Runtime
	cache   wazero.CompilationCache // nil where there is none
	module  wazero.CompiledModule

	idle  chan *instance // ready to be restored
	warm  image          // what they are restored to; empty for one that is too large
	spare sync.Pool      // of []byte: memories of instances that were given up
}

// features are what the VM lets a contract use: no bulk memory, no reference
// types, no SIMD. Without the first two nothing but memory and globals changes
// while a contract runs.
const features = api.CoreFeaturesV1 | api.CoreFeatureSignExtensionOps |
	api.CoreFeatureMultiValue | api.CoreFeatureNonTrappingFloatToIntConversion

// Load compiles a module and links it with the host. It fails with a
// [*ModuleError] for what is not a contract, with a [*LimitError] where compiling
// it or making an instance takes too much, and with ctx's error where that ends
// before the module is compiled.
func Load(ctx context.Context, code []byte, o Options) (*Contract, error) {
	code, err := inspect(code)
	if err != nil {
		return nil, err
	}
	o.TimeLimit = cmp.Or(o.TimeLimit, DefaultTimeLimit)
	ctx, done := context.WithTimeoutCause(ctx, compileLimit, errCompile)
	defer done()
	c, err := load(ctx, code, o)
	if err != nil && o.CacheDir != "" && ctx.Err() == nil {
		// What is wrong may be the cache's, and the module can do without.
		o.CacheDir = ""
		c, err = load(ctx, code, o)
	}
	if err != nil {
		return nil, err
	}
	if err = check(c.module); err == nil {
		var in *instance
		if in, err = c.instantiate(context.Background()); err == nil {
			if len(in.memory.bytes) <= largestKept {
				c.warm = image{bytes.Clone(in.memory.bytes), in.globals()}
			}
			c.give(in)
			return c, nil
		}
	}
	c.Close()
	return nil, err
}

func load(ctx context.Context, code []byte, o Options) (*Contract, error) {
	c := &Contract{Options: o, idle: make(chan *instance, mostIdle)}
	// The limit on memory is held by the allocator, which can tell of it.
	config := wazero.NewRuntimeConfig().WithCoreFeatures(features).WithCloseOnContextDone(true).WithDebugInfoEnabled(false)
	if o.CacheDir != "" {
		var err error
		if c.cache, err = wazero.NewCompilationCacheWithDir(o.CacheDir); err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(c.cache)
	}
	c.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if err := cmp.Or(exportHost(ctx, c.runtime), c.compile(ctx, code)); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// compile fails with a [*ModuleError] too where the compiler panics over a module
// that is not valid.
func (c *Contract) compile(ctx context.Context, code []byte) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		default:
			err = moduleError("it cannot be compiled: %s", firstLine(err))
		}
	}()
	// A single worker never looks at the context.
	workers := max(2, runtime.GOMAXPROCS(0))
	c.module, err = c.runtime.CompileModule(experimental.WithCompilationWorkers(ctx, workers), code)
	return err
}

// Close lets go of the compiled module. No call may be at work.
func (c *Contract) Close() error {
	ctx := context.Background()
	err := c.runtime.Close(ctx)
	if c.cache != nil {
		err = cmp.Or(err, c.cache.Close(ctx))
	}
	return err
}
