//! The operations of ops.py on a class whose native object is the Python object itself: `a.x` is a reference to it.
use pyo3::prelude::*;

#[pyclass]
pub struct Node {
    #[pyo3(get, set)]
    x: Option<Py<Node>>,
    #[pyo3(get, set)]
    i: i64,
}

#[pyfunction]
fn make(x: Option<Py<Node>>) -> Node {
    Node { x, i: 7 }
}

#[pyfunction]
fn echo(x: Py<Node>) -> Py<Node> {
    x
}

#[pyfunction]
fn echo_released(py: Python<'_>, x: Py<Node>) -> Py<Node> {
    py.detach(|| x)
}

/// Calls f with 8 objects, n times.
#[pyfunction]
fn call8(f: Bound<'_, PyAny>, o: Vec<Bound<'_, Node>>, n: i64) -> PyResult<()> {
    for _ in 0..n {
        f.call1((&o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7]))?;
    }
    Ok(())
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Node>()?;
    m.add_function(wrap_pyfunction!(make, m)?)?;
    m.add_function(wrap_pyfunction!(echo, m)?)?;
    m.add_function(wrap_pyfunction!(echo_released, m)?)?;
    m.add_function(wrap_pyfunction!(call8, m)?)
}
