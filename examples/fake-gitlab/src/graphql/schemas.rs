//! The schemas of seven releases, each parsed at most once.

use crate::version::Version;
use apollo_compiler::Schema;
use apollo_compiler::validation::Valid;
use std::sync::{Arc, OnceLock};

/// Release and schema text, oldest first.
const TEXTS: [((u32, u32), &str); 7] = [
    ((17, 3), include_str!("../../schema/gitlab-17.3.graphql")),
    ((18, 5), include_str!("../../schema/gitlab-18.5.graphql")),
    ((18, 7), include_str!("../../schema/gitlab-18.7.graphql")),
    ((18, 9), include_str!("../../schema/gitlab-18.9.graphql")),
    ((19, 3), include_str!("../../schema/gitlab-19.3.graphql")),
    ((19, 4), include_str!("../../schema/gitlab-19.4.graphql")),
    ((19, 5), include_str!("../../schema/gitlab-19.5.graphql")),
];

static PARSED: [OnceLock<Result<Arc<Schemas>, String>>; 7] = [const { OnceLock::new() }; 7];

/// Statuses of later releases, which answers may carry though the played schema has no name for them.
const LATER_STATUSES: &str = "\nextend enum DuoWorkflowStatus { IDLE COMPACTING }\n";

/// The played schema twice: as it is for checking, and lenient for answering.
pub(crate) struct Schemas {
    pub(super) strict: Valid<Schema>,
    /// Root lists of sessions may be null, as GitLab's answers show, and statuses of the future pass.
    pub(super) lenient: Valid<Schema>,
}

impl Schemas {
    /// The schema of the newest release not above the played one.
    pub(crate) fn of(version: &Version, extension: Option<&str>) -> Result<Arc<Self>, String> {
        let played = version.played();
        let index = TEXTS.iter().rposition(|(release, _)| *release <= played).unwrap_or(0);
        let (Some((_, text)), Some(cell)) = (TEXTS.get(index), PARSED.get(index)) else {
            return Err("no schema".to_owned());
        };
        match extension {
            Some(extension) => Self::parse(&format!("{text}\n{extension}\n")).map(Arc::new),
            None => cell.get_or_init(|| Self::parse(text).map(Arc::new)).clone(),
        }
    }

    /// The same without anything of Duo, as the community edition has it.
    pub(crate) fn community(version: &Version) -> Result<Arc<Self>, String> {
        let whole = Self::of(version, None)?;
        let mut schema = (*whole.strict).clone();
        for definition in schema.types.values_mut() {
            if let apollo_compiler::schema::ExtendedType::Object(object) = definition {
                let is_duo =
                    |name: &str| ["ai", "duo", "gitlabCredits"].iter().any(|start| name.starts_with(start));
                let is_root = matches!(
                    object.name.as_str(),
                    "Query" | "Project" | "Group" | "MergeRequest" | "Pipeline"
                );
                if is_root {
                    object.make_mut().fields.retain(|name, _| !is_duo(name));
                }
            }
        }
        let valid = schema.validate().map_err(|error| error.errors.to_string())?;
        Ok(Arc::new(Self { strict: valid.clone(), lenient: valid }))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let strict =
            Schema::parse_and_validate(text, "gitlab.graphql").map_err(|error| error.errors.to_string())?;
        let mut lenient = text
            .replace("): DuoWorkflowConnection!", "): DuoWorkflowConnection")
            .replace("): DuoWorkflowEventConnection!", "): DuoWorkflowEventConnection");
        if strict.get_enum("DuoWorkflowStatus").is_some_and(|known| !known.values.contains_key("IDLE")) {
            lenient.push_str(LATER_STATUSES);
        }
        let lenient = Schema::parse_and_validate(lenient, "gitlab.graphql")
            .map_err(|error| error.errors.to_string())?;
        Ok(Self { strict, lenient })
    }

    /// Whether the played version knows `@gl_introduced`.
    pub(super) fn knows_introduced(&self) -> bool {
        self.strict.directive_definitions.contains_key("gl_introduced")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_valid_and_chosen_by_version() {
        for (text, has_resume) in
            [("17.3", false), ("18.6", false), ("18.9", false), ("19.4", true), ("20.1", true)]
        {
            let schemas = Schemas::of(&Version::parse(text), None).unwrap();
            let permissions = schemas.strict.get_object("DuoWorkflowPermissions");
            let found = permissions.is_some_and(|object| object.fields.contains_key("resumeDuoWorkflow"));
            assert_eq!(found, has_resume, "{text}");
        }
        for (release, text) in TEXTS {
            assert!(Schemas::parse(text).is_ok(), "{release:?}");
        }
    }

    #[test]
    fn the_community_edition_has_no_duo() {
        let schemas = Schemas::community(&Version::parse("19.5")).unwrap();
        assert!(schemas.strict.type_field("Query", "duoWorkflowWorkflows").is_err());
        assert!(schemas.strict.type_field("Query", "project").is_ok());
    }
}
