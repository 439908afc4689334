package code

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// Runner and worker write lines of JSON: the runner to the worker's descriptor 3, the worker to its descriptor 4. User code runs in the
// worker's process and may write there as well; it can only falsify its own results.

// setup is the first line for a worker.
type setup struct {
	Driver   string `json:"driver"`   // path of the driver's package, as the worker sees it
	Endpoint string `json:"endpoint"` // of the browser's socket
	CDP      string `json:"cdp"`      // of the socket that leads to the browser's debugging port
	CLI      string `json:"cli"`      // of the shell's browser command
	Node     string `json:"node"`     // of Node.js
	Shell    string `json:"shell"`    // of bash
	Bridge   string `json:"bridge"`   // source of the Python worker's other half
	Alone    bool   `json:"alone"`    // all processes that the worker sees are its own
	Max      int    `json:"max"`      // characters of a result that are sent at most
}

// request is each line after it.
type request struct {
	ID   int    `json:"id"`
	Code string `json:"code"`
	Mark string `json:"mark"` // written to both streams when the code has ended
}

// answer is a line of a worker: to setup with ID 0, then to each request.
type answer struct {
	ID     int     `json:"id"`
	Error  string  `json:"error,omitempty"` // why the worker can't work
	Gone   bool    `json:"gone,omitempty"`  // the browser doesn't answer
	Exit   int     `json:"exit"`
	Result *string `json:"result,omitempty"`
	Last   bool    `json:"last,omitempty"` // the worker must not be used again
}

// maxAnswer is the longest line that is read: JSON may write each byte of a result with six.
const maxAnswer = 6*MaxOutput + 4096

// readAnswers sends a worker's answers until its end, or the first line that isn't one.
func readAnswers(r io.Reader, to chan<- answer, stop <-chan struct{}) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return errors.New("the worker wrote something other than answers")
		}
		select {
		case to <- a:
		case <-stop:
			return nil
		}
	}
	return lines.Err()
}
