package noise

import "image"

// band is how many rows are looked at at once for a shift.
const band = 256

// maxShift is the largest shift that is tried, in quarters of a pixel.
const maxShift = 3

// explained finds the shift by less than a pixel that leaves the least of a box unexplained, and returns the box and number of the
// pixels that it leaves. The box is of the later picture; up is by how many rows it is lower in the earlier.
func (p *pictures) explained(box image.Rectangle, up int) (rest image.Rectangle, pixels int) {
	for top := box.Min.Y; top < box.Max.Y; top += band {
		part := image.Rect(box.Min.X, top, box.Max.X, min(top+band, box.Max.Y))
		r, n := p.explainedBand(part, up)
		rest, pixels = rest.Union(r), pixels+n
	}
	return rest, pixels
}

func (p *pictures) explainedBand(box image.Rectangle, up int) (rest image.Rectangle, pixels int) {
	from, to := p.from.patch(box.Add(image.Pt(0, up)).Inset(-1)), p.to.patch(box)
	pixels = box.Dx()*box.Dy() + 1
	for dy := -maxShift; dy <= maxShift && pixels > 0; dy++ {
		for dx := -maxShift; dx <= maxShift && pixels > 0; dx++ {
			if r, n := p.unexplained(from, to, box.Dx(), dx, dy, pixels); n < pixels {
				rest, pixels = r.Add(box.Min), n
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
		if d := v[c] - (a*(4-fy)+b*fy)/16; max(d, -d) > p.tolerance*8/5 {
			return false
		}
	}
	return true
}
