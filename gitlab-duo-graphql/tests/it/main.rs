//! The adapter against a GitLab that answers over real HTTP.

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod client;
#[cfg(test)]
mod connection;
#[cfg(test)]
mod fetched;
#[cfg(test)]
mod reads;
#[cfg(test)]
mod redirects;
#[cfg(test)]
mod setup;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod versions;
#[cfg(test)]
mod writes;
