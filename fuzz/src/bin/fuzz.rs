//! Runs one check over and over, on the inputs that AFL++ chooses: `fuzz NAME`.

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let check = isolde_fuzz::check_or_exit(&name);
    afl::fuzz!(|bytes: &[u8]| check(bytes));
}
