//! What an operator can switch: it may only narrow what GitLab allows.

/// What is left of the tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Neither browsing nor changing.
    Off,
    /// Browsing only.
    ReadOnly,
    /// Both.
    #[default]
    Full,
}

/// A named set of permissions, shared with other GitLab tools of the same operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it leaves of the tools.
    pub access: Access,
}

/// Every preset that is known.
pub const PRESETS: [Preset; 13] = [
    preset("developer", Access::Full),
    preset("senior-dev", Access::Full),
    preset("team-lead", Access::Full),
    preset("devops", Access::Full),
    preset("gitlab-com", Access::Full),
    preset("admin", Access::Full),
    preset("full-access", Access::Full),
    preset("readonly", Access::ReadOnly),
    preset("junior-dev", Access::Off),
    preset("pm", Access::Off),
    preset("code-reviewer", Access::Off),
    preset("ci", Access::Off),
    preset("security", Access::Off),
];

const fn preset(name: &'static str, access: Access) -> Preset {
    Preset { name, access }
}

impl Preset {
    /// The preset of this name; none for an unknown one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        PRESETS.into_iter().find(|preset| preset.name == name)
    }

    /// The names of the presets that leave `access`.
    pub fn names(access: Access) -> impl Iterator<Item = &'static str> {
        PRESETS.into_iter().filter(move |preset| preset.access == access).map(|preset| preset.name)
    }
}

/// A setting that narrows, for tables.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The setting.
    pub setting: &'static str,
    /// What it does.
    pub effect: &'static str,
}

/// Every setting that narrows. All of them hold together.
pub const POLICIES: [Policy; 6] = [
    policy("USE_DUO", "`false`: no tools at all"),
    policy(
        "GITLAB_READ_ONLY_MODE",
        "`true`: browsing stays, every write is gone from the list and refused by any name",
    ),
    policy(
        "GITLAB_ALLOWED_PROJECT_IDS",
        "numeric ids: nothing else is shown or touched; a single one is also the default project",
    ),
    policy("GITLAB_DUO_SCOPE", "a project or group path: as allowed projects, by path"),
    policy("GITLAB_DUO_SCOPE_SUBGROUPS", "`false`: projects of subgroups are left out of the scope"),
    policy(
        "GITLAB_DUO_PRESET",
        "a named set: all of it, browsing only, or off; an unknown name stops the start",
    ),
];

const fn policy(setting: &'static str, effect: &'static str) -> Policy {
    Policy { setting, effect }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrower_access_is_the_smaller_one() {
        assert_eq!([Access::Full, Access::Off, Access::ReadOnly].into_iter().min(), Some(Access::Off));
        assert_eq!(Access::default(), Access::Full);
    }

    #[test]
    fn every_preset_is_found_by_its_name_and_no_other_word_is_one() {
        for preset in PRESETS {
            assert_eq!(Preset::named(preset.name), Some(preset));
        }
        for word in ["", "Developer", "root", "read-only"] {
            assert_eq!(Preset::named(word), None, "{word:?}");
        }
    }
}
