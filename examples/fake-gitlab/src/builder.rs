//! Building a fake GitLab before it starts to answer.

use crate::clock;
use crate::fault::Faults;
use crate::gitlab::FakeGitLab;
use crate::graphql::Schemas;
use crate::shared::Shared;
use crate::version::Version;
use crate::wire::{self, Log};
use crate::world::{World, demo};
use jiff::Timestamp;
use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// Settings of a [`FakeGitLab`] that cannot change while it runs.
#[derive(Clone, Debug)]
pub struct Builder {
    version: Version,
    subpath: String,
    port: u16,
    example_sessions: bool,
    schema_extension: Option<String>,
    community: bool,
    start: Timestamp,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            version: Version::parse("19.5.0-ee"),
            subpath: String::new(),
            port: 0,
            example_sessions: false,
            schema_extension: None,
            community: false,
            start: clock::start(),
        }
    }
}

impl FakeGitLab {
    /// Begins to build one.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// One with all defaults.
    ///
    /// # Errors
    ///
    /// When no port can be opened.
    pub async fn start() -> std::io::Result<Self> {
        Self::builder().start().await
    }
}

impl Builder {
    /// The version to report and to play; `19.5.0-ee` unless told otherwise.
    #[must_use]
    pub fn version(mut self, text: &str) -> Self {
        self.version = Version::parse(text);
        self
    }

    /// Plays another release than the version text says, for builds between two releases.
    #[must_use]
    pub fn playing(mut self, major: u32, minor: u32) -> Self {
        self.version = self.version.playing(major, minor);
        self
    }

    /// Serves below a path such as `/gitlab`, as relative-URL installations do.
    #[must_use]
    pub fn subpath(mut self, path: &str) -> Self {
        let path = path.trim_matches('/');
        self.subpath = if path.is_empty() { String::new() } else { format!("/{path}") };
        self
    }

    /// Listens on this port; 0, the default, takes a free one.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// The moment its clock starts at; `2026-10-20T09:24:40Z` unless told otherwise.
    #[must_use]
    pub fn starting_at(mut self, time: Timestamp) -> Self {
        self.start = time;
        self
    }

    /// Adds sessions in every status: numbers 730 to 749.
    #[must_use]
    pub fn with_example_sessions(mut self) -> Self {
        self.example_sessions = true;
        self
    }

    /// Adds definitions to the played GraphQL schema, as `extend enum DuoWorkflowStatus { NEW }`.
    #[must_use]
    pub fn extend_schema(mut self, sdl: &str) -> Self {
        self.schema_extension = Some(sdl.to_owned());
        self
    }

    /// Plays the community edition, which has nothing of Duo.
    #[must_use]
    pub fn community_edition(mut self) -> Self {
        self.community = true;
        self
    }

    /// Starts to listen on 127.0.0.1.
    ///
    /// # Errors
    ///
    /// When the port is taken, or a schema extension does not fit the played schema.
    pub async fn start(self) -> io::Result<FakeGitLab> {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await?;
        let url = format!("http://{}{}", listener.local_addr()?, self.subpath);
        let schemas = self.schemas().map_err(io::Error::other)?;
        let mut world = World::empty(self.version, self.start);
        world.base_url.clone_from(&url);
        world.settings.enterprise = !self.community;
        demo::furnish(&mut world);
        if self.example_sessions {
            demo::add_example_sessions(&mut world);
        }
        let shared = Arc::new(Shared {
            world: Mutex::new(world),
            log: Mutex::new(Log::default()),
            faults: Mutex::new(Faults::default()),
            connections: AtomicUsize::new(0),
            schemas,
            subpath: self.subpath,
        });
        let server = wire::serve(listener, Arc::clone(&shared));
        Ok(FakeGitLab::new(url, shared, server))
    }

    fn schemas(&self) -> Result<Arc<Schemas>, String> {
        if self.community {
            Schemas::community(&self.version)
        } else {
            Schemas::of(&self.version, self.schema_extension.as_deref())
        }
    }
}
