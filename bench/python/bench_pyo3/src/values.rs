//! The work of bench/python/gocalls, in Rust: values that cross by copy, callbacks, iteration.
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashMap;

#[pyfunction]
fn add_one(n: i64) -> i64 {
    n + 1
}

#[pyfunction]
fn add_one_released(py: Python<'_>, n: i64) -> i64 {
    py.detach(|| n + 1)
}

#[pyfunction]
#[pyo3(signature = (width, height, depth=1))]
fn volume(width: i64, height: i64, depth: i64) -> i64 {
    width * height * depth
}

#[pyfunction]
fn sum_dict(d: HashMap<String, i64>) -> i64 {
    d.values().sum()
}

#[pyfunction]
fn copy_dict(d: HashMap<String, i64>) -> HashMap<String, i64> {
    d
}

#[pyfunction]
fn sum_ints(v: Vec<i64>) -> i64 {
    v.iter().sum()
}

#[pyfunction]
fn sum_floats(v: Vec<f64>) -> f64 {
    v.iter().sum()
}

/// A NumPy array, copied through the buffer protocol.
#[pyfunction]
fn sum_buffer(py: Python<'_>, v: PyBuffer<f64>) -> PyResult<f64> {
    Ok(v.to_vec(py)?.iter().sum())
}

#[pyfunction]
fn sum_texts(v: Vec<String>) -> usize {
    v.iter().map(|s| s.len()).sum()
}

#[pyfunction]
fn make_ints(n: i64) -> Vec<i64> {
    (0..n).collect()
}

/// With a copy of the bytes in Rust's memory, as Go makes one.
#[pyfunction]
fn size_of_copy(b: &[u8]) -> usize {
    std::hint::black_box(b.to_vec()).len()
}

/// Without a copy.
#[pyfunction]
fn size_of_lent(b: &[u8]) -> usize {
    b.len()
}

#[pyfunction]
fn make_bytes(py: Python<'_>, n: usize) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &vec![0u8; n])
}

/// Calls f with 0 to n - 1 and adds up what it returns.
#[pyfunction]
fn each(f: Bound<'_, PyAny>, n: i64) -> PyResult<i64> {
    let mut sum = 0;
    for i in 0..n {
        sum += f.call1((i,))?.extract::<i64>()?;
    }
    Ok(sum)
}

/// A native value in a Python object.
#[pyclass(frozen)]
pub struct Holder(HashMap<String, i64>);

#[pymethods]
impl Holder {
    #[new]
    fn new() -> Self {
        Holder(HashMap::from([("n".to_string(), 7)]))
    }
}

#[pyfunction]
fn read_value(h: &Bound<'_, Holder>) -> usize {
    h.get().0.len()
}

/// An iterator over 0 to n - 1.
#[pyclass]
pub struct Counter {
    next: i64,
    end: i64,
}

#[pymethods]
impl Counter {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<i64> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }
}

#[pyfunction]
fn count(n: i64) -> Counter {
    Counter { next: 0, end: n }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(add_one, m)?)?;
    m.add_function(wrap_pyfunction!(add_one_released, m)?)?;
    m.add_function(wrap_pyfunction!(volume, m)?)?;
    m.add_function(wrap_pyfunction!(sum_dict, m)?)?;
    m.add_function(wrap_pyfunction!(copy_dict, m)?)?;
    m.add_function(wrap_pyfunction!(sum_ints, m)?)?;
    m.add_function(wrap_pyfunction!(sum_floats, m)?)?;
    m.add_function(wrap_pyfunction!(sum_buffer, m)?)?;
    m.add_function(wrap_pyfunction!(sum_texts, m)?)?;
    m.add_function(wrap_pyfunction!(make_ints, m)?)?;
    m.add_function(wrap_pyfunction!(size_of_copy, m)?)?;
    m.add_function(wrap_pyfunction!(size_of_lent, m)?)?;
    m.add_function(wrap_pyfunction!(make_bytes, m)?)?;
    m.add_function(wrap_pyfunction!(each, m)?)?;
    m.add_function(wrap_pyfunction!(read_value, m)?)?;
    m.add_function(wrap_pyfunction!(count, m)?)
}
