// The classes that the program registers.
#ifndef CLASSES_H_
#define CLASSES_H_

#include <tvm/ffi/tvm_ffi.h>

using namespace tvm::ffi;

// ShapeNodes alive.
extern int live;

class ShapeNode : public Object {
 public:
  String name;
  int64_t sides = 0;
  ShapeNode() { live++; }
  ~ShapeNode() { live--; }
  static constexpr bool _type_mutable = true;
  static constexpr uint32_t _type_child_slots = 3;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Shape", ShapeNode, Object);
};

class SquareNode : public ShapeNode {
 public:
  double edge = 1;
  ObjectRef next;
  SquareNode() = default;
  SquareNode(double edge, String label) : edge(edge) { name = label; }
  double Area(double scale) const { return edge * edge * scale; }
  static constexpr uint32_t _type_child_slots = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Square", SquareNode, ShapeNode);
};

class TileNode : public SquareNode {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Tile", TileNode, SquareNode);
};

class CircleNode : public ShapeNode {
 public:
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Circle", CircleNode, ShapeNode);
};

// More children than its parent has child slots.
class OvalNode : public ShapeNode {
 public:
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Oval", OvalNode, ShapeNode);
};

class OtherNode : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Other", OtherNode, Object);
};

// Fields only: the constructor is made by the runtime.
class PointNode : public Object {
 public:
  int64_t x = 0, y = 0;
  String label;
  int64_t hidden = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Point", PointNode, Object);
};

#endif  // CLASSES_H_
