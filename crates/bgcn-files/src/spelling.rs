//! How each shell spells the options that messages name.
//!
//! Messages and remarks of the library name an option by its key between backticks, alone or with a value:
//! `` `label_column` ``, `` `header=yes` ``. That is readable as it stands; a shell that prints a message passes it
//! through [`spelled`], which puts the shell's own spelling in place of each.

use std::borrow::Cow;

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
                      source_column target_column weight_column weight_threshold label_kind columns";

/// Options that are given or not.
const FLAGS: [&str; 3] = ["allow_isolated", "no_ids", "overwrite"];

impl Shell {
    /// An option, with its value where there is one; `None` for any other text.
    fn option(self, text: &str) -> Option<String> {
        let (key, value) = text.split_once('=').map_or((text, None), |(key, value)| (key, Some(value)));
        let is_flag = FLAGS.contains(&key);
        if !is_flag && !VALUES.split(' ').any(|name| name == key) {
            return None;
        }
        Some(match (self, value) {
            (Self::Command, None) => format!("--{}", key.replace('_', "-")),
            (Self::Command, Some(value)) => format!("--{} {}", key.replace('_', "-"), in_shell(value)),
            (Self::Python, None) if is_flag => format!("{key}=True"),
            (Self::Python, None) => format!("{key}="),
            (Self::Python, Some(value)) if value.parse::<f64>().is_ok() => format!("{key}={value}"),
            (Self::Python, Some(value)) => format!("{key}='{value}'"),
        })
    }
}

/// A value as one word of a command.
fn in_shell(value: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || "_-.,:/+=%@".contains(c);
    if value.chars().all(plain) {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(format!("'{}'", value.replace('\'', "'\\''")))
    }
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
    }

    #[test]
    fn every_reading_option_has_a_spelling() {
        let options = crate::read::ReadOptions {
            header: crate::read::Header::Yes,
            id_column: Some(String::new()),
            label_column: Some(String::new()),
            source_column: Some(String::new()),
            target_column: Some(String::new()),
            weight_column: Some(String::new()),
            weight_threshold: Some(0.0),
            columns: vec![String::new()],
            no_ids: true,
            ..Default::default()
        };
        let serde_json::Value::Object(keys) = serde_json::to_value(options).unwrap() else { unreachable!() };
        assert_eq!(keys.len(), 11);
        assert!(keys.keys().all(|key| Shell::Command.option(key).is_some()), "{keys:?}");
    }
}
