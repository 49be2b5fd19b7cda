"""The text of a block ``object/KEY``: the struct, the reference to it, and what both can do.

A type whose fields account for all its bytes (:mod:`selfsame_ffi.stub.layout`) becomes a struct with these fields, and
can be made in Rust. The struct of any other has only its parent, and functions that read the fields through the C API.
Every type that is referred to must be the crate's, be named by a ty-map, or have a block in the same run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..file_utils import CodeBlock
from ..layout import Verdict, classify
from ..lib_state import object_info_from_type_key
from ..utils import NamedTypeSchema, ObjectInfo, Options
from . import consts as C
from .directives import EnumSpec
from .scaffold import finalize_rust_module_tree, generate_rust_api_file, generate_rust_import_section, indented
from .types import Types
from .utils import RustImports, is_member, rust_ident
from .words import comment, is_path, literal


class _Parameter(NamedTuple):
    field: str
    rust_type: str

    @property
    def name(self) -> str:
        return rust_ident(self.field)

    @property
    def is_exact(self) -> bool:
        return self.rust_type in C.RUST_EXACT_PARAMS


def _wrapped(head: str, items: list[str], tail: str) -> list[str]:
    """A list in one line or, when it is too long, as rustfmt breaks it."""
    line = head + ", ".join(items) + tail
    if len(line) <= C.RUST_MAX_WIDTH:
        return [line]
    space = head[: len(head) - len(head.lstrip())]
    left, equals, right = head.partition(" = ")
    moved = f"{space}    {right}{', '.join(items)}{tail}"
    if equals and len(moved) <= C.RUST_MAX_WIDTH:
        return [left + " =", moved]
    return [head.rstrip(), *(f"{space}    {item}," for item in items), space + tail.lstrip()]


def _allow_names(names: Iterable[str]) -> list[str]:
    bare = [name[2:] if name.startswith("r#") else name for name in names]
    return ["#[allow(non_snake_case)]"] if any(name != name.lower() for name in bare) else []


def _by_offset(info: ObjectInfo) -> list[NamedTypeSchema]:
    return sorted(info.fields, key=lambda field: field.offset or 0)


def _deref(source: str, target: str) -> list[str]:
    return [
        f"impl Deref for {source} {{",
        f"    type Target = {target};",
        f"    fn deref(&self) -> &{target} {{",
        "        &self.base",
        "    }",
        "}",
    ]


class _Object:
    """One type's block."""

    def __init__(self, info: ObjectInfo, types: Types) -> None:
        assert info.type_key is not None
        self.info, self.types, self.key = info, types, info.type_key
        self.imports, self.directives = types.imports, types.imports.directives
        self.name = self.key.rpartition(".")[2]
        self.struct = self.name + "Obj"
        self.above = [key for key in info.ancestors if key != C.RUST_ROOT_TYPE_KEY]

    def use(self, path: str) -> str:
        return self.imports.record(path)

    def lines(self) -> list[str]:
        for key in (self.key, *self.info.ancestors):
            if not is_path(key):
                raise ValueError(f"the type key {key!r} is no name in Rust")
        self.imports.reserved |= {self.name, self.struct}
        verdict = self._verdict()
        self.use("std::ops::Deref")
        self.use("tvm_ffi::ObjectArc")
        base, has_parent = self._base()
        targets = [f"{self.key}.{field.name}" for field in self.info.fields]
        enums = self.directives.enums
        sections = [self._enum(enums[target]) for target in targets if target in enums]
        sections.append(self._struct(verdict, base))
        sections.append(
            [
                "#[repr(C)]",
                "#[derive(tvm_ffi::derive::ObjectRef, Clone)]",
                f"pub struct {self.name} {{",
                f"    base: ObjectArc<{self.struct}>,",
                "}",
            ]
        )
        sections.append(_deref(self.name, self.struct))
        if has_parent:
            sections.append(_deref(self.struct, base))
        if verdict.is_complete:
            sections += self._allocators(base, has_parent)
            sections += self._for_subtypes()
        elif self.info.fields:
            sections.append(self._accessors())
        sections.append(self._upcasts())
        return [line for section in sections if section for line in ("", *section)][1:]

    # ---- what the type is ----

    def _verdict(self) -> Verdict:
        infos = {key: object_info_from_type_key(key) for key in self.info.ancestors}
        infos[self.key] = self.info
        owners = {id(field): key for key, info in infos.items() for field in info.fields}
        unused = RustImports()  # asking whether there is a type imports nothing
        return classify(
            infos,
            forced_opaque=self.directives.opaque,
            unmirrored={key for key in self.above if self.types.provider(key) == "crate"},
            field_renderable=lambda field: (
                is_member(field.name) and self.types.storage(owners[id(field)], field, unused) is not None
            ),
        )[self.key]

    def _base(self) -> tuple[str, bool]:
        """The parent's struct, and whether it is one outside the crate."""
        parent = self.info.parent_type_key
        if parent is not None and self.types.provider(parent) != "crate":
            return self.types.class_name(parent, "Obj"), True
        chain = list(self.above)
        if parent not in (None, C.RUST_ROOT_TYPE_KEY, *chain):
            chain.append(str(parent))
        return self.imports.record_builtin_base(chain), False

    def _storage(self, key: str, field: NamedTypeSchema) -> str:
        found = self.types.storage(key, field)
        assert found is not None  # the verdict has asked for it
        return found

    def _struct(self, verdict: Verdict, base: str) -> list[str]:
        head = ["#[repr(C)]", "#[derive(tvm_ffi::derive::Object)]", f"#[type_key = {literal(self.key)}]"]
        head += ["#[type_final]"] if self.info.is_final else []
        head += [f"pub struct {self.struct} {{", f"    base: {base},"]
        if not verdict.is_complete:
            note = comment(f"Opaque: {verdict.detail}. Fields are read through the C ABI getters.")
            return [f"/// {note}", *head, "}"]
        fields = _by_offset(self.info)
        return [
            f"/// {comment(f'Complete: {verdict.detail}.')}",
            *_allow_names(rust_ident(field.name) for field in fields),
            *head,
            *(f"    pub {rust_ident(field.name)}: {self._storage(self.key, field)}," for field in fields),
            "}",
            "",
            "const _: () = {",
            f"    assert!(::core::mem::size_of::<{self.struct}>() == {verdict.total_size});",
            f"    assert!(::core::mem::align_of::<{self.struct}>() == {verdict.alignment});",
            "};",
        ]

    def _enum(self, spec: EnumSpec) -> list[str]:
        error, value_error = self.use("tvm_ffi::Error"), self.use("tvm_ffi::VALUE_ERROR")
        result = self.use("tvm_ffi::Result")
        message = f'&format!("{spec.name} value {{value}} does not fit {spec.repr}")'
        return [
            "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]",
            "#[repr(transparent)]",
            f"pub struct {spec.name}({spec.repr});",
            "",
            "#[allow(non_upper_case_globals)]",
            f"impl {spec.name} {{",
            *(f"    pub const {member}: Self = Self({value});" for member, value in spec.members),
            f"    pub const fn from_raw(value: {spec.repr}) -> Self {{",
            "        Self(value)",
            "    }",
            f"    pub const fn as_raw(self) -> {spec.repr} {{",
            "        self.0",
            "    }",
            "}",
            "",
            f"impl TryFrom<i64> for {spec.name} {{",
            f"    type Error = {error};",
            f"    fn try_from(value: i64) -> {result}<Self> {{",
            f"        {spec.repr}::try_from(value).map(Self).map_err(|_| {{",
            f'            {error}::new({value_error}, {message}, "")',
            "        })",
            "    }",
            "}",
        ]

    # ---- fields through the C interface ----

    def _accessors(self) -> list[str]:
        for path in ("tvm_ffi::ObjectCore", "tvm_ffi::FieldGetter", "tvm_ffi::Result"):
            self.use(path)
        lines = [line for field in self.info.fields for line in ("", *self._accessor(field))][1:]
        return [f"impl {self.struct} {{", *("    " + line if line else "" for line in lines), "}"]

    def _accessor(self, field: NamedTypeSchema) -> list[str]:
        target = f"{self.key}.{field.name}"
        if not is_member(field.name):
            return [f"// {comment(f'The field {literal(field.name)} is left out: it is no name in Rust.')}"]
        name = rust_ident(field.name)
        getter = f"FieldGetter::new(Self::type_index(), {literal(field.name)})?"
        spec = self.directives.enums.get(target)
        given = self.directives.field_types.get(target)
        if spec is not None:
            rust_type: str | None = spec.name
            body = [f"    let raw: i64 = {getter}.get(self)?;", f"    {spec.name}::try_from(raw)"]
        else:
            if given is not None:
                rust_type = self.types.written(given)
            else:
                rust_type = None if field.origin == "Any" else self.types.value(field)
            body = [f"    {getter}.{'get_any' if rust_type is None else 'get'}(self)"]
            if rust_type is None:  # get() converts, and an Any is not converted to an Any
                rust_type = self.use("tvm_ffi::Any")
            elif target in self.directives.nullable and not rust_type.startswith("Option<"):
                rust_type = f"Option<{rust_type}>"
        return [*_allow_names([name]), f"pub fn {name}(&self) -> Result<{rust_type}> {{", *body, "}"]

    # ---- making objects ----

    def _parameters(self, key: str, info: ObjectInfo) -> tuple[list[_Parameter], int]:
        """All fields, the ancestors' first; and how many of them are the ancestors'.

        A directive for an inherited field makes its type narrower in this type and below.
        """
        inherited: list[_Parameter] = []
        parent = info.parent_type_key
        if parent is not None and self.types.provider(parent) != "crate":
            inherited, _ = self._parameters(parent, object_info_from_type_key(parent))
        narrower = self.directives.field_types
        parameters = [
            _Parameter(name, self.types.written(narrower.get(f"{key}.{name}", rust_type)))
            if f"{key}.{name}" in narrower
            else _Parameter(name, rust_type)
            for name, rust_type in inherited
        ]
        parameters += [_Parameter(field.name, self._storage(key, field)) for field in _by_offset(info)]
        return parameters, len(inherited)

    def _allocators(self, base: str, has_parent: bool) -> list[list[str]]:
        parameters, count = self._parameters(self.key, self.info)
        parent_parameters: list[_Parameter] = []
        if has_parent:
            parent = str(self.info.parent_type_key)
            parent_parameters, _ = self._parameters(parent, object_info_from_type_key(parent))
        to_parent = [
            own.name + ("" if own.rust_type == above.rust_type else ".into()")
            for own, above in zip(parameters, parent_parameters)
        ]
        allow = ["    " + line for line in _allow_names(parameter.name for parameter in parameters)]
        visible = "pub(crate)" if self.info.is_final else "pub"
        name = "from_fields" if self.key in self.directives.custom_new else "new"
        exact = [f"{each.name}: {each.rust_type}" for each in parameters]
        wide = [
            f"{each.name}: {each.rust_type if each.is_exact else f'impl Into<{each.rust_type}>'}" for each in parameters
        ]
        converted = [each.name + ("" if each.is_exact else ".into()") for each in parameters]
        of_struct = [
            f"impl {self.struct} {{",
            *allow,
            *_wrapped(f"    {visible} fn new(", exact, ") -> Self {"),
            *_wrapped(f"        let base = {base}::new(", to_parent, ");"),
            *_wrapped("        Self { ", ["base", *(each.name for each in parameters[count:])], " }"),
            "    }",
            "}",
        ]
        of_reference = [
            f"impl {self.name} {{",
            "    /// Lossless complete-field allocation.",
            *allow,
            *_wrapped(f"    pub fn {name}(", wide, ") -> Self {"),
            *_wrapped(f"        let obj = {self.struct}::new(", converted, ");"),
            "        Self { base: ObjectArc::new(obj) }",
            "    }",
            "}",
        ]
        return [of_struct, of_reference]

    def _for_subtypes(self) -> list[list[str]]:
        """The items that a subtype declared in Rust needs; only where every ancestor has it too."""
        if self.info.is_final or any(self.types.provider(key) != "generated" for key in self.above):
            return []
        fields = _by_offset(self.info)
        copy = self.use("tvm_ffi::ShallowCopy")
        names = [rust_ident(field.name) for field in fields]
        copies = [f"base: {copy}::shallow_copy(&self.base)", *(f"{name}: Clone::clone(&self.{name})" for name in names)]
        shallow = [
            f"impl {copy} for {self.struct} {{",
            "    fn shallow_copy(&self) -> Self {",
            *_wrapped("        Self { ", copies, " }"),
            "    }",
            "}",
        ]
        init, address = self.use("tvm_ffi::UnsafeInit"), self.use("std::ptr::addr_of_mut")
        drops = [f"{init}::drop_defined_fields({address}!((*this).base));"]
        for field, name in zip(fields, names):
            if f"{self.key}.{field.name}" not in self.directives.enums:  # an enum has nothing to drop
                drops.append(f"{self.use(self._dropper(field))}({address}!((*this).{name}));")
        unsafe = [
            f"unsafe impl {init} for {self.struct} {{",
            "    unsafe fn drop_defined_fields(this: *mut Self) {",
            "        unsafe {",
            *("            " + line for line in drops),
            "        }",
            "    }",
            "}",
        ]
        return [shallow, unsafe]

    def _dropper(self, field: NamedTypeSchema) -> str:
        """An Any of zeros is None and can be dropped; anything else of zeros is not a value yet."""
        in_cell = field.origin == "Any"
        if field.origin == "Optional":
            in_cell = not self._storage(self.key, field).startswith("Option<")
        in_cell = in_cell and f"{self.key}.{field.name}" not in self.directives.field_types
        return "std::ptr::drop_in_place" if in_cell else "tvm_ffi::reflection::drop_if_defined"

    def _upcasts(self) -> list[str]:
        views = [self.types.class_name(key) for key in self.above if self.types.provider(key) != "crate"]
        views += [self.types.written(view) for view in self.directives.upcasts.get(self.key, [])]
        pairs = ", ".join(f"{self.name} => {view}" for view in views)
        return [f"tvm_ffi::impl_object_upcast!({pairs});"] if views else []


def generate_rust_object(
    code: CodeBlock,
    ty_map: dict[str, str],
    imports: RustImports,
    opt: Options,
    obj_info: ObjectInfo,
    declared: Mapping[str, tuple[str, ...]],
) -> None:
    """Fill a block. `declared`: modules of all types that have one. ValueError for types that nothing provides."""
    types = Types(imports, ty_map, declared[str(obj_info.type_key)], declared)
    lines = _Object(obj_info, types).lines()
    if types.missing:
        keys = ", ".join(f"`{key}`" for key in sorted(types.missing))
        raise ValueError(
            f"`{obj_info.type_key}` (line {code.lineno_start}) depends on {keys}, which this run does not ask for: "
            "add an `object/<key>` block or a `ty-map` directive for each"
        )
    indented(code, lines)


__all__ = [
    "finalize_rust_module_tree",
    "generate_rust_api_file",
    "generate_rust_import_section",
    "generate_rust_object",
]
