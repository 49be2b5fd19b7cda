//! The peers of `make bench` that are written with PyO3.
mod arc;
mod nodes;
mod records;
mod values;

use pyo3::prelude::*;

#[pymodule]
fn pyo3_ext(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<records::One>()?;
    m.add_class::<records::Eight>()?;
    m.add_class::<records::Ints>()?;
    m.add_class::<values::Holder>()?;
    m.add_class::<values::Counter>()?;
    nodes::register(m)?;
    arc::register(m)?;
    values::register(m)
}
