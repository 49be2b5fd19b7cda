"""Stubs of registered functions and types, written between markers in source files.

The command is ``python -m selfsame_ffi.stub.cli``; :mod:`.layout` tells which types another language can hold by value.
The markers and the command line are those of stock's ``tvm-ffi-stubgen``. :mod:`.lib_state` reads the registry into the
data of :mod:`.utils`; files are read and written by :mod:`.file_utils`; a generator (:mod:`.generator`) turns data into
the text of one language; :mod:`.cli` is the command.
"""
