package main

import (
	"os"

	"github.com/winnow-go/winnow/examples/server/serving"
)

func main() { os.Exit(serving.Main("server", os.Args[1:])) }
