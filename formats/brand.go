package formats

import "github.com/winnow-go/winnow/formats/brand"

// Brand is the look of a site: the answer of the branding format.
type Brand = brand.Brand
