//! Runs one check on files, without AFL++: `replay NAME FILE…`.

fn main() {
    let mut arguments = std::env::args().skip(1);
    let check = isolde_fuzz::check_or_exit(&arguments.next().unwrap_or_default());
    for file in arguments {
        println!("{file}");
        check(&std::fs::read(&file).unwrap_or_else(|fault| panic!("cannot read {file}: {fault}")));
    }
}
