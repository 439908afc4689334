package mcp

// table lists the tools.
func table() []tool {
	return []tool{readTool(), findTool(), mapTool(), crawlTool(), extractTool(), sessionTool(), parseTool(), monitorTool()}
}
