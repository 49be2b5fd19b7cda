"""The release of the published package (apache-tvm-ffi on PyPI) in whose place this package stands."""

DISTRIBUTION = "apache-tvm-ffi"

# The names that the published package's own module _version has.
__version__ = version = "0.1.15.post2"
__version_tuple__ = version_tuple = (0, 1, 15, "post2")
__commit_id__ = commit_id = None
