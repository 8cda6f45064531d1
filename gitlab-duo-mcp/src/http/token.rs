//! The token that a request brings.

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use crate::limits::TOKEN_BYTES;

/// GitLab's own header for a token.
const PRIVATE_TOKEN: &str = "private-token";

/// Takes the token out of the headers, so that nothing behind this door can write it anywhere. None
/// when there is none: other schemes than `Bearer` bring no token of GitLab.
///
/// # Errors
/// A sentence when the headers bring more than one token, or one that cannot be sent on.
pub(super) fn take(headers: &mut HeaderMap) -> Result<Option<SecretString>, &'static str> {
    let bearers: Vec<_> = headers.get_all(AUTHORIZATION).iter().map(bearer).collect();
    let privates: Vec<_> =
        headers.get_all(PRIVATE_TOKEN).iter().map(|value| Some(value.as_bytes())).collect();
    let found = bearers.into_iter().chain(privates).flatten().map(readable).collect::<Result<Vec<_>, _>>();
    headers.remove(AUTHORIZATION);
    headers.remove(PRIVATE_TOKEN);
    let mut found = found?.into_iter();
    let Some(first) = found.next() else { return Ok(None) };
    if found.any(|other| other.expose_secret() != first.expose_secret()) {
        return Err(
            "this request brings more than one token: send one, as Authorization: Bearer or PRIVATE-TOKEN",
        );
    }
    Ok(Some(first))
}

fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
}

fn readable(token: &[u8]) -> Result<SecretString, &'static str> {
    let token = token.trim_ascii();
    let is_sendable =
        !token.is_empty() && token.len() <= TOKEN_BYTES && token.iter().all(u8::is_ascii_graphic);
    match str::from_utf8(token) {
        Ok(token) if is_sendable => Ok(SecretString::from(token)),
        _ => Err("the token of this request cannot be one of GitLab"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(rows: &[(&'static str, &str)]) -> Result<Option<String>, &'static str> {
        let mut headers = HeaderMap::new();
        for (name, value) in rows {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        let token = take(&mut headers);
        assert!(headers.is_empty(), "{rows:?}");
        token.map(|token| token.map(|token| token.expose_secret().to_owned()))
    }

    #[test]
    fn one_token_in_either_header_or_both() {
        let found: [&[(&'static str, &str)]; 6] = [
            &[("authorization", "Bearer glpat-one")],
            &[("authorization", "bearer  glpat-one ")],
            &[("private-token", "glpat-one")],
            &[("private-token", "glpat-one"), ("authorization", "Bearer glpat-one")],
            &[("private-token", "glpat-one"), ("authorization", "Basic dTpw")],
            &[("private-token", "glpat-one"), ("private-token", "glpat-one")],
        ];
        for rows in found {
            assert_eq!(taken(rows), Ok(Some("glpat-one".to_owned())), "{rows:?}");
        }
        assert_eq!(taken(&[]), Ok(None));
        assert_eq!(taken(&[("authorization", "Basic dTpw")]), Ok(None));
    }

    #[test]
    fn two_tokens_and_unreadable_ones_are_refused_without_repeating_them() {
        let long = "x".repeat(TOKEN_BYTES + 1);
        let refused: [&[(&'static str, &str)]; 5] = [
            &[("private-token", "glpat-one"), ("authorization", "Bearer glpat-two")],
            &[("authorization", "Bearer glpat-one"), ("authorization", "Bearer glpat-two")],
            &[("authorization", "Bearer ")],
            &[("private-token", "glpat one")],
            &[("private-token", &long)],
        ];
        for rows in refused {
            let why = taken(rows).unwrap_err();
            assert!(!why.contains("glpat"), "{rows:?}");
        }
    }
}
