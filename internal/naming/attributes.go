package naming

// JoinedAttr is the type attribute by which a class says the key of the class that has joined it; a number follows for the second, and
// so on. The frontend registers it, and the tool reads it.
const JoinedAttr = "__selfsame_joined__"
