package office_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/office"
)

func ExampleCSV() {
	doc, err := office.CSV(context.Background(), []byte("name;age\nAnn;30\n"), office.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.TrimSpace(string(doc.Body)))
	// Output:
	// <table>
	// <thead><tr><th>name</th><th>age</th></tr></thead>
	// <tr><td>Ann</td><td>30</td></tr>
	// </table>
}
