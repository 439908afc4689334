package cidmap

// Collection is what the CIDs of a collection stand for. It doesn't change and is safe for concurrent use.
type Collection struct{ section *Section }

// Find is the collection of a name, as "Adobe-Japan1". nil: it is unknown.
func Find(name string) *Collection {
	if s := library().get(name); s != nil && s.Collection == s.Name {
		return &Collection{s}
	}
	return nil
}

// Text is what a glyph stands for, one character or several; "" if that is unknown, as it is for a nil Collection.
func (c *Collection) Text(cid uint32) string {
	if c == nil {
		return ""
	}
	if long, has := c.section.Long[cid]; has {
		return long
	}
	if r, has := c.section.find(cid, 0); has {
		return string(rune(r))
	}
	return ""
}
