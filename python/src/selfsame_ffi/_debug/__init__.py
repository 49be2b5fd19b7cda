"""What :mod:`selfsame_ffi.debug` and notebooks show: graphs, snapshots and tables of live objects."""
