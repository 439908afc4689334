package crawlplan

// prompt is the task of the model; models were measured with these words. %s is what patterns are matched with.
const prompt = "You choose the parameters of a crawl of one website, so that it fetches the pages that a person wants and few others.\n" +
	"Answer with one JSON object. Leave out, or set to null, each parameter that the person's words do not call for.\n" +
	"\n" +
	"- includePaths: only pages that one of these regular expressions matches are fetched. excludePaths: pages that one of these " +
	"matches are not fetched. The expressions are of Go's RE2 syntax (no look-around, no back-references), unanchored, and are " +
	"matched with %s. Use ^ and $ where they are meant. Derive them from the URLs that you are shown; do not invent paths.\n" +
	"- maxDepth: how many path segments below the path of the start a page may have. maxDiscoveryDepth: how many links away from " +
	"the start a page may be.\n" +
	"- crawlEntireDomain: true where pages beside or above the path of the start are wanted too. Else only what is below it is " +
	"fetched.\n" +
	"- allowSubdomains: true where other hosts of the same domain are wanted. allowExternalLinks: true only where pages of other " +
	"sites are wanted.\n" +
	"- sitemap: \"include\" (the usual), \"skip\" (links only), or \"only\" (nothing but what the sitemap lists).\n" +
	"- ignoreQueryParameters: true where URLs that differ in their query are the same page.\n" +
	"- deduplicateSimilarURLs: false only where similar URLs are wanted as pages of their own.\n" +
	"- ignoreRobotsTxt: true only where the person says so. robotsUserAgent: only where the person names one.\n" +
	"- delay: seconds between two requests, at most 60, only where the person wants it slow.\n" +
	"- limit: the most pages, where the person names a number."

// schema is the form of the answer.
const schema = `{"type":"object","properties":{
"includePaths":{"type":["array","null"],"items":{"type":"string"},"maxItems":100},
"excludePaths":{"type":["array","null"],"items":{"type":"string"},"maxItems":100},
"maxDepth":{"type":["integer","null"]},
"maxDiscoveryDepth":{"type":["integer","null"]},
"crawlEntireDomain":{"type":["boolean","null"]},
"allowExternalLinks":{"type":["boolean","null"]},
"allowSubdomains":{"type":["boolean","null"]},
"sitemap":{"type":["string","null"],"enum":["include","skip","only",null]},
"ignoreQueryParameters":{"type":["boolean","null"]},
"ignoreRobotsTxt":{"type":["boolean","null"]},
"robotsUserAgent":{"type":["string","null"]},
"deduplicateSimilarURLs":{"type":["boolean","null"]},
"delay":{"type":["number","null"]},
"limit":{"type":["integer","null"]}
}}`
