//! Which instructions the kernels use, found once at run time, and how a kernel is compiled for each.

/// What a kernel is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Level {
    Portable,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// All levels of this architecture, worst first.
    const ALL: &[Self] = &[
        Self::Portable,
        #[cfg(target_arch = "aarch64")]
        Self::Neon,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512",
        }
    }

    /// The best level this processor has.
    fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt");
            match (avx2, has!("avx512f")) {
                (true, true) => Self::Avx512,
                (true, false) => Self::Avx2,
                _ => Self::Portable,
            }
        }
        // NEON is part of every aarch64.
        #[cfg(target_arch = "aarch64")]
        return Self::Neon;
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        Self::Portable
    }
}

/// The level in use: the one named by `BGCN_CPU` if this processor has it, else the best it has.
#[inline]
pub(super) fn level() -> Level {
    #[cfg(test)]
    if let Some(forced) = tests::FORCED.get() {
        return forced;
    }
    static LEVEL: std::sync::OnceLock<Level> = std::sync::OnceLock::new();
    *LEVEL.get_or_init(|| {
        let best = Level::best();
        let named = std::env::var_os("BGCN_CPU")
            .and_then(|word| Level::ALL.iter().copied().find(|level| word == level.name()))
            .unwrap_or(best);
        if named <= best { named } else { best }
    })
}

/// Proof that this processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The proof where the level in use has AVX2. Made nowhere else.
    pub(super) fn in_use() -> Option<Self> {
        (level() >= Level::Avx2).then_some(Self(()))
    }
}

/// The class of processor that results depend on: `portable`, `avx2`, `avx512` or `neon`.
///
/// The classes other than `portable` fuse multiplication and addition, so results of two classes can differ in the
/// last bits. The environment variable `BGCN_CPU` chooses a lower class than the best: `BGCN_CPU=portable` computes
/// the same on any processor. It is read once in a process; a class the processor lacks gives the best one it has,
/// and any other word has no effect.
pub fn class() -> &'static str {
    level().name()
}

/// a · b + c: fused where the function around it may use FMA, two operations elsewhere (a library call is 60 times
/// slower).
#[inline(always)]
pub(super) fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// `fn name<W, FMA>(arguments) { … }`: a function `name::<W>` that runs the body compiled for the best instruction set of
/// this processor; FMA says whether that one fuses.
macro_rules! dispatched {
    (
        $(#[$meta:meta])*
        fn $name:ident<$width:ident, $fma:ident>($($arg:ident: $type:ty),* $(,)?) $body:block
    ) => {
        $(#[$meta])*
        pub(super) fn $name<const $width: usize>($($arg: $type),*) {
            use $crate::kernels::cpu::{Level, level};
            #[inline(always)]
            fn body<const $width: usize, const $fma: bool>($($arg: $type),*) $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
            fn avx2<const $width: usize>($($arg: $type),*) {
                body::<$width, true>($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
            fn avx512<const $width: usize>($($arg: $type),*) {
                body::<$width, true>($($arg),*)
            }
            match level() {
                // SAFETY: `level` is Avx512 only where every feature the function enables was detected.
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => unsafe { avx512::<$width>($($arg),*) },
                // SAFETY: `level` is Avx2 only where every feature the function enables was detected.
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => unsafe { avx2::<$width>($($arg),*) },
                #[cfg(target_arch = "aarch64")]
                Level::Neon => body::<$width, true>($($arg),*),
                Level::Portable => body::<$width, false>($($arg),*),
            }
        }
    };
}

/// Calls `f::<W>(arguments)` for the block width W of a matrix with the given stride: 8, 16, 32, or 64 for all
/// multiples of it.
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
    use super::{Level, class, level};
    use std::process::Command;

    thread_local! {
        pub(in crate::kernels) static FORCED: std::cell::Cell<Option<Level>> = const { std::cell::Cell::new(None) };
    }

    /// Runs a check once for every level this processor has, the portable one included.
    pub(in crate::kernels) fn at_every_level<E>(mut check: impl FnMut() -> Result<(), E>) -> Result<(), E> {
        let best = Level::best();
        for &one in Level::ALL.iter().filter(|&&one| one <= best) {
            FORCED.set(Some(one));
            let checked = check();
            FORCED.set(None);
            checked?;
        }
        Ok(())
    }

    /// Runs the portable code.
    pub(in crate::kernels) fn portably<T>(work: impl FnOnce() -> T) -> T {
        FORCED.set(Some(Level::Portable));
        let done = work();
        FORCED.set(None);
        done
    }

    /// Whether the kernels fuse.
    fn fuses() -> bool {
        dispatched! {
            fn detected<W, FMA>(fused: &mut bool) { *fused = FMA; }
        }
        let mut fused = false;
        detected::<8>(&mut fused);
        fused
    }

    /// The variable is read once in a process, so each word is tried in another: this test, run again.
    #[test]
    fn the_environment_chooses_the_class() {
        const EXPECTED: &str = "BGCN_TEST_CLASS";
        if let Ok(expected) = std::env::var(EXPECTED) {
            assert_eq!(class(), expected);
            assert_eq!(fuses(), expected != "portable");
            return;
        }
        let best = Level::best();
        let mut cases = vec![("", best), ("avx9", best), ("AVX2", best), ("portable", Level::Portable)];
        cases.extend(Level::ALL.iter().map(|&one| (one.name(), if one <= best { one } else { best })));
        for (word, expected) in cases {
            let run = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "kernels::cpu::tests::the_environment_chooses_the_class"])
                .env("BGCN_CPU", word)
                .env(EXPECTED, expected.name())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&run.stdout);
            assert!(run.status.success() && said.contains("1 passed"), "BGCN_CPU={word}: {said}");
        }
    }

    #[test]
    fn the_class_is_that_of_the_level_in_use() {
        assert_eq!(class(), level().name());
        portably(|| assert_eq!((class(), fuses()), ("portable", false)));
    }
}
