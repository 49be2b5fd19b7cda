// A C++ library, as anybody may build one with the headers of tvm-ffi: classes, functions of namespaces, and a function of the
// library's module. It is linked to libtvm_ffi.so.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <utility>

namespace {

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

class FigureObj : public ffi::Object {
 public:
  ffi::String label;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("fig.Figure", FigureObj, ffi::Object);
};

class Figure : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Figure, ffi::ObjectRef, FigureObj);
};

class CircleObj : public FigureObj {
 public:
  double radius;

  explicit CircleObj(double radius) : radius(radius) {}
  TVM_FFI_DECLARE_OBJECT_INFO("fig.Circle", CircleObj, FigureObj);
};

class Circle : public Figure {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Circle, Figure, CircleObj);
};

class GroupObj : public FigureObj {
 public:
  ffi::Array<Figure> members;
  ffi::Optional<ffi::String> note;
  Figure first;  // may be null

  TVM_FFI_DECLARE_OBJECT_INFO("fig.Group", GroupObj, FigureObj);
};

class Group : public Figure {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Group, Figure, GroupObj);
};

Group MakeGroup(ffi::Array<Figure> members) {
  auto made = ffi::make_object<GroupObj>();
  if (!members.empty()) made->first = members[0];
  made->members = std::move(members);
  return Group(made);
}

int64_t Scale(int64_t x) { return 3 * x; }

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<FigureObj>()
      .def_rw("label", &FigureObj::label, "what it is called")
      .def("describe", [](const FigureObj* self, int64_t n) { return self->label + ffi::String(std::to_string(n)); })
      // Names of Go, of its tools, and of the type that Go's handles begin with.
      .def("type", [](const FigureObj*) { return ffi::String("type"); })
      .def("release", [](const FigureObj*) { return ffi::String("release"); })
      .def("write_to", [](const FigureObj*, ffi::String func) { return func; })
      .def("figure", [](const FigureObj*) { return ffi::String("figure"); });
  refl::ObjectDef<CircleObj>(refl::init(false))
      .def(refl::init<double>(), "Makes a circle.")
      .def_ro("radius", &CircleObj::radius)
      .def(
          "area", [](const CircleObj* self) { return 3.0 * self->radius * self->radius; }, "Its area, nearly.")
      .def("blend",
           [](const CircleObj* self, double x, int64_t n, bool negative, ffi::String label) {
             return ffi::Tuple<double, ffi::String>(negative ? -self->radius * x * n : self->radius * x * n, label);
           })
      .def_static("unit", [] { return Circle(ffi::make_object<CircleObj>(1.0)); });
  refl::ObjectDef<GroupObj>(refl::init(false))
      .def_ro("members", &GroupObj::members)
      .def_rw("note", &GroupObj::note)
      .def_rw("first", &GroupObj::first)
      .def("each",
           [](const GroupObj* self, ffi::TypedFunction<int64_t(Figure, int64_t)> visit) {
             int64_t sum = 0;
             for (size_t i = 0; i < self->members.size(); i++) sum += visit(self->members[i], static_cast<int64_t>(i));
             return sum;
           })
      // A name of a field, and that of the class itself.
      .def("members", [](const GroupObj* self) { return static_cast<int64_t>(self->members.size()); })
      .def("Group", [](const GroupObj*) { return ffi::String("Group"); })
      .def("maybe", [](const GroupObj*, ffi::Optional<Figure> figure) { return figure; })
      .def("lost", [](const GroupObj*) { return Figure(); });
  refl::GlobalDef()
      .def("fig.Circle", [](double radius) { return Circle(ffi::make_object<CircleObj>(radius)); })
      .def("fig.group", MakeGroup, "Puts figures together.")
      .def("fig.fail", [](ffi::String text) { TVM_FFI_THROW(ValueError) << "no " << text; })
      .def("fig.count",
           [](ffi::Map<ffi::String, int64_t> counts) {
             int64_t sum = 0;
             for (const auto& entry : counts) sum += entry.second;
             return sum;
           })
      .def("fig.call",
           [](ffi::Optional<ffi::TypedFunction<int64_t(ffi::Optional<ffi::String>)>> f) {
             return f.has_value() ? (*f)(std::nullopt) : -1;
           })
      .def("fig.nested",
           [](ffi::Map<ffi::String, ffi::Array<ffi::Map<int64_t, ffi::Optional<Figure>>>> figures) { return figures; })
      .def("fig.unions",
           [](ffi::Map<ffi::String, ffi::Variant<int64_t, ffi::String, Figure>> values) { return values; })
      .def("fig.either", [](ffi::Variant<ffi::String, int64_t> x) { return x; })
      .def("fig.same", [](ffi::ObjectRef x) { return x; })
      .def("fig.text", [](ffi::Optional<ffi::String> x) { return x; })
      .def("fig.nine", [](int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h,
                          int64_t i) { return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i; })
      .def("fig.deep.sum",
           [](ffi::TensorView x) {
             double sum = 0;
             for (int64_t i = 0; i < x.size(0); i++) sum += static_cast<float*>(x.data_ptr())[i];
             return sum;
           })
      .def_packed("fig.packed", [](ffi::PackedArgs args, ffi::Any* result) { *result = args.size(); });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, Scale);
