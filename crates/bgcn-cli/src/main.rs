//! The `bgcn` command.

fn main() -> std::process::ExitCode {
    bgcn_cli::main_with(std::env::args_os())
}
