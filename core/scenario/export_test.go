package scenario

// Respell returns JSON in which every character has one spelling.
func Respell(raw []byte) string {
	v, err := parseJSON(raw)
	if err != nil {
		return string(raw)
	}
	return string(v.json())
}
