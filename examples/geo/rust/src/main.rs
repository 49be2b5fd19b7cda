//! The Go package examples/geo from Rust. Usage: selfsame-geo LIBRARY

// Requirement: D12

mod geo; // written by `selfsame-ffi bind --rust`

use tvm_ffi::{Any, Array, ObjectIdentity, ObjectRefCore, Result};

fn main() -> Result<()> {
    let library = std::env::args().nth(1).expect("usage: selfsame-geo LIBRARY");
    let missing = geo::load("/no/such/library.so").unwrap_err();
    assert!(missing.message().contains("/no/such/library.so"), "{}", missing.message());
    geo::load(&library)?;
    geo::load(&library)?;

    let p = geo::Point::new(3.0, 4.0)?;
    let q = geo::Point::new(0.0, 1.0)?;
    assert_eq!(p.norm()?, 5.0);
    p.set_x(-3.0)?;
    assert_eq!((p.x()?, p.y()?), (-3.0, 4.0));

    // The same object comes back.
    assert!(p.next()?.is_none());
    p.set_next(&Some(q.clone()))?;
    assert!(p.next()?.unwrap().same_as(&q));
    let nearest = geo::nearest(&Array::from_iter([p.clone(), q.clone()]))?;
    assert!(ObjectIdentity::of(&nearest) == ObjectIdentity::of(&q));
    assert!(geo::Point::try_from(Any::from(1i64)).is_err());

    // An error of Go.
    let error = geo::nearest(&Array::from_iter([])).err().expect("an error");
    assert_eq!((error.kind().as_str(), error.message()), ("ValueError", "nearest of no points"));
    println!("Rust: |p| = {}", p.norm()?);
    Ok(())
}
