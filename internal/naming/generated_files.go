package naming

// AdaptersFile is the name of the file of adapters that the build command adds to each package that registers something.
// The file exists only while the package is compiled. Its name is the first in the folder, so that its variables are
// initialised before those that register. Backtraces leave its frames out by this name.
const AdaptersFile = "000_selfsame_adapters.go"
