//! Which modules of its own crate a file names.

use std::collections::BTreeSet;

use syn::UseTree;
use syn::visit::{self, Visit};

/// The paths below `crate::` that a source text names outside of `#[cfg(test)]` modules, each as its segments.
pub(super) fn crate_paths(text: &str) -> BTreeSet<Vec<String>> {
    let Ok(file) = syn::parse_file(text) else { return BTreeSet::new() };
    let mut found = Found::default();
    found.visit_file(&file);
    found.paths
}

#[derive(Default)]
struct Found {
    paths: BTreeSet<Vec<String>>,
}

impl Visit<'_> for Found {
    fn visit_item_mod(&mut self, module: &syn::ItemMod) {
        let is_test = |attribute: &syn::Attribute| {
            attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
        };
        if !module.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        if let UseTree::Path(path) = &item.tree
            && path.ident == "crate"
        {
            self.add(&path.tree, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [first, rest @ ..] = segments.as_slice()
            && first == "crate"
        {
            self.paths.insert(rest.to_vec());
        }
        visit::visit_path(self, path);
    }
}

impl Found {
    fn add(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add(&path.tree, before);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(tree, before)),
            UseTree::Name(name) => self.insert(before, &name.ident),
            UseTree::Rename(rename) => self.insert(before, &rename.ident),
            UseTree::Glob(_) => {
                self.paths.insert(before.clone());
            }
        }
    }

    fn insert(&mut self, before: &[String], name: &syn::Ident) {
        let mut path = before.to_vec();
        path.push(name.to_string());
        self.paths.insert(path);
    }
}
