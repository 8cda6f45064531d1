//! Addresses of instances, names of projects, URLs of pages: what is understood is understood the same way again.

#![no_main]

use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::project::{ProjectPath, ProjectRef};
use gitlab_duo_core::model::target::TargetUrl;
use gitlab_duo_fuzz::instance;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for plain_http in [PlainHttp::LoopbackOnly, PlainHttp::Allowed] {
        if let Ok(url) = InstanceUrl::parse(text, plain_http) {
            let base = url.as_str();
            assert!(base.starts_with("https://") || base.starts_with("http://"), "{base}");
            assert!(!base.contains(['@', '?', '#', ' ']) && !base.ends_with('/'), "{base}");
            assert_eq!(InstanceUrl::parse(base, plain_http), Ok(url.clone()));
        }
    }
    let url = instance().url;
    if let Ok(project) = ProjectRef::parse(text, &url) {
        assert_eq!(ProjectRef::parse(&project.to_string(), &url), Ok(project.clone()));
        if let ProjectRef::Path(path) = &project {
            check_path(path);
        }
    }
    if let Ok(target) = TargetUrl::parse(text, &url) {
        check_path(&target.project);
        assert_eq!(TargetUrl::parse(&target.canonical(&url), &url), Ok(target));
    }
});

fn check_path(path: &ProjectPath) {
    let is_segment = |segment: &str| !matches!(segment, "" | "." | ".." | "-");
    assert!(path.as_str().split('/').all(is_segment), "{path}");
    assert!(!path.as_str().contains(['%', '?', '#', '@', ':', '\\', ' ']), "{path}");
}
