//! What a session created.

use serde::Serialize;

use crate::model::session::{Created, CreatedMergeRequest, CreatedNote, CreatedWorkItem, Links};
use crate::rules::limits::{CREATED_ITEMS, LINK_CHARS, NOTE_CHARS, TITLE_CHARS};
use crate::view::text::{Pen, TextField};

/// What a session created; each kind null when this instance cannot tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CreatedView {
    /// Merge requests.
    pub merge_requests: Option<LinksView>,
    /// Work items.
    pub work_items: Option<LinksView>,
    /// Notes.
    pub notes: Option<LinksView>,
}

/// Objects of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LinksView {
    /// At most 20 of those that the caller may see.
    pub items: Vec<CreatedItemView>,
    /// Whether there are more; null when GitLab did not say.
    pub has_more: Option<bool>,
    /// Those that the caller may not see.
    pub hidden: usize,
}

/// One created object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CreatedItemView {
    /// Its number within the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iid: Option<String>,
    /// The title of a merge request or work item, the text of a note.
    #[serde(flatten)]
    pub text: TextField,
    /// Its state.
    #[serde(flatten)]
    pub state: TextField,
    /// Its page.
    #[serde(flatten)]
    pub web_url: TextField,
}

impl CreatedView {
    /// The bounded view.
    pub fn of(created: &Created, pen: &mut Pen) -> Self {
        Self {
            merge_requests: created
                .merge_requests
                .as_ref()
                .map(|links| links_view(links, pen, merge_request)),
            work_items: created.work_items.as_ref().map(|links| links_view(links, pen, work_item)),
            notes: created.notes.as_ref().map(|links| links_view(links, pen, note)),
        }
    }
}

fn links_view<T>(
    links: &Links<T>,
    pen: &mut Pen,
    view: impl Fn(&T, &mut Pen) -> CreatedItemView,
) -> LinksView {
    let has_more = if links.items.len() > CREATED_ITEMS { Some(true) } else { links.has_more };
    let items = links.items.iter().take(CREATED_ITEMS).map(|item| view(item, pen)).collect();
    LinksView { items, has_more, hidden: links.hidden }
}

fn merge_request(item: &CreatedMergeRequest, pen: &mut Pen) -> CreatedItemView {
    CreatedItemView {
        iid: item.iid.map(|iid| iid.to_string()),
        text: pen.text("title", item.title.as_deref(), TITLE_CHARS),
        state: pen.text("state", item.state.as_deref(), TITLE_CHARS),
        web_url: pen.text("web_url", item.web_url.as_deref(), LINK_CHARS),
    }
}

fn work_item(item: &CreatedWorkItem, pen: &mut Pen) -> CreatedItemView {
    CreatedItemView {
        iid: item.iid.map(|iid| iid.to_string()),
        text: pen.text("title", item.title.as_deref(), TITLE_CHARS),
        state: pen.text("state", item.state.as_deref(), TITLE_CHARS),
        web_url: pen.text("web_url", item.web_url.as_deref(), LINK_CHARS),
    }
}

fn note(item: &CreatedNote, pen: &mut Pen) -> CreatedItemView {
    CreatedItemView {
        iid: None,
        text: pen.text("body", item.body.as_deref(), NOTE_CHARS),
        state: pen.text("state", None, 0).or_left_out(),
        web_url: pen.text("web_url", item.url.as_deref(), LINK_CHARS),
    }
}
