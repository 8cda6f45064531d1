//! The typed structs of an operation, by `graphql_client_codegen`, against a scratch copy of the newest schema.
//!
//! In the copy every output field may be null, whatever GitLab promises: one null never spoils an answer. Interfaces
//! become objects, since no operation has fragments, and ids are one lenient type.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, anyhow};
use apollo_compiler::ast::{
    Definition, Document, FieldDefinition, ObjectTypeDefinition, OperationType, Selection, Type,
};
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Node, Schema};
use graphql_client_codegen::normalization::Normalization;
use graphql_client_codegen::{
    CodegenMode, GraphQLClientCodegenOptions, generate_module_token_stream_from_string,
};

use super::operation::Operation;
use super::reduce::document_text;
use super::sources::VersionedSchema;

/// The scalar that stands for `ID` in outputs.
const OUTPUT_ID: &str = "IdText";

/// Two generators in one process must not share a scratch file: the library remembers schemas by their path.
static SCRATCH_FILES: AtomicU32 = AtomicU32::new(0);

/// What is generated for one operation.
pub(crate) struct Types {
    pub(crate) items: syn::File,
    /// Enums that stand in the types; hand-written in `crate::scalars`.
    pub(crate) enums: BTreeSet<String>,
    /// A variable is of GitLab's plain `ID`.
    pub(crate) takes_plain_id: bool,
}

/// Holds the scratch schema while operations are generated.
pub(crate) struct Generator<'a> {
    newest: &'a VersionedSchema,
    scratch: PathBuf,
}

impl<'a> Generator<'a> {
    /// Writes the scratch copy of `newest`.
    pub(crate) fn new(newest: &'a VersionedSchema) -> Result<Self> {
        let number = SCRATCH_FILES.fetch_add(1, Ordering::Relaxed);
        let name = format!("gitlab-duo-codegen-{}-{number}.graphql", std::process::id());
        let scratch = std::env::temp_dir().join(name);
        fs::write(&scratch, lenient(&newest.sdl)?)
            .with_context(|| format!("{} cannot be written", scratch.display()))?;
        Ok(Self { newest, scratch })
    }

    /// The types of one operation.
    pub(crate) fn generate(&self, operation: &Operation) -> Result<Types> {
        let text = document_text(&operation.definition);
        let tokens = generate_module_token_stream_from_string(&text, &self.scratch, self.options()?)
            .map_err(|error| anyhow!("{}: no types: {error}", operation.name))?;
        let items = syn::parse2(tokens).with_context(|| format!("{}: no valid types", operation.name))?;
        let variables = operation.definition.variables.iter();
        let takes_plain_id = variables.clone().any(|variable| variable.ty.inner_named_type() == "ID");
        Ok(Types { items, enums: self.enums_of(operation), takes_plain_id })
    }

    fn options(&self) -> Result<GraphQLClientCodegenOptions> {
        let mut options = GraphQLClientCodegenOptions::new(CodegenMode::Cli);
        options.set_module_visibility(syn::parse_str("pub(crate)")?);
        options.set_response_derives("Debug,Clone,PartialEq".to_owned());
        options.set_variables_derives("Debug,Clone,PartialEq".to_owned());
        options.set_custom_scalars_module(syn::parse_str("crate::scalars")?);
        options.set_extern_enums(self.all_enums());
        options.set_skip_serializing_none(true);
        options.set_normalization(Normalization::Rust);
        Ok(options)
    }

    fn all_enums(&self) -> Vec<String> {
        let types = self.newest.schema.types.iter();
        types.filter(|(_, kind)| kind.is_enum()).map(|(name, _)| name.to_string()).collect()
    }

    fn enums_of(&self, operation: &Operation) -> BTreeSet<String> {
        let schema = &self.newest.schema;
        let mut names: BTreeSet<&Name> = BTreeSet::new();
        names.extend(operation.definition.variables.iter().map(|variable| variable.ty.inner_named_type()));
        if let Some(root) = schema.root_operation(OperationType::Query) {
            leaf_types(schema, &operation.definition.selection_set, root, &mut names);
        }
        let is_enum = |name: &&Name| matches!(schema.types.get(*name), Some(ExtendedType::Enum(_)));
        names.into_iter().filter(is_enum).map(ToString::to_string).collect()
    }
}

impl Drop for Generator<'_> {
    fn drop(&mut self) {
        // A scratch file that stays behind in the temporary directory does no harm.
        let _ = fs::remove_file(&self.scratch);
    }
}

fn leaf_types<'a>(
    schema: &'a Schema,
    selections: &[Selection],
    parent: &str,
    names: &mut BTreeSet<&'a Name>,
) {
    for field in selections.iter().filter_map(Selection::as_field) {
        let Ok(definition) = schema.type_field(parent, &field.name) else { continue };
        let inner = definition.ty.inner_named_type();
        names.insert(inner);
        leaf_types(schema, &field.selection_set, inner, names);
    }
}

/// The schema with nothing required in what comes out.
fn lenient(sdl: &str) -> Result<String> {
    let mut document =
        Document::parse(sdl, "newest.graphql").map_err(|invalid| anyhow!("{}", invalid.errors))?;
    for definition in &mut document.definitions {
        match definition {
            Definition::ObjectTypeDefinition(object) => {
                let object = object.make_mut();
                object.implements_interfaces.clear();
                make_optional(&mut object.fields)?;
            }
            Definition::InterfaceTypeDefinition(interface) => {
                let interface = interface.make_mut();
                make_optional(&mut interface.fields)?;
                *definition = Definition::ObjectTypeDefinition(Node::new(ObjectTypeDefinition {
                    description: None,
                    name: interface.name.clone(),
                    implements_interfaces: Vec::new(),
                    directives: interface.directives.clone(),
                    fields: interface.fields.clone(),
                }));
            }
            _ => {}
        }
    }
    Ok(format!("{document}\nscalar {OUTPUT_ID}\n"))
}

fn make_optional(fields: &mut [Node<FieldDefinition>]) -> Result<()> {
    for field in fields {
        let field = field.make_mut();
        field.ty = optional(&field.ty)?;
        // The library would mark the generated field as deprecated.
        field.directives.0.clear();
    }
    Ok(())
}

fn optional(ty: &Type) -> Result<Type> {
    Ok(match ty {
        Type::Named(name) | Type::NonNullNamed(name) if name == "ID" => Type::Named(Name::new(OUTPUT_ID)?),
        Type::Named(name) | Type::NonNullNamed(name) => Type::Named(name.clone()),
        Type::List(item) | Type::NonNullList(item) => Type::List(Box::new(optional(item)?)),
    })
}
