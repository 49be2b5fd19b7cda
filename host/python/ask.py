# Run by the interpreter that a Go program is to start: says where its shared library may lie.
import json
import os
import sys
import sysconfig

get = sysconfig.get_config_var
major, minor = sys.version_info[:2]
version = f"{major}.{minor}{'t' if get('Py_GIL_DISABLED') else ''}"
base = sys.base_prefix
if os.name == "nt":
    candidates = [os.path.join(base, f"python{major}{minor}.dll")]
elif sys.platform == "darwin":
    names = [f"libpython{version}.dylib"]
    candidates = [os.path.join(folder, name) for folder in (get("LIBDIR"), base + "/lib") if folder for name in names]
    if get("PYTHONFRAMEWORKPREFIX"):
        candidates.append(os.path.join(get("PYTHONFRAMEWORKPREFIX"), get("LDLIBRARY")))
else:
    # One name is the file's SONAME, another a link to it: opening both would load the library twice.
    names = [f"libpython{version}.so.1.0", f"libpython{version}.so"]
    arch = get("MULTIARCH") or ""
    folders = [base + "/lib", base + "/lib64", base + "/lib/" + arch, get("LIBDIR"), get("LIBPL")]
    folders = list(dict.fromkeys(folder for folder in folders if folder))
    candidates = [os.path.join(folder, name) for folder in folders for name in names]
debian = base == "/usr" and os.path.isfile("/etc/debian_version")
print(
    json.dumps(
        {
            "Version": version,
            "Name": sys.implementation.name + " " + version,
            "Served": sys.version_info >= (3, 9) and sys.implementation.name == "cpython",
            "Executable": sys.executable,
            "Candidates": candidates,
            "Debian": "libpython" + version if debian else "",
        }
    )
)
