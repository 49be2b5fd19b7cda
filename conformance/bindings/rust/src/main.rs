//! Static methods and callbacks through the modules that `selfsame-ffi bind --rust` writes, of a Go package and of a library in
//! C++ that knows nothing of this project, in a process without Python. Usage: selfsame-callbacks STEPS FIG

// Requirement: D12

mod fig;
mod steps;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;

use tvm_ffi::{Array, Error, Function, Result, VALUE_ERROR};

fn go_package() -> Result<()> {
    let counter = steps::Counter::of_text("four")?;
    assert_eq!(counter.count()?, 4);
    let sum = Arc::new(AtomicI64::new(0));
    let seen = sum.clone();
    let odd = Function::from_typed(move |i: i64| -> Result<bool> {
        seen.fetch_add(i, Ordering::Relaxed);
        Ok(i % 2 == 1)
    });
    assert_eq!(counter.each(&odd)?, 2);
    assert_eq!(sum.load(Ordering::Relaxed), 6);

    // An error of Rust goes through Go and comes back with its kind.
    let fails = Function::from_typed(|i: i64| -> Result<bool> { Err(Error::new(VALUE_ERROR, &format!("no {i}"), "")) });
    let error = counter.each(&fails).err().expect("an error");
    assert_eq!((error.kind().as_str(), error.message()), ("ValueError", "no 0"));

    // A func of Go is a function of Rust.
    let add = steps::adder(2)?;
    assert_eq!(i64::try_from(add.call_tuple((3i64,))?)?, 5);
    Ok(())
}

fn library() -> Result<()> {
    let unit = fig::Circle::unit()?;
    assert_eq!(unit.radius()?, 1.0);
    let group = fig::group(&Array::from_iter([fig::Figure::new("first")?, fig::Figure::new("second")?]))?;
    let visit = Function::from_typed(|figure: fig::Figure, i: i64| -> Result<i64> {
        Ok(figure.label()?.len() as i64 + i)
    });
    assert_eq!(group.each(&visit)?, 12);
    Ok(())
}

fn main() -> Result<()> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    assert_eq!(paths.len(), 2, "usage: selfsame-callbacks STEPS FIG");
    steps::load(&paths[0])?;
    fig::load(&paths[1])?;
    go_package()?;
    library()?;
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the files of the process");
    assert!(!maps.contains("python"), "{maps}");
    println!("Rust: static methods and callbacks, without Python");
    Ok(())
}
