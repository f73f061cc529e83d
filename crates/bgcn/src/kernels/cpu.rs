//! Which instructions this processor has, found out once at run time, and how a kernel is compiled for each.

/// The instruction sets the kernels choose between, best first, as they are named in `--version`.
///
/// Portable code needs none of them, so the list may be empty.
pub fn cpu_features() -> Vec<&'static str> {
    let mut found = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            found.push("avx512f");
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            found.push("avx2");
        }
        if std::arch::is_x86_feature_detected!("fma") {
            found.push("fma");
        }
    }
    #[cfg(target_arch = "aarch64")]
    found.push("neon");
    found
}

/// What a kernel is compiled for.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Level {
    Portable,
    Avx2,
    Avx512,
}

/// The best level this processor has.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn level() -> Level {
    #[cfg(test)]
    if let Some(forced) = tests::FORCED.get() {
        return forced;
    }
    static LEVEL: std::sync::OnceLock<Level> = std::sync::OnceLock::new();
    *LEVEL.get_or_init(|| {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt");
        match (avx2, has!("avx512f")) {
            (true, true) => Level::Avx512,
            (true, false) => Level::Avx2,
            _ => Level::Portable,
        }
    })
}

/// a · b + c: fused where the function around it may use FMA, two operations elsewhere (a library call is 60 times slower).
#[inline(always)]
pub(super) fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// `fn name / body(arguments)`: a function that calls `body::<W, FMA>`, an `#[inline(always)]` function, compiled for
/// the best instruction set of this processor.
macro_rules! dispatched {
    ($(#[$meta:meta])* fn $name:ident / $body:ident ($($arg:ident: $type:ty),* $(,)?)) => {
        $(#[$meta])*
        pub(super) fn $name<const W: usize>($($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                use $crate::kernels::cpu::{Level, level};
                #[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
                fn avx2<const W: usize>($($arg: $type),*) {
                    $body::<W, true>($($arg),*)
                }
                #[target_feature(enable = "avx512f,avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
                fn avx512<const W: usize>($($arg: $type),*) {
                    $body::<W, true>($($arg),*)
                }
                match level() {
                    // SAFETY: `level` is Avx512 only where every feature the function enables was detected.
                    Level::Avx512 => unsafe { avx512::<W>($($arg),*) },
                    // SAFETY: `level` is Avx2 only where every feature the function enables was detected.
                    Level::Avx2 => unsafe { avx2::<W>($($arg),*) },
                    Level::Portable => $body::<W, false>($($arg),*),
                }
            }
            // NEON is part of every aarch64, so its compiler fuses without being asked.
            #[cfg(not(target_arch = "x86_64"))]
            $body::<W, { cfg!(target_arch = "aarch64") }>($($arg),*)
        }
    };
}

/// Calls `f::<W>(arguments)` for the block width W of a matrix with the given stride: 8, 16, 32, or 64 for all multiples of it.
macro_rules! by_width {
    ($stride:expr, $f:ident($($arg:expr),* $(,)?)) => {
        match $stride {
            8 => $f::<8>($($arg),*),
            16 => $f::<16>($($arg),*),
            32 => $f::<32>($($arg),*),
            _ => $f::<64>($($arg),*),
        }
    };
}

pub(super) use {by_width, dispatched};

#[cfg(test)]
pub(super) mod tests {
    #[cfg(target_arch = "x86_64")]
    use super::{Level, level};

    #[cfg(target_arch = "x86_64")]
    thread_local! {
        pub(in crate::kernels) static FORCED: std::cell::Cell<Option<Level>> = const { std::cell::Cell::new(None) };
    }

    /// Runs a check once for every level this processor has, the portable one included.
    pub(in crate::kernels) fn at_every_level<E>(mut check: impl FnMut() -> Result<(), E>) -> Result<(), E> {
        #[cfg(target_arch = "x86_64")]
        {
            let best = level();
            for one in [Level::Portable, Level::Avx2, Level::Avx512].into_iter().filter(|&one| one <= best) {
                FORCED.set(Some(one));
                let checked = check();
                FORCED.set(None);
                checked?;
            }
            Ok(())
        }
        #[cfg(not(target_arch = "x86_64"))]
        check()
    }
}
