//! The icon of this server: an image that needs no request, made for it.

/// A bubble that speaks, as a data URI: under 150 bytes, since every listed thing carries it.
pub(crate) const ICON: &str = "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%208%208'%3E%3Cpath%20d='M0%200h8v6H4L2%208V6H0z'/%3E%3C/svg%3E";
/// What it is.
pub(crate) const ICON_TYPE: &str = "image/svg+xml";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_a_small_picture_that_loads_nothing() {
        assert!(ICON.len() < 150, "{}", ICON.len());
        let picture = ICON.strip_prefix("data:image/svg+xml,").unwrap();
        let picture = picture.replace("%3C", "<").replace("%3E", ">").replace("%20", " ");
        assert!(
            picture.starts_with("<svg xmlns='http://www.w3.org/2000/svg' ") && picture.ends_with("</svg>")
        );
        // The name of the format is the only address in it.
        assert_eq!(picture.matches("http").count(), 1);
        let is_of_uri = |c: char| c.is_ascii_alphanumeric() || "-._~:/?[]@!$&'()*+,;=%".contains(c);
        assert!(ICON.chars().all(is_of_uri), "every client can read it as a URI");
    }
}
