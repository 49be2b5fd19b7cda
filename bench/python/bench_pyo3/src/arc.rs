//! The same operations on a native object of its own, which `Arc` counts. Python gets a new object for it each time.
use pyo3::prelude::*;
use std::sync::Arc;

struct Native {
    x: Option<Arc<Native>>,
    i: i64,
}

#[pyclass(frozen)]
#[derive(Clone)]
pub struct ArcNode(Arc<Native>);

#[pymethods]
impl ArcNode {
    #[getter]
    fn x(&self) -> Option<ArcNode> {
        self.0.x.clone().map(ArcNode)
    }

    #[getter]
    fn i(&self) -> i64 {
        self.0.i
    }
}

#[pyfunction]
fn make_arc(x: Option<&Bound<'_, ArcNode>>) -> ArcNode {
    ArcNode(Arc::new(Native { x: x.map(|x| x.get().0.clone()), i: 7 }))
}

#[pyfunction]
fn echo_arc(x: &Bound<'_, ArcNode>) -> ArcNode {
    ArcNode(x.get().0.clone())
}

#[pyfunction]
fn echo_released_arc(py: Python<'_>, x: &Bound<'_, ArcNode>) -> ArcNode {
    let native = x.get().0.clone();
    py.detach(|| ArcNode(native))
}

/// Calls f with 8 objects, n times.
#[pyfunction]
fn call8_arc(f: Bound<'_, PyAny>, o: Vec<Bound<'_, ArcNode>>, n: i64) -> PyResult<()> {
    let o: Vec<Arc<Native>> = o.iter().map(|each| each.get().0.clone()).collect();
    let new = |k: usize| ArcNode(o[k].clone());
    for _ in 0..n {
        f.call1((new(0), new(1), new(2), new(3), new(4), new(5), new(6), new(7)))?;
    }
    Ok(())
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<ArcNode>()?;
    m.add_function(wrap_pyfunction!(make_arc, m)?)?;
    m.add_function(wrap_pyfunction!(echo_arc, m)?)?;
    m.add_function(wrap_pyfunction!(echo_released_arc, m)?)?;
    m.add_function(wrap_pyfunction!(call8_arc, m)?)
}
