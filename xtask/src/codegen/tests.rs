//! The committed files are current, and every document fits its own version and no older one.

use apollo_compiler::ExecutableDocument;

use super::operation::Operation;
use super::reduce::reduce_for_all;
use super::sources::{VersionedSchema, operations, schemas};

#[test]
fn the_generated_files_are_current() {
    super::check().unwrap();
}

#[test]
fn every_document_fits_its_version_and_the_next_richer_one_is_refused_there() {
    let schemas = schemas().unwrap();
    let newest = schemas.last().unwrap();
    for source in operations().unwrap() {
        let operation = Operation::parse(&source, newest).unwrap();
        let reductions = reduce_for_all(&operation, &schemas).unwrap();
        let texts: Vec<_> = reductions.iter().map(|reduction| reduction.text.clone()).collect();
        for (index, schema) in schemas.iter().enumerate() {
            let Some(text) = &texts[index] else { continue };
            assert!(accepts(schema, text), "{} is refused by {}", source.name, schema.version);
            let richer = texts[index..].iter().flatten().find(|other| *other != text);
            if let Some(richer) = richer {
                assert!(
                    !accepts(schema, richer),
                    "{} of later is accepted by {}",
                    source.name,
                    schema.version
                );
            }
        }
    }
}

#[test]
fn an_operation_that_an_old_version_cannot_answer_has_no_document_there() {
    let schemas = schemas().unwrap();
    let absent_on_the_oldest: Vec<_> = operations()
        .unwrap()
        .iter()
        .filter(|source| {
            let operation = Operation::parse(source, schemas.last().unwrap()).unwrap();
            reduce_for_all(&operation, &schemas).unwrap()[0].text.is_none()
        })
        .map(|source| source.name.clone())
        .collect();
    assert_eq!(
        absent_on_the_oldest,
        ["catalog_consumer", "catalog_page", "foundational_agents", "get_session", "session_project"]
    );
}

#[test]
fn no_document_carries_what_is_never_sent() {
    let schemas = schemas().unwrap();
    for source in operations().unwrap() {
        let operation = Operation::parse(&source, schemas.last().unwrap()).unwrap();
        for reduction in reduce_for_all(&operation, &schemas).unwrap() {
            let text = reduction.text.unwrap_or_default();
            for banned in ["gl_introduced", "__", "#", "@", "...", "\n"] {
                assert!(!text.contains(banned), "{}: {banned:?} in {text}", source.name);
            }
        }
    }
}

fn accepts(schema: &VersionedSchema, text: &str) -> bool {
    ExecutableDocument::parse_and_validate(&schema.schema, text, "document.graphql").is_ok()
}
