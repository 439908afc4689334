package auth

// maxSteps bounds the steps of a recipe.
const maxSteps = 10

// Recipe is how a form logs in: its steps are followed before the first request, and again when an answer says that the session has
// ended. All of it happens on the origin itself: a form or a redirect that leads elsewhere is a *LoginError, and so is a login that isn't a
// success. What it sets as cookies is sent with the requests of that origin by client and guard, and kept from the browser.
type Recipe struct {
	// Steps are the forms that are filled in, in order. One or more, at most 10.
	Steps []Step
	// Success is how the page after the last step is recognized. Zero: its status is below 400, it is no sign of Ended, and it has no form
	// with the fields of the last step.
	Success Sign
	// Ended are signs of which one suffices. A redirect to the path of the first step is always one.
	Ended []Sign
}

// Step is one form.
type Step struct {
	// Path of its page on the origin, such as "/login". "" is where the step before has led.
	Path string
	// Fields are the values of its fields by name; "{user}" and "{password}" in them stand for those of the Credentials. The page's first
	// form that has them all is sent, with its other fields as they are.
	Fields map[string]string
	// Submit is the name of the button whose value goes along. "": none does.
	Submit string
	// Action is the path that the form is sent to. "": the form's own.
	Action string
}

// Sign is what an answer is recognized by: all of it that isn't zero.
type Sign struct {
	// Path is that of the page, or that which a redirect leads to: this one or one below it.
	Path string
	// Text is in the page, within its first 64 KiB as they are sent: such answers are requested without compression.
	Text string
	// Status of the answer.
	Status int
}
