//! Settings that have passed their check, and nothing else.

use std::ops::Deref;

/// Settings whose values and combinations are allowed.
///
/// Only the `check` method of a settings type makes one, and algorithms take nothing else, so no algorithm meets
/// a step size of NaN. Changing a value means going back to the settings: `checked.into_inner()`.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked<T>(T);

impl<T> Checked<T> {
    /// For `check` methods alone.
    pub(crate) fn vouched_for(settings: T) -> Self {
        Self(settings)
    }

    /// The settings, free to be changed and checked again.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
