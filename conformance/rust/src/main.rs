//! The published `tvm-ffi` crate on libselfsame.so: objects, arrays, maps, strings, functions, tensors, errors.

// Requirement: E2

mod checks;

use checks::Checks;
use tvm_ffi::derive::{Object, ObjectRef};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::*;

#[repr(C)]
#[derive(Object)]
#[type_key = "conformance.rust.Shape"]
#[type_register]
struct FigureObj {
    base: Object,
    sides: i64,
}

#[repr(C)]
#[derive(ObjectRef, Clone)]
struct Figure {
    data: ObjectArc<FigureObj>,
}

#[repr(C)]
#[derive(Object)]
#[type_key = "conformance.rust.Square"]
#[type_register]
#[type_final]
struct SquareObj {
    base: FigureObj,
    width: f64,
}

#[repr(C)]
#[derive(ObjectRef, Clone)]
struct Square {
    data: ObjectArc<SquareObj>,
}

tvm_ffi::impl_object_upcast!(Square => Figure);

fn square(width: f64) -> Square {
    let base = FigureObj { base: Object::new(), sides: 4 };
    Square { data: ObjectArc::new(SquareObj { base, width }) }
}

fn global(name: &str) -> Function {
    Function::get_global(name).unwrap()
}

fn objects(c: &mut Checks) {
    let s = square(2.5);
    c.check("a new object has one owner", ObjectArc::strong_count(&s.data) == 1);
    let any = Any::from(s.clone());
    c.equal("the value has the object's index", any.type_index(), SquareObj::type_index());
    c.equal("the value owns it too", ObjectArc::strong_count(&s.data), 2);
    let figure = Figure::try_from(any).unwrap();
    c.equal("an ancestor's field", figure.data.sides, 4);
    let object: ObjectRef = figure.try_cast().unwrap();
    let back: Square = object.try_cast().unwrap();
    c.equal("the descendant's field", back.data.width, 2.5);
    c.check("the same object", ObjectIdentity::of(&back) == ObjectIdentity::of(&s));
    drop(back);
    c.equal("one owner again", ObjectArc::strong_count(&s.data), 1);
    let other = Any::from(Array::from_iter([1i64]));
    c.check("an array is no figure", Figure::try_from(other).is_err());
}

fn arrays(c: &mut Checks) {
    let array: Array<i64> = [3i64, 1, 2].into_iter().collect();
    c.equal("length", array.len(), 3);
    c.equal("element", array.get(1).unwrap(), 1);
    c.check("out of bounds", array.get(3).is_err());
    c.equal("sum", array.iter().sum::<i64>(), 6);
    let size: i64 = global("ffi.ArraySize").call_tuple_with_len::<1, _>((&array,)).unwrap().try_into().unwrap();
    c.equal("seen by the runtime", size, 3);
    let made: Array<i64> = global("ffi.Array").call_tuple_with_len::<2, _>((7i64, 8i64)).unwrap().try_into().unwrap();
    c.equal("made by the runtime", made.get(1).unwrap(), 8);
}

fn maps(c: &mut Checks) {
    let map: Map<String, i64> = (0..300).map(|i| (String::from(format!("key {i}")), i)).collect();
    c.equal("length", map.len(), 300);
    c.equal("found", map.get(&String::from("key 77")).unwrap(), Some(77));
    c.equal("not found", map.get(&String::from("key 300")).unwrap(), None);
    let keys: Vec<String> = map.keys().collect();
    c.check("in order of insertion", keys.iter().enumerate().all(|(i, k)| k.as_str() == format!("key {i}")));
    let size: i64 = global("ffi.MapSize").call_tuple_with_len::<1, _>((&map,)).unwrap().try_into().unwrap();
    c.equal("seen by the runtime", size, 300);
}

fn strings(c: &mut Checks) {
    for text in ["", "short", "exactly", "a string that needs the heap", "\u{e9}\u{1f600}"] {
        let s = String::from(text);
        let echoed: String = global("ffi.String").call_tuple_with_len::<1, _>((&s,)).unwrap().try_into().unwrap();
        c.equal("a string comes back", echoed.as_str(), text);
    }
    let bytes = Bytes::from(vec![0u8, 255, 7, 0, 1, 2, 3, 4, 5, 6]);
    let echoed: Bytes = global("ffi.Bytes").call_tuple_with_len::<1, _>((&bytes,)).unwrap().try_into().unwrap();
    c.equal("bytes come back", echoed.as_slice(), bytes.as_slice());
}

fn functions(c: &mut Checks) {
    let add = Function::from_typed(|a: i64, b: i64| -> Result<i64> { Ok(a + b) });
    Function::register_global("conformance.rust.add", add).unwrap();
    let found = global("conformance.rust.add");
    let sum: i64 = found.call_tuple_with_len::<2, _>((2i64, 40i64)).unwrap().try_into().unwrap();
    c.equal("through the global table", sum, 42);
    let count = Function::from_packed(|args: &[AnyView]| -> Result<Any> { Ok(Any::from(args.len() as i64)) });
    let n: i64 = count.call_packed(&[AnyView::new(), AnyView::new()]).unwrap().try_into().unwrap();
    c.equal("packed", n, 2);
    c.check("missing", Function::get_global("conformance.rust.absent").is_err());
    let removed: bool = global("ffi.FunctionRemoveGlobal")
        .call_tuple_with_len::<1, _>((String::from("conformance.rust.add"),))
        .unwrap()
        .try_into()
        .unwrap();
    c.check("removed", removed && Function::get_global("conformance.rust.add").is_err());
}

fn errors(c: &mut Checks) {
    let fail = Function::from_typed(|x: i64| -> Result<i64> {
        tvm_ffi::ensure!(x > 0, VALUE_ERROR, "{} is not positive", x);
        Ok(x)
    });
    let error = fail.call_tuple_with_len::<1, _>((-3i64,)).err().unwrap();
    c.equal("kind", error.kind().as_str().to_owned(), "ValueError".to_owned());
    c.check("message", error.message().contains("-3 is not positive"));
    let empty: Array<i64> = Array::new(vec![]);
    let error = global("ffi.ArrayGetItem").call_tuple_with_len::<2, _>((&empty, 0i64)).err().unwrap();
    c.equal("the runtime's kind", error.kind().as_str().to_owned(), "IndexError".to_owned());
    c.equal("the runtime's message", error.message().to_owned(), "Index 0 out of bounds 0".to_owned());
    let error = global("ffi.ArrayGetItem").call_tuple_with_len::<1, _>((1i64,)).err().unwrap();
    c.equal("wrong number of arguments", error.kind().as_str().to_owned(), "TypeError".to_owned());
    let cause = Error::new(KEY_ERROR, "the cause", "");
    let effect = Error::new_with_cause_and_extra_context(RUNTIME_ERROR, "the effect", "", Some(&cause), None);
    c.equal("cause", effect.cause_chain().unwrap().message().to_owned(), "the cause".to_owned());
}

fn tensors(c: &mut Checks) {
    let float32 = DLDataType::new(DLDataTypeCode::kDLFloat, 32, 1);
    let cpu = DLDevice::new(DLDeviceType::kDLCPU, 0);
    let tensor = Tensor::from_nd_alloc(CPUNDAlloc {}, &[2, 3], float32, cpu);
    c.equal("shape", tensor.shape().to_vec(), vec![2, 3]);
    c.equal("strides", tensor.strides().to_vec(), vec![3, 1]);
    tensor.data_as_slice_mut::<f32>().unwrap()[5] = 1.5;
    let echo = Function::from_typed(|t: Tensor| -> Result<Tensor> { Ok(t) });
    let back: Tensor = echo.call_tuple_with_len::<1, _>((&tensor,)).unwrap().try_into().unwrap();
    c.equal("the same memory", back.data_as_slice::<f32>().unwrap()[5], 1.5);
    c.check("the wrong type is refused", tensor.data_as_slice::<i64>().is_err());
    c.equal("a data type by name", DLDataType::try_from_str("float32").unwrap(), float32);
    c.equal(
        "and its name",
        DLDataType::new(DLDataTypeCode::kDLUInt, 8, 4).to_string().as_str().to_owned(),
        "uint8x4".to_owned(),
    );
    c.check("an unknown one", DLDataType::try_from_str("complicated").is_err());
}

fn modules(c: &mut Checks) {
    let folder = std::env::var("CONFORMANCE_FIXTURES").unwrap();
    let module = Module::load_from_file(format!("{folder}/kernels.so")).unwrap();
    let add = module.get_function("add").unwrap();
    let sum: i64 = add.call_tuple_with_len::<2, _>((20i64, 22i64)).unwrap().try_into().unwrap();
    c.equal("a kernel", sum, 42);
    c.check("no kernel", module.get_function("no_such_kernel").is_err());
    let doc = module.get_function_doc("add", false).unwrap().unwrap();
    c.equal("its doc", doc.as_str(), "The sum of two integers.");
    c.check("a missing file", Module::load_from_file("/no/such/file.so").is_err());
}

fn main() {
    let mut c = Checks::new();
    for (area, run) in [
        ("objects", objects as fn(&mut Checks)),
        ("arrays", arrays),
        ("maps", maps),
        ("strings", strings),
        ("functions", functions),
        ("errors", errors),
        ("tensors", tensors),
        ("modules", modules),
    ] {
        c.enter(area);
        run(&mut c);
    }
    c.finish();
}
