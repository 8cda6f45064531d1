//! Pages outside of the API: a browser is sent to sign in, everything else is not found.

use super::answer::{Answer, Request};
use crate::world::World;

pub(crate) const NOT_FOUND: &str = "<!DOCTYPE html>\n<html>\n<head>\n  <title>The page could not be found or \
    you don't have permission to view it. (404)</title>\n</head>\n<body>\n  <h1>404: Page not found</h1>\n\
    </body>\n</html>\n";

pub(crate) const SIGN_IN: &str = "<!DOCTYPE html>\n<html>\n<head>\n  <title>Sign in · GitLab</title>\n\
    </head>\n<body>\n  <form action=\"/users/sign_in\" method=\"post\"></form>\n</body>\n</html>\n";

pub(crate) fn answer(world: &World, request: &Request) -> Answer {
    if request.path == "/users/sign_in" {
        return Answer::html(200, SIGN_IN);
    }
    if request.reads() && !request.path.starts_with("/api") {
        return Answer::html(302, "<html><body>You are being redirected.</body></html>")
            .with("location", &format!("{}/users/sign_in", world.base_url));
    }
    Answer::html(404, NOT_FOUND)
}
