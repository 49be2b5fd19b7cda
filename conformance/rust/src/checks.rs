//! Counts checks, and prints each that fails with its area.

use std::fmt::Debug;

pub struct Checks {
    area: &'static str,
    passed: usize,
    failed: usize,
}

impl Checks {
    pub fn new() -> Self {
        Checks { area: "", passed: 0, failed: 0 }
    }

    pub fn enter(&mut self, area: &'static str) {
        self.area = area;
    }

    pub fn check(&mut self, what: &str, ok: bool) {
        if ok {
            self.passed += 1;
        } else {
            self.failed += 1;
            eprintln!("  FAIL {}: {what}", self.area);
        }
    }

    pub fn equal<T: PartialEq + Debug>(&mut self, what: &str, got: T, want: T) {
        let ok = got == want;
        if !ok {
            eprintln!("    got {got:?}, want {want:?}");
        }
        self.check(what, ok);
    }

    pub fn finish(self) {
        println!("{} passed, {} failed", self.passed, self.failed);
        std::process::exit(if self.failed == 0 && self.passed > 0 { 0 } else { 1 });
    }
}
