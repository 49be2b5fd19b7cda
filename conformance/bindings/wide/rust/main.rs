//! The Go package in the folder above from Rust: numbers that i64 cannot hold are errors. Usage: selfsame-wide LIBRARY

// Requirement: D12

mod wide; // written by `selfsame-ffi bind --rust`

use tvm_ffi::{Any, AnyView, Function, Result};

/// Checks that a call failed with an error of a kind.
fn refused<T: std::fmt::Debug>(kind: &str, called: Result<T>) {
    match called {
        Ok(got) => panic!("expected a {kind}, got {got:?}"),
        Err(error) => assert_eq!(error.kind().as_str(), kind, "{}", error.message()),
    }
}

fn main() -> Result<()> {
    wide::load(&std::env::args().nth(1).expect("usage: selfsame-wide LIBRARY"))?;
    let beyond = (1u64 << 63) as i64;

    let sum = wide::Sum::new(7)?;
    assert_eq!(sum.total()?, 7);
    sum.set_total(i64::MAX)?;
    assert_eq!((sum.total()?, wide::echo(i64::MAX)?, wide::least(i64::MIN)?), (i64::MAX, i64::MAX, i64::MIN));
    refused("OverflowError", sum.set_total(-1));
    refused("OverflowError", sum.set_total(beyond));
    refused("OverflowError", wide::Sum::new(beyond).and_then(|made| made.total()));
    refused("OverflowError", wide::echo(beyond));
    refused("OverflowError", wide::sum(&[1, beyond]));
    assert_eq!(sum.total()?, i64::MAX);

    sum.fill()?;
    refused("TypeError", sum.total());
    refused("TypeError", wide::most(false));
    refused("TypeError", wide::most(true));
    refused("TypeError", wide::sum(&[i64::MAX, 1]));
    refused("TypeError", wide::listed(2).and_then(|numbers| numbers.get(2)));
    refused("TypeError", wide::keyed().and_then(|numbers| numbers.get(&"most".into())));
    refused("TypeError", wide::maybe());

    // The number itself is there: as BigInt, in an Any.
    let any: Any = Function::get_global("wide.most")?.call_packed(&[AnyView::from(&false)])?;
    let back: Any = Function::get_global("wide.echo")?.call_packed(&[AnyView::from(&any)])?;
    assert!(i64::try_from(back).is_err());
    println!("Rust: numbers beyond i64 are errors");
    Ok(())
}
