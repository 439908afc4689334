package noise

import "image"

// Browsers draw each glyph at a place of its own within a pixel: a shift is looked for in each tile of so many pixels.
const (
	tile     = 16
	maxShift = 4 // the largest shift that is tried, in quarters of a pixel
	minTile  = 3 // pixels of a tile that no shift explains, below which they are nothing
)

// explained finds the shifts by up to a pixel that leave the least of a box unexplained, and returns the box and number of the pixels
// that they leave. The box is of the later picture; up is by how many rows it is lower in the earlier.
func (p *pictures) explained(box image.Rectangle, up int) (rest image.Rectangle, pixels int) {
	for top := box.Min.Y; top < box.Max.Y; top += tile {
		band := image.Rect(box.Min.X, top, box.Max.X, min(top+tile, box.Max.Y))
		from, to := softened(p.from.patch(band.Add(image.Pt(0, up)).Inset(-2))), softened(p.to.patch(band.Inset(-1)))
		for left := 0; left < band.Dx(); left += tile {
			width := min(tile, band.Dx()-left)
			if r, n := p.explainedTile(cutOut(from, left, width+2), cutOut(to, left, width)); n >= minTile {
				rest, pixels = rest.Union(r.Add(band.Min.Add(image.Pt(left, 0)))), pixels+n
			}
		}
	}
	return rest, pixels
}

// softened is a patch without its edge, of which each pixel is mixed with those around: a line that stands on a pixel looks as one that
// stands between two.
func softened(rows [][]pixel) (soft [][]pixel) {
	for y := 1; y < len(rows)-1; y++ {
		row := make([]pixel, len(rows[y])-2)
		for x := range row {
			for c := range row[x] {
				around := func(line []pixel) int32 { return line[x][c] + 2*line[x+1][c] + line[x+2][c] }
				row[x][c] = (around(rows[y-1]) + 2*around(rows[y]) + around(rows[y+1])) / 16
			}
		}
		soft = append(soft, row)
	}
	return soft
}

func cutOut(rows [][]pixel, left, width int) (part [][]pixel) {
	for _, row := range rows {
		part = append(part, row[left:left+width])
	}
	return part
}

func (p *pictures) explainedTile(from, to [][]pixel) (rest image.Rectangle, pixels int) {
	width := len(to[0])
	rest, pixels = p.unexplained(from, to, width, 0, 0, len(to)*width+1)
	for dy := -maxShift; dy <= maxShift && pixels >= minTile; dy++ {
		for dx := -maxShift; dx <= maxShift && pixels >= minTile; dx++ {
			if r, n := p.unexplained(from, to, width, dx, dy, pixels); n < pixels {
				rest, pixels = r, n
			}
		}
	}
	return rest, pixels
}

// patch is a part of a picture, in rows one behind the other. Around the picture its edge goes on.
func (r *raster) patch(part image.Rectangle) (rows [][]pixel) {
	line := make([]pixel, r.width)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		r.row(min(max(y, 0), r.height-1), line)
		row := make([]pixel, part.Dx())
		for x := range row {
			row[x] = line[min(max(part.Min.X+x, 0), r.width-1)]
		}
		rows = append(rows, row)
	}
	return rows
}

// unexplained counts the pixels that a shift by quarters of a pixel doesn't explain, up to a limit.
func (p *pictures) unexplained(from, to [][]pixel, width, dx, dy, limit int) (rest image.Rectangle, n int) {
	for y := range to {
		for x := range width {
			if p.shiftExplains(from, to[y][x], x, y, dx, dy) {
				continue
			}
			if n++; n >= limit {
				return rest, n
			}
			rest = rest.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return rest, n
}

// shiftExplains compares a pixel with what stands between four of the earlier picture. The patch of the latter has an edge of one pixel.
func (p *pictures) shiftExplains(from [][]pixel, v pixel, x, y, dx, dy int) bool {
	left, top := 4*(x+1)+dx, 4*(y+1)+dy
	fx, fy := int32(left%4), int32(top%4)
	left, top = left/4, top/4
	right, below := left, top
	if fx > 0 {
		right++
	}
	if fy > 0 {
		below++
	}
	for c := range v {
		a := from[top][left][c]*(4-fx) + from[top][right][c]*fx
		b := from[below][left][c]*(4-fx) + from[below][right][c]*fx
		if d := v[c] - (a*(4-fy)+b*fy)/16; max(d, -d) > p.tolerance {
			return false
		}
	}
	return true
}
