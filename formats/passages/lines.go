package passages

import "strings"

func isBlank(line string) bool { return strings.Trim(line, " \t\r\f\v") == "" }

// isIndented reports a line of code without a fence.
func isIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(strings.TrimLeft(line, " "), "\t")
}

// dedent removes up to three spaces.
func dedent(line string) string {
	for range 3 {
		line = strings.TrimPrefix(line, " ")
	}
	return line
}

// begins reports whether a line ends a paragraph by beginning another block.
func begins(line string) bool {
	if isIndented(line) {
		return false
	}
	fence, _ := fenceOf(line)
	level, _ := headingOf(line)
	return fence != "" || level > 0 || isRule(line) || isItem(line) || isQuote(line) || isHTML(line)
}

// fenceOf is the fence that a line opens, and what follows it.
func fenceOf(line string) (fence, info string) {
	line = dedent(line)
	rest := strings.TrimLeft(line, "`")
	if rest == line {
		rest = strings.TrimLeft(line, "~")
	}
	fence, info = line[:len(line)-len(rest)], strings.TrimSpace(rest)
	if len(fence) < 3 || fence[0] == '`' && strings.Contains(info, "`") {
		return "", ""
	}
	return fence, info
}

// closes reports whether a line closes a fence.
func closes(line, fence string) bool {
	line = strings.TrimRight(dedent(line), " \t")
	return len(line) >= len(fence) && strings.Trim(line, fence[:1]) == ""
}

// headingOf is the level of a heading with #, and its text.
func headingOf(line string) (level int, title string) {
	line = dedent(line)
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level < 1 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(rest)
	if cut := strings.TrimRight(title, "#"); cut == "" || strings.HasSuffix(cut, " ") {
		title = strings.TrimSpace(cut)
	}
	return level, title
}

// underline is the level of the heading that a line below makes of a paragraph; 0: none.
func underline(line string) int {
	line = strings.TrimRight(dedent(line), " \t")
	switch {
	case line != "" && strings.Trim(line, "=") == "":
		return 1
	case line != "" && strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// isRule reports a thematic break.
func isRule(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if line == "" || !strings.Contains("-*_", line[:1]) {
		return false
	}
	marks := strings.Count(line, line[:1])
	return marks >= 3 && marks+strings.Count(line, " ")+strings.Count(line, "\t") == len(line)
}

// isItem reports the first line of an item of a list.
func isItem(line string) bool {
	line = dedent(line)
	if line == "" {
		return false
	}
	rest := line[1:]
	if !strings.Contains("-+*", line[:1]) {
		number := strings.TrimLeft(line, "0123456789")
		if n := len(line) - len(number); n < 1 || n > 9 || number == "" || number[0] != '.' && number[0] != ')' {
			return false
		}
		rest = number[1:]
	}
	return rest == "" || rest[0] == ' ' || rest[0] == '\t'
}

func isQuote(line string) bool { return strings.HasPrefix(dedent(line), ">") }

// isHTML reports a line that begins with a tag, a comment or a declaration. Links in angle brackets are text.
func isHTML(line string) bool {
	line = dedent(line)
	if len(line) < 2 || line[0] != '<' {
		return false
	}
	rest := strings.TrimPrefix(line[1:], "/")
	if rest == "" || rest[0] == '!' || rest[0] == '?' {
		return rest != ""
	}
	name := strings.TrimLeft(strings.ToLower(rest), "abcdefghijklmnopqrstuvwxyz0123456789-")
	return name != strings.ToLower(rest) && (name == "" || strings.Contains(" \t/>", name[:1]))
}

// htmlEnd is what ends HTML that a line begins with; empty: a blank line.
func htmlEnd(line string) string {
	line = strings.ToLower(dedent(line))
	if strings.HasPrefix(line, "<!--") {
		return "-->"
	}
	for _, name := range []string{"pre", "script", "style", "textarea"} {
		if rest, ok := strings.CutPrefix(line, "<"+name); ok && (rest == "" || strings.Contains(" \t>", rest[:1])) {
			return "</" + name + ">"
		}
	}
	return ""
}

func containsFold(line, word string) bool { return strings.Contains(strings.ToLower(line), word) }

// isDelimiter reports the second line of a table.
func isDelimiter(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|:- \t") == ""
}
