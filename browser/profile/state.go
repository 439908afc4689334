package profile

import (
	"encoding/json"
	"errors"
	"fmt"
)

// check reports whether state has the form of the driver's storageState: an object
// with the lists cookies and origins. Their items are not checked.
func check(state []byte) error {
	if len(state) > maxState {
		return fmt.Errorf("%d bytes; at most %d", len(state), maxState)
	}
	var parts struct {
		Cookies *[]json.RawMessage `json:"cookies"`
		Origins *[]json.RawMessage `json:"origins"`
	}
	if err := json.Unmarshal(state, &parts); err != nil {
		return fmt.Errorf("not a browser state: %w", err)
	}
	if parts.Cookies == nil || parts.Origins == nil {
		return errors.New("not a browser state: cookies or origins are missing")
	}
	return nil
}
