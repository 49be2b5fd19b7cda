// Package tally is a Go library that knows nothing of Python. `make bench-wrap` wraps it.
package tally

// Tally adds numbers.
type Tally struct {
	total int
	Limit int
	Label string
}

// NewTally makes a tally of nothing.
func NewTally() *Tally { return &Tally{} }

// Add adds a number and returns the sum.
func (t *Tally) Add(n int) int {
	t.total += n
	return t.total
}

// Plus adds the sum of another tally and returns the sum.
func (t *Tally) Plus(other *Tally) int {
	t.total += other.total
	return t.total
}

// Tagged returns a text behind another.
func (t *Tally) Tagged(text string) string { return text + " " + text }

// Book is what `make bench-wrap` asks for objects, elements and numbers.
type Book struct {
	Numbers []float64
	Names   []string
	Samples []Sample
	First   *Tally
	pages   []*Tally
}

// NewBook makes a book of n pages, numbers and names.
func NewBook(n int) *Book {
	b := &Book{Samples: Samples(n), First: &Tally{}}
	for i := range n {
		b.Numbers = append(b.Numbers, float64(i))
		b.Names = append(b.Names, names[i%len(names)])
		b.pages = append(b.pages, &Tally{total: i})
	}
	return b
}

// Blank returns a page that nobody keeps.
func (b *Book) Blank() *Tally { return &Tally{} }

// Page returns the page i, which the book keeps.
func (b *Book) Page(i int) *Tally { return b.pages[i] }

// Len returns the number of pages.
func (b *Book) Len() int { return len(b.pages) }

// At returns number i.
func (b *Book) At(i int) float64 { return b.Numbers[i] }

// Contains says whether there is a page of the number.
func (b *Book) Contains(n int) bool { return n >= 0 && n < len(b.pages) }

// Fill makes these the numbers.
func (b *Book) Fill(numbers []float64) { b.Numbers = append(b.Numbers[:0], numbers...) }

// LongestOf returns the length of the longest text.
func LongestOf(texts []string) (longest int) {
	for _, text := range texts {
		longest = max(longest, len(text))
	}
	return longest
}

// TextsOf returns n texts.
func TextsOf(n int) []string {
	made := make([]string, n)
	for i := range made {
		made[i] = names[i%len(names)]
	}
	return made
}

// Cursor goes over the pages of a book.
type Cursor struct {
	book *Book
	at   int
}

// Cursor returns a cursor before the first page.
func (b *Book) Cursor() *Cursor { return &Cursor{book: b} }

// Next returns the total of the next page, and whether there is one.
func (c *Cursor) Next() (int, bool) {
	if c.at == len(c.book.pages) {
		return 0, false
	}
	c.at++
	return c.book.pages[c.at-1].total, true
}
