//! Temporary folders that hold patients' texts: nobody but their owner may look into them.

use tempfile::TempDir;

/// Gone with the value; a process that is killed leaves it, and the name says what it was for.
pub fn folder(purpose: &str) -> std::io::Result<TempDir> {
    let prefix = format!("waterjar-{purpose}-");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn nobody_else_may_look_into_it() {
        let folder = super::folder("test").unwrap();
        let mode = folder.path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert!(folder.path().file_name().unwrap().to_string_lossy().starts_with("waterjar-test-"));
    }
}
