//! How long callers wait for long work.

/// How long an undoing is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoPatience {
    /// Until it is undone.
    Whole,
    /// Until it has begun: a large one goes on by itself.
    Begun,
}

/// How long an import waits for a store that is busy, which has no room in its log for example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportPatience {
    /// 15 minutes: nobody repeats it.
    #[default]
    Minutes,
    /// No attempt begins after 5 seconds, and each waits for its turn as long as a single write does: somebody waits for the
    /// answer, and can ask again.
    Seconds,
}
