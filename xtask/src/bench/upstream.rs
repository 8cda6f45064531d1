//! A GitLab that costs next to nothing: what the fake GitLab answered once is answered again from memory. It counts
//! requests and connections, and waits before each answer when told to.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::rows;

/// What the threads of all connections share.
#[derive(Default)]
struct Shared {
    /// Address of the GitLab that is asked when nothing is remembered.
    source: String,
    /// Whole answers, by method, path and body of their request.
    answers: Mutex<HashMap<String, Arc<Vec<u8>>>>,
    last: Mutex<Option<Arc<Vec<u8>>>>,
    requests: AtomicU64,
    connections: AtomicU64,
    delay_ms: AtomicU64,
    /// Rows that a list is given while it is recorded; 0 leaves it as it is.
    rows: AtomicU64,
}

/// The running upstream; its threads end with the process.
pub(super) struct Upstream {
    shared: Arc<Shared>,
    pub(super) url: String,
}

/// How often the upstream was used.
#[derive(Clone, Copy)]
pub(super) struct Used {
    pub(super) requests: u64,
    pub(super) connections: u64,
}

struct Request {
    line: String,
    headers: Vec<String>,
    body: Vec<u8>,
}

impl Upstream {
    /// Begins to listen. `source`: host and port of the GitLab whose answers are remembered.
    pub(super) fn start(source: &str) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let shared = Arc::new(Shared { source: source.to_owned(), ..Shared::default() });
        let all = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                all.connections.fetch_add(1, Ordering::Relaxed);
                let shared = Arc::clone(&all);
                // A connection that breaks is its client's to notice.
                std::thread::spawn(move || shared.serve(stream).ok());
            }
        });
        Ok(Self { shared, url })
    }

    pub(super) fn used(&self) -> Used {
        Used {
            requests: self.shared.requests.load(Ordering::Relaxed),
            connections: self.shared.connections.load(Ordering::Relaxed),
        }
    }

    pub(super) fn wait_before_answers(&self, delay: Duration) {
        let delay = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
        self.shared.delay_ms.store(delay, Ordering::Relaxed);
    }

    /// Lists get this many rows from now on: what GitLab said of them before is forgotten.
    pub(super) fn fill_lists(&self, rows: u64) {
        self.shared.rows.store(rows, Ordering::Relaxed);
        lock(&self.shared.answers).retain(|request, _| !request.starts_with("POST"));
    }

    /// Answers a GET of `path` with what was recorded last.
    pub(super) fn give_last_at(&self, path: &str) -> Result<()> {
        let last = lock(&self.shared.last).clone().context("nothing is recorded")?;
        lock(&self.shared.answers).insert(format!("GET {path} HTTP/1.1\n"), last);
        Ok(())
    }
}

impl Shared {
    fn serve(&self, stream: TcpStream) -> Result<()> {
        stream.set_nodelay(true)?;
        let mut out = stream.try_clone()?;
        let mut input = BufReader::new(stream);
        while let Some(request) = read(&mut input)? {
            self.requests.fetch_add(1, Ordering::Relaxed);
            let answer = self.answer(&request)?;
            match self.delay_ms.load(Ordering::Relaxed) {
                0 => {}
                delay => std::thread::sleep(Duration::from_millis(delay)),
            }
            out.write_all(&answer)?;
        }
        Ok(())
    }

    fn answer(&self, request: &Request) -> Result<Arc<Vec<u8>>> {
        let key = format!("{}\n{}", request.line, String::from_utf8_lossy(&request.body));
        let known = lock(&self.answers).get(&key).cloned();
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = Arc::new(self.record(request)?);
        lock(&self.answers).insert(key, Arc::clone(&answer));
        *lock(&self.last) = Some(Arc::clone(&answer));
        Ok(answer)
    }

    fn record(&self, request: &Request) -> Result<Vec<u8>> {
        let mut source = TcpStream::connect(&self.source)?;
        write!(source, "{}\r\nhost: {}\r\nconnection: close\r\n", request.line, self.source)?;
        let own = ["host", "connection", "accept-encoding"];
        for header in request.headers.iter().filter(|header| !own.contains(&name(header).as_str())) {
            write!(source, "{header}\r\n")?;
        }
        source.write_all(b"\r\n")?;
        source.write_all(&request.body)?;
        let mut input = BufReader::new(source);
        let mut answer = read(&mut input)?.context("the fake GitLab hangs up")?;
        let is_chunked = answer.headers.iter().any(|header| name(header) == "transfer-encoding");
        ensure!(!is_chunked, "the fake GitLab tells no length");
        rows::fill(&mut answer.body, self.rows.load(Ordering::Relaxed));
        let (line, length) = (&answer.line, answer.body.len());
        let head = format!("{line}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
        Ok([head.as_bytes(), &answer.body].concat())
    }
}

/// Reads a request or an answer; nothing when the other side has ended.
fn read(input: &mut impl BufRead) -> Result<Option<Request>> {
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let (mut headers, mut length) = (Vec::new(), 0);
    loop {
        let mut header = String::new();
        input.read_line(&mut header)?;
        let header = header.trim_end();
        if header.is_empty() {
            break;
        }
        if name(header) == "content-length" {
            length = header.split_once(':').and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(0);
        }
        headers.push(header.to_owned());
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(Request { line: line.trim_end().to_owned(), headers, body }))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn name(header: &str) -> String {
    header.split(':').next().unwrap_or_default().to_ascii_lowercase()
}
