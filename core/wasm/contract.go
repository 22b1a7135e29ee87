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
	Prefix string // the bech32 prefix of the chain's addresses
	// CacheDir keeps compiled modules for the next start, if it can be used; "" for no cache. No
	// other user must be able to write to it, because what is read from it is executed.
	CacheDir  string
	TimeLimit time.Duration // how long a call may take; 0 means [DefaultTimeLimit]
}

// compileLimit is how long compiling may take. The compiler notices it only between two functions.
var compileLimit = 10 * time.Second

// DefaultTimeLimit is how long a call may take if the options say nothing else.
const DefaultTimeLimit = 5 * time.Second

// The sizes of a contract's memory, in bytes.
const (
	maxMemory = 32 << 20 // the most that the VM of most chains allows
	pageSize  = 64 << 10 // the unit in which a module states the size of its memory
)

// Contract is a compiled contract. Any number of goroutines may call it.
type Contract struct {
	Options
	runtime wazero.Runtime          // runs the module and has the functions of the host
	cache   wazero.CompilationCache // keeps compiled modules; nil if there is none
	module  wazero.CompiledModule

	idleInstances chan *instance // instances that no call uses
	image         image          // the state to which an instance is restored before a call
	spareMemories sync.Pool      // memories of closed instances, to use again; of type *[]byte
}

// features are what the VM allows a contract: no bulk memory, no reference types, no
// SIMD. Without the first two, only memory and globals change while a contract runs.
const features = api.CoreFeaturesV1 | api.CoreFeatureSignExtensionOps |
	api.CoreFeatureMultiValue | api.CoreFeatureNonTrappingFloatToIntConversion

// Load fails with a [*ModuleError] if the module is not a contract, with a [*LimitError] if
// compiling it or making an instance takes too much, and with ctx's error if ctx ends before the
// module is compiled.
func Load(ctx context.Context, code []byte, options Options) (*Contract, error) {
	code, err := inspect(code)
	if err != nil {
		return nil, err
	}
	options.TimeLimit = cmp.Or(options.TimeLimit, DefaultTimeLimit)
	ctx, cancel := context.WithTimeoutCause(ctx, compileLimit, errCompile)
	defer cancel()

	// If compiling fails, the cause may be the cache, so try again without it.
	contract, err := compileAndLink(ctx, code, options)
	if err != nil && options.CacheDir != "" && ctx.Err() == nil {
		options.CacheDir = ""
		contract, err = compileAndLink(ctx, code, options)
	}
	if err != nil {
		return nil, err
	}

	// The first instance gives the image, to which instances are restored before a call.
	err = checkInterface(contract.module)
	var inst *instance
	if err == nil {
		inst, err = contract.newInstance(context.Background())
	}
	if err != nil {
		contract.Close()
		return nil, err
	}
	contract.image = inst.takeImage()
	contract.returnInstance(inst)
	return contract, nil
}

// compileAndLink compiles a module in a runtime of its own that has the functions of the
// host. It fails as compile does, and if the cache cannot be used.
func compileAndLink(ctx context.Context, code []byte, options Options) (*Contract, error) {
	contract := &Contract{Options: options, idleInstances: make(chan *instance, maxIdleInstances)}

	// The config sets no limit of memory: [memory.Reallocate] does, and can report it.
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(features).
		WithCloseOnContextDone(true).
		WithDebugInfoEnabled(false)
	if options.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(options.CacheDir)
		if err != nil {
			return nil, err
		}
		contract.cache = cache
		config = config.WithCompilationCache(cache)
	}

	contract.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	err := exportHost(ctx, contract.runtime)
	if err == nil {
		err = contract.compile(ctx, code)
	}
	if err != nil {
		contract.Close()
		return nil, err
	}
	return contract, nil
}

// compile compiles the module into c.module. It fails with a [*ModuleError] for an invalid
// module. If ctx ends first, it fails with the cause of that.
func (c *Contract) compile(ctx context.Context, code []byte) error {
	// Use at least two workers. With one, wazero would not notice that ctx has ended.
	workers := max(2, runtime.GOMAXPROCS(0))
	err := c.compileOrRecover(experimental.WithCompilationWorkers(ctx, workers), code)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // the error says nothing about the module
		return context.Cause(ctx)
	}
	return moduleError("it cannot be compiled: %s", firstLine(err))
}

// compileOrRecover returns an error if the compiler panics, as it may over an invalid module.
func (c *Contract) compileOrRecover(ctx context.Context, code []byte) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("%v", panicked)
		}
	}()
	c.module, err = c.runtime.CompileModule(ctx, code)
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
