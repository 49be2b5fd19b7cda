//! The classes that declared.py makes of the declarations in Python.
use pyo3::prelude::*;

#[pyclass]
pub struct One {
    #[pyo3(get, set)]
    x: i64,
}

#[pymethods]
impl One {
    #[new]
    fn new(x: i64) -> Self {
        One { x }
    }
}

#[pyclass(get_all)]
pub struct Eight {
    a: i64,
    b: i64,
    c: f64,
    d: f64,
    e: String,
    f: bool,
    g: Py<PyAny>,
    h: Vec<i64>,
}

#[pymethods]
impl Eight {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(a: i64, b: i64, c: f64, d: f64, e: String, f: bool, g: Py<PyAny>, h: Vec<i64>) -> Self {
        Eight { a, b, c, d, e, f, g, h }
    }
}

#[pyclass]
pub struct Ints {
    #[pyo3(get)]
    values: Vec<i64>,
}

#[pymethods]
impl Ints {
    #[new]
    fn new(values: Vec<i64>) -> Self {
        Ints { values }
    }
}
