//! How each shell spells the options that messages name.
//!
//! Messages and remarks of the library name an option by its key between backticks, alone or with a value:
//! `` `label_column` ``, `` `header=yes` ``. That is readable as it stands; a shell that prints a message passes it
//! through [`spelled`], which puts the shell's own spelling in place of each, and of settings with a value, such as
//! `` `network.dropout=0.2` ``.

use std::borrow::Cow;
use std::path::Path;

/// Who prints a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// The command: `--label-column`, `--header yes`.
    Command,
    /// Python: `label_column=`, `header='yes'`.
    Python,
}

/// Options that take a value.
const VALUES: &str = "config labels_per_class edges features labels nodes split header id_column label_column \
                      name_column graph_model source_column target_column weight_column weight_threshold label_kind \
                      columns";

/// Options that are given or not.
const FLAGS: [&str; 3] = ["allow_isolated", "no_ids", "overwrite"];

impl Shell {
    /// An option, with its value where there is one; `None` for any other text.
    fn option(self, text: &str) -> Option<String> {
        let (key, value) = text.split_once('=').map_or((text, None), |(key, value)| (key, Some(value)));
        let is_flag = FLAGS.contains(&key);
        let is_setting = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || "._".contains(c));
        if let Some(value) = value.filter(|_| key.contains('.') && is_setting(key)) {
            return Some(match self {
                Self::Command => format!("--set {key}={value}"),
                Self::Python => format!("settings={{'{key}': {value}}}"),
            });
        }
        if !is_flag && !VALUES.split(' ').any(|name| name == key) {
            return None;
        }
        Some(match (self, value) {
            (Self::Command, None) => format!("--{}", key.replace('_', "-")),
            (Self::Command, Some(value)) => format!("--{} {}", key.replace('_', "-"), quoted(value)),
            (Self::Python, None) if is_flag => format!("{key}=True"),
            (Self::Python, None) => format!("{key}="),
            (Self::Python, Some(value)) if value.parse::<f64>().is_ok() => format!("{key}={value}"),
            (Self::Python, Some(value)) => format!("{key}='{value}'"),
        })
    }
}

/// A path as a word of a command that can be pasted into a shell.
pub fn pasted(path: &Path) -> String {
    let text = path.display().to_string();
    if text.starts_with('-') { quoted(&format!("./{text}")) } else { quoted(&text) }
}

/// A text as a word of a command.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    // What a screen would escape is escaped for the shell.
    let hidden = |c: char| {
        c.is_control() || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(hidden) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let escaped = |c: char| match c {
        '\'' | '\\' => format!("\\{c}"),
        c if hidden(c) => c.to_string().bytes().map(|byte| format!("\\x{byte:02x}")).collect(),
        c => c.to_string(),
    };
    format!("$'{}'", text.chars().map(escaped).collect::<String>())
}

/// A message with the options as `shell` spells them.
pub fn spelled(text: &str, shell: Shell) -> Cow<'_, str> {
    if !text.contains('`') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        out += before;
        match after.split_once('`').and_then(|(inside, after)| Some((shell.option(inside)?, after))) {
            Some((option, after)) => {
                out += &option;
                rest = after;
            }
            None => {
                out.push('`');
                rest = after;
            }
        }
    }
    Cow::Owned(out + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shell_spells_options_its_own_way_and_all_else_stays() {
        let text =
            "`bgcn data fetch cora`: `label_column` names it, `header=no`, `source_column=1` or `allow_isolated`";
        let command = "`bgcn data fetch cora`: --label-column names it, --header no, --source-column 1 or \
                       --allow-isolated";
        let python = "`bgcn data fetch cora`: label_column= names it, header='no', source_column=1 or \
                      allow_isolated=True";
        assert_eq!(spelled(text, Shell::Command), command);
        assert_eq!(spelled(text, Shell::Python), python);
        for text in ["no options", "an odd ` alone", "`cora` and ``", "` `header", ""] {
            assert_eq!(spelled(text, Shell::Python), text);
        }
        assert_eq!(spelled("`x` `header`", Shell::Command), "`x` --header");
        assert_eq!(spelled("`columns=-the town's`", Shell::Command), r"--columns '-the town'\''s'");
        assert_eq!(spelled("try `network.dropout=0.2`", Shell::Command), "try --set network.dropout=0.2");
        assert_eq!(spelled("try `network.dropout=0.2`", Shell::Python), "try settings={'network.dropout': 0.2}");
    }

    #[test]
    fn a_shell_reads_a_pasted_path_back() {
        for name in [
            "runs/a+b-s0",
            "my run",
            "it's",
            "-x",
            "a b/-x",
            "$HOME `ls` \"!\" *",
            "tab\t'\\\u{1b}[0m",
            "Zoë",
            "#1",
            "~",
        ] {
            let word = pasted(Path::new(name));
            let echo = std::process::Command::new("bash").args(["-c", &format!("printf %s {word}")]).output().unwrap();
            let wanted = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
            assert_eq!(String::from_utf8(echo.stdout).unwrap(), wanted, "{word}");
            assert!(!word.chars().any(char::is_control) && !word.starts_with('-'));
        }
    }

    #[test]
    fn every_reading_option_has_a_spelling() {
        let options = crate::read::ReadOptions {
            header: crate::read::Header::Yes,
            id_column: Some(String::new()),
            label_column: Some(String::new()),
            name_column: Some(String::new()),
            source_column: Some(String::new()),
            target_column: Some(String::new()),
            weight_column: Some(String::new()),
            weight_threshold: Some(0.0),
            columns: vec![String::new()],
            no_ids: true,
            ..Default::default()
        };
        let serde_json::Value::Object(keys) = serde_json::to_value(options).unwrap() else { unreachable!() };
        assert_eq!(keys.len(), 12);
        assert!(keys.keys().all(|key| Shell::Command.option(key).is_some()), "{keys:?}");
    }
}
