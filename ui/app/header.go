package app

// readOnly tells that the collection that is shown takes no write.
func (st *State) CannotWrite() bool { return st.ReadOnly && !st.InMemory }
