// A request as programs in four languages. Each text is quoted by the rules of its language; a key is only ever a variable's name.

export const variable = "WINNOW_API_KEY";

// languages give the program that sends a request, {method, url, body, keyed}.
export const languages = { cURL: curl, Go: golang, JavaScript: javascript, Python: python };

const pretty = (body) => JSON.stringify(body, null, 2);
const shell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function curl({ method, url, body, keyed }) {
	const key = keyed && `-H "Authorization: Bearer $${variable}"`;
	const parts = [`curl -X ${method} ${shell(url)}`, key, "-H 'Content-Type: application/json'", `-d ${shell(pretty(body))}`];
	return parts.filter(Boolean).join(" \\\n  ") + "\n";
}

// A JSON text is a string of Go's too, but for what JavaScript leaves as it is.
const escaped = (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
const quoted = (text) => JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escaped);
const raw = (text) => (/[`\r\ufeff\0]/.test(text) ? quoted(text) : "`" + text + "`");

function golang({ method, url, body, keyed }) {
	return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
${keyed ? '\t"os"\n' : ""}	"strings"
)

func main() {
	body := ${raw(pretty(body))}
	req, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
${keyed ? `\treq.Header.Set("Authorization", "Bearer "+os.Getenv("${variable}"))\n` : ""}	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(answer))
}
`;
}

function javascript({ method, url, body, keyed }) {
	return `const response = await fetch(${quoted(url)}, {
  method: ${quoted(method)},
  headers: {
    "Content-Type": "application/json",
${keyed ? `    Authorization: \`Bearer \${process.env.${variable}}\`,\n` : ""}  },
  body: JSON.stringify(${pretty(body).replaceAll("\n", "\n  ")}),
});
console.log(JSON.stringify(await response.json(), null, 2));
`;
}

function python({ method, url, body, keyed }) {
	return `import json
${keyed ? "import os\n" : ""}import urllib.error
import urllib.request

request = urllib.request.Request(
    ${quoted(url)},
    method=${quoted(method)},
    headers={
        "Content-Type": "application/json",
${keyed ? `        "Authorization": "Bearer " + os.environ["${variable}"],\n` : ""}    },
    data=json.dumps(${literal(body, "    ")}).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.dumps(json.load(response), indent=2))
except urllib.error.HTTPError as error:
    print(error.read().decode())
`;
}

// literal writes a value as Python does.
function literal(v, indent) {
	const inner = indent + "    ";
	if (v === null || typeof v === "boolean") return { null: "None", true: "True", false: "False" }[v];
	if (typeof v !== "object") return typeof v === "string" ? quoted(v) : String(v);
	const [open, close] = Array.isArray(v) ? "[]" : "{}";
	const named = ([k, x]) => `${quoted(k)}: ${literal(x, inner)}`;
	const items = Array.isArray(v) ? v.map((x) => literal(x, inner)) : Object.entries(v).map(named);
	return items.length ? `${open}\n${items.map((x) => inner + x + ",\n").join("")}${indent}${close}` : open + close;
}
