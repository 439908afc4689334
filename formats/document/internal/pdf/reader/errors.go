package reader

// PasswordError means that the file is encrypted and neither the given nor the empty password opens it.
type PasswordError struct {
	// Given reports whether there was a password.
	Given bool
}

func (e *PasswordError) Error() string {
	if e.Given {
		return "encrypted PDF: wrong password"
	}
	return "encrypted PDF: needs a password"
}
