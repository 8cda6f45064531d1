//! GitLab's scalars and enums as they come over the wire: never a reason to lose an answer.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

/// An id in any of GitLab's forms: `gid://gitlab/Class/1`, a number, or the text of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IdText(String);

/// A text of GitLab: a time, a member of an enum that may grow. Anything that is not a text is kept as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(String);

impl IdText {
    /// The global id of a record.
    pub(crate) fn global(class: &str, number: u64) -> Self {
        Self(format!("gid://gitlab/{class}/{number}"))
    }
}

macro_rules! lenient_text {
    ($name:ident) => {
        impl $name {
            /// The text as it came.
            pub(crate) fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(AnyText).map(Self)
            }
        }
    };
}

lenient_text!(IdText);
lenient_text!(Text);

/// Takes any JSON value; a list or an object becomes an empty text.
struct AnyText;

impl<'de> Visitor<'de> for AnyText {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text")
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<String, E> {
        Ok(value.to_owned())
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<String, E> {
        Ok(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    /// With its fraction, also when that is zero: such a number may have been rounded, and is no id.
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<String, E> {
        Ok(format!("{value:?}"))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_unit<E: de::Error>(self) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<String, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(String::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(String::new())
    }
}

/// GitLab's plain `ID` as an argument; for projects it is their full path.
pub(crate) type Id = String;

pub(crate) type AiCatalogItemConsumerId = IdText;
pub(crate) type AiCatalogItemVersionId = IdText;
pub(crate) type AiDuoWorkflowsWorkflowId = IdText;
pub(crate) type ProjectId = IdText;

pub(crate) type AiCatalogItemType = Text;
pub(crate) type AiCreditsDenialReason = Text;
pub(crate) type DuoWorkflowStatus = Text;
pub(crate) type DuoWorkflowMergeRequestLinkType = Text;
pub(crate) type DuoWorkflowNoteLinkType = Text;
pub(crate) type DuoWorkflowWorkItemLinkType = Text;
pub(crate) type DuoWorkflowStatusGroup = Text;
pub(crate) type MergeRequestState = Text;
pub(crate) type Time = Text;
pub(crate) type WorkItemState = Text;
pub(crate) type WorkflowEnvironment = Text;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_taken_in_every_form() {
        let rows = [
            (r#""gid://gitlab/Ai::DuoWorkflows::Workflow/73""#, "gid://gitlab/Ai::DuoWorkflows::Workflow/73"),
            ("73", "73"),
            (r#""73""#, "73"),
            ("9007199254740993", "9007199254740993"),
            ("18446744073709551615", "18446744073709551615"),
            ("-3", "-3"),
            ("4021.0", "4021.0"),
            ("7.3e1", "73.0"),
            ("true", "true"),
            (r#"{"id":[1,{"a":2}]}"#, ""),
            ("[1,2]", ""),
            ("null", ""),
        ];
        for (json, expected) in rows {
            assert_eq!(serde_json::from_str::<IdText>(json).unwrap().as_str(), expected, "{json}");
        }
        assert_eq!(serde_json::from_str::<Option<IdText>>("null").unwrap(), None);
    }

    #[test]
    fn a_global_id_is_sent_as_gitlab_writes_it() {
        let id = IdText::global("Project", 4021);
        assert_eq!(serde_json::to_string(&id).unwrap(), r#""gid://gitlab/Project/4021""#);
    }
}
