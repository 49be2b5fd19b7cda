"""The release of the published package (apache-tvm-ffi on PyPI) in whose place this package stands."""

DISTRIBUTION = "apache-tvm-ffi"

# The names that the published package's own module _version has.
__version__ = version = "0.1.15.post2"
__version_tuple__ = version_tuple = (0, 1, 15, "post2")
__commit_id__ = commit_id = None

# The names that `from tvm_ffi import *` gives: others could replace those of the program, as bool would.
NAMES = """
    Array DLDeviceType DefRegionKind Device Dict Function InplaceMode LIB List Map Module Object
    ObjectConvertible Shape StreamContext StructuralKey StructuralMutator StructuralVisitor Tensor
    VisitInterrupt WalkOrder WalkResult __version__ __version_tuple__ access_path convert convert_func cpp
    dataclasses device dtype from_dlpack get_first_structural_mismatch get_global_func get_global_func_metadata
    get_raw_stream init_ffi_api load_module method register_error register_global_func register_object
    remove_global_func serialization structural structural_equal structural_hash structural_map
    structural_mutate structural_visit structural_walk system_lib use_raw_stream use_torch_stream
""".split()
