package naming

// DidYouMean returns what the message of an unknown name ends with: "; did you mean 'x'?" with the known name that is most like it, ""
// where none is.
func DidYouMean(name string, known []string) string {
	hint, least := "", len(name)/3+1
	for _, one := range known {
		if n := changes(name, one); n <= least {
			hint, least = "; did you mean '"+one+"'?", n-1
		}
	}
	return hint
}

// changes returns how many letters must be put in, taken out or replaced to make one word of another.
func changes(from, to string) int {
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(from) {
		diagonal := row[0]
		row[0]++
		for j := range len(to) {
			replaced := diagonal
			if from[i] != to[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
