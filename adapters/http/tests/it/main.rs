//! What the service answers, asked through small stand-ins of the areas.
