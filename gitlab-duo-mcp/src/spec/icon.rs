//! The icon of this server: an image that needs no request, made for it.

/// Two bubbles that speak, as a data URI: under 200 bytes, since every listed thing may carry it.
pub(crate) const ICON: &str = "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%208%208'%3E%3Cpath%20fill='%2375c'%20d='M0%200h6v4H3L1%206V4H0zM7%202h1v5H7v1L6%207H3V5h4z'/%3E%3C/svg%3E";
/// What it is.
pub(crate) const ICON_TYPE: &str = "image/svg+xml";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_a_small_picture_that_loads_nothing() {
        assert!(ICON.len() < 200, "{}", ICON.len());
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
