//! A client's file, changed all at once or not at all, with what it held kept beside it.

use std::fmt;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Names of backups and of new files that are tried.
const NAMES_TRIED: u32 = 100;

/// Why a client's file is left alone.
#[derive(Debug)]
pub enum SetupError {
    /// The environment does not say where the user is.
    NoHome,
    /// A file cannot be read or written.
    Failed(PathBuf, ErrorKind),
    /// The file is not in the form that the client reads; the text is to be pasted by hand.
    Unreadable(PathBuf, String),
}

impl fmt::Display for SetupError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => formatter.write_str("the environment does not say where your home directory is"),
            Self::Failed(path, kind) => write!(formatter, "{}: {kind}; nothing was changed", path.display()),
            Self::Unreadable(path, _) => write!(
                formatter,
                "{} is not in the form that was expected, so nothing was changed: add the text above by hand",
                path.display()
            ),
        }
    }
}

impl std::error::Error for SetupError {}

/// The text of a file; none when it is not there.
pub(super) fn read(path: &Path) -> Result<Option<String>, SetupError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SetupError::Failed(path.to_owned(), error.kind())),
    }
}

/// Replaces a file by a new one with `text`. Returns the backup of what it held, if it held anything.
pub(super) fn replace(path: &Path, text: &str) -> Result<Option<PathBuf>, SetupError> {
    // A link stays a link: what it points to is changed.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    replaced(&target, text).map_err(|error| SetupError::Failed(target, error.kind()))
}

fn replaced(target: &Path, text: &str) -> io::Result<Option<PathBuf>> {
    if let Some(directory) = target.parent() {
        fs::create_dir_all(directory)?;
    }
    let permissions = match fs::metadata(target) {
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let backup = match &permissions {
        Some(permissions) => Some(back_up(target, permissions)?),
        None => None,
    };
    let (new, file) = create(target, "new", permissions.as_ref())?;
    let written = write(file, text).and_then(|()| fs::rename(&new, target));
    if written.is_err() {
        // The failure itself is what is told.
        let _left_over = fs::remove_file(&new);
    }
    written.map(|()| backup)
}

fn back_up(target: &Path, permissions: &Permissions) -> io::Result<PathBuf> {
    let content = fs::read(target)?;
    let (path, mut file) = create(target, "backup", Some(permissions))?;
    file.write_all(&content)?;
    file.sync_all()?;
    Ok(path)
}

fn write(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// A new file beside `target`, never one that is there already.
fn create(target: &Path, what: &str, permissions: Option<&Permissions>) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    for number in 0..NAMES_TRIED {
        let number = if number == 0 { String::new() } else { format!("-{number}") };
        let path = target.with_file_name(format!("{name}.{what}{number}"));
        match private(&path) {
            Ok(file) => {
                if let Some(permissions) = permissions {
                    fs::set_permissions(&path, permissions.clone())?;
                }
                return Ok((path, file));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Client files hold tokens of other servers: nobody else reads a new one, not even for a moment.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
