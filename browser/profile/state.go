package profile

import (
	"encoding/json"
	"errors"
	"fmt"
)

// check tells whether state is what the driver's storageState gives: an object
// with the lists cookies and origins. Their items are the driver's own matter.
func check(state []byte) error {
	if len(state) > maxState {
		return fmt.Errorf("%d bytes; at most %d", len(state), maxState)
	}
	var parts struct {
		Cookies *[]json.RawMessage `json:"cookies"`
		Origins *[]json.RawMessage `json:"origins"`
	}
	if err := json.Unmarshal(state, &parts); err != nil {
		return fmt.Errorf("no browser state: %w", err)
	}
	if parts.Cookies == nil || parts.Origins == nil {
		return errors.New("no browser state: cookies or origins are missing")
	}
	return nil
}
