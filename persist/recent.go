package persist

import "ephemera/core/kv"

// recent keeps the records that transactions have read and written last. The
// same few are in nearly all of them (the clock, the counts, where the history
// stands), and a read that goes through Badger's tables costs the writer more
// than most of what it does with it.
//
// It is right because there is one writer at a time: it is used inside Update
// alone, and told of every commit.
type recent struct {
	young, old map[string][]byte // a nil value is known to be absent
}

const (
	recentRecords = 128     // in each half
	recentBytes   = 4 << 10 // of a key and its value; larger ones are not kept
)

// get gives what is known of a key; value is nil when it is absent.
func (r *recent) get(key []byte) (value []byte, known bool) {
	if value, known = r.young[string(key)]; known {
		return value, true
	}
	if value, known = r.old[string(key)]; known {
		r.put(key, value)
	}
	return value, known
}

// put makes a key's value known. When one half is full the other is dropped,
// with what was not asked for since.
func (r *recent) put(key, value []byte) {
	if len(key)+len(value) > recentBytes {
		delete(r.young, string(key))
		delete(r.old, string(key))
		return
	}
	if len(r.young) >= recentRecords {
		r.old, r.young = r.young, nil
	}
	if r.young == nil {
		r.young = make(map[string][]byte, recentRecords)
	}
	r.young[string(key)] = value
}

// Set and Delete take over what was committed, as a [kv.Writer]. What nobody has
// read yet is not worth the room.
func (r *recent) Set(key, value []byte) error {
	r.renew(key, value)
	return nil
}

func (r *recent) Delete(key []byte) error {
	r.renew(key, nil)
	return nil
}

func (r *recent) renew(key, value []byte) {
	_, young := r.young[string(key)]
	_, old := r.old[string(key)]
	if young || old {
		r.put(key, value)
	}
}

// recalling is a reader that asks what is known first.
type recalling struct {
	kv.Reader
	recent *recent
}

func (r recalling) Get(key []byte) ([]byte, bool, error) {
	if value, known := r.recent.get(key); known {
		return value, value != nil, nil
	}
	value, ok, err := r.Reader.Get(key)
	if err != nil {
		return nil, false, err
	}
	if !ok {
		value = nil
	} else if value == nil {
		value = []byte{}
	}
	r.recent.put(key, value)
	return value, ok, nil
}
