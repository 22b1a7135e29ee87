package scenario

// Respell writes JSON with every character in one spelling.
func Respell(raw []byte) string {
	v, err := parseJSON(raw)
	if err != nil {
		return string(raw)
	}
	return string(v.json())
}
