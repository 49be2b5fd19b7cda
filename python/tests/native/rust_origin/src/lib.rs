//! A class and functions in Rust, with the published `tvm-ffi` crate, for the tests of identity.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Mutex;
use tvm_ffi::derive::{Object, ObjectRef};
use tvm_ffi::*;

static LIVE: AtomicI64 = AtomicI64::new(0);
static KEPT: Mutex<Kept> = Mutex::new(Kept(Vec::new()));

struct Kept(Vec<Any>);

// Counts of the objects in it are atomic; any thread may drop them.
unsafe impl Send for Kept {}

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

#[repr(C)]
#[derive(Object)]
#[type_key = "rust_origin.Node"]
#[type_register]
struct NodeObj {
    base: Object,
    value: i64,
    counted: Counted,
}

#[repr(C)]
#[derive(ObjectRef, Clone)]
struct Node {
    data: ObjectArc<NodeObj>,
}

fn make(value: i64) -> Node {
    LIVE.fetch_add(1, Ordering::SeqCst);
    Node { data: ObjectArc::new(NodeObj { base: Object::new(), value, counted: Counted }) }
}

fn register() -> Result<()> {
    Function::register_global(
        "rust_origin.live",
        Function::from_typed(|| -> Result<i64> { Ok(LIVE.load(Ordering::SeqCst)) }),
    )?;
    Function::register_global(
        "rust_origin.make",
        Function::from_typed(|value: i64| -> Result<Node> { Ok(make(value)) }),
    )?;
    Function::register_global(
        "rust_origin.value",
        Function::from_typed(|node: Node| -> Result<i64> { Ok(node.data.value) }),
    )?;
    Function::register_global(
        "rust_origin.echo",
        Function::from_packed(|args: &[AnyView]| -> Result<Any> { Ok(Any::from(args[0])) }),
    )?;
    Function::register_global(
        "rust_origin.keep",
        Function::from_packed(|args: &[AnyView]| -> Result<Any> {
            KEPT.lock().unwrap().0.push(Any::from(args[0]));
            Ok(Any::new())
        }),
    )?;
    Function::register_global(
        "rust_origin.kept",
        Function::from_typed(|index: i64| -> Result<Any> { Ok(KEPT.lock().unwrap().0[index as usize].clone()) }),
    )?;
    Function::register_global(
        "rust_origin.release",
        Function::from_typed(|| -> Result<()> {
            let dying = std::mem::take(&mut KEPT.lock().unwrap().0);
            drop(dying);
            Ok(())
        }),
    )
}

#[no_mangle]
pub extern "C" fn SelfsameExtensionInit() -> i32 {
    match register() {
        Ok(()) => 0,
        Err(_) => -1,
    }
}
