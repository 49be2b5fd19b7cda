//! The library of odd.cc through the module that `selfsame-ffi bind --rust` writes. Usage: odd LIBRARY
mod odd;

fn main() -> tvm_ffi::Result<()> {
    odd::load(&std::env::args().nth(1).expect("usage: odd LIBRARY"))?;
    let base = odd::Base::make(5)?;
    assert_eq!((base.n()?, base.n_()?, base.sum(1)?), (5, 5, 6));
    assert_eq!((odd::Base_make()?, odd::plain_global()?, odd::fused_add_relu_1(4)?), (4, 1, 5));
    let dotted: i64 = odd::nn_conv2d_fast(&[])?.try_into()?;
    let word: i64 = odd::delete(&[])?.try_into()?;
    assert_eq!((dotted, word), (100, 400));
    let parsed = odd::Base::parse("five!")?;
    assert_eq!((parsed.n()?, parsed.root()?, odd::take(&parsed)?, parsed.n()?), (5, 2, -5, 5));
    let failed = odd::Base::parse("").err().expect("an empty text is refused");
    assert_eq!((failed.kind().as_str(), failed.message()), ("ValueError", "an empty text"));
    assert!(odd::maybe(0)?.is_none() && odd::maybe(1)?.is_some() && odd::maybe(-1).is_err());
    let keyed = odd::Keyed::new(2, "a title", 3, false)?;
    assert_eq!((keyed.width()?, keyed.height()?, keyed.func()?), (2, 3, false));
    println!("Rust: a library of unusual names and shapes");
    Ok(())
}
