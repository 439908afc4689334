package induce

import "github.com/winnow-go/winnow/llm"

const role = "You write rules that read data out of web pages. " +
	"The rules are kept and used on other pages of the same layout, whose texts differ. " + llm.UntrustedRule

const task = `Below is the skeleton of one page: its elements as CSS writes them, with ids, classes, some attributes and the beginnings of texts, indented by depth. Similar siblings are only counted.

Give for each field of the data a rule with
- path: the field, such as "title" or "seller.name". For a list give a rule "items[]" whose selector finds each element of the list, and for each field of its elements a rule such as "items[].price", whose selector is looked for within one element. A list of plain values is one rule, such as "tags[]".
- selector: CSS. Prefer ids, itemprop and data- attributes, then classes with a meaning. Never select by the page's own words, names, numbers or addresses: other pages have others. Escape what CSS wants escaped in class names. An empty selector is the element of the list itself.
- attribute: the attribute that holds the value, such as "href", "content" or "datetime"; empty for the text.
- transform: "text"; "number" for amounts and prices; "date"; "url" for addresses; "boolean"; "exists" for a yes or no that depends on whether an element is there.
Leave out fields that the page doesn't have.`

const freeTask = "Choose the fields yourself: what the page is mainly about. Short names in camelCase."

const repairTask = "The rules were tried on this page. This is wrong:\n"

const repairEnd = "\nGive all rules again, corrected. Leave out a field that the page doesn't have."

// answerForm is the JSON Schema of the answer.
const answerForm = `{"type":"object","properties":{"rules":{"type":"array","items":{"type":"object","properties":{
"path":{"type":"string"},"selector":{"type":"string"},"attribute":{"type":"string"},
"transform":{"type":"string","enum":["text","number","date","url","boolean","exists"]}},
"required":["path","selector","attribute","transform"]}}},"required":["rules"]}`
