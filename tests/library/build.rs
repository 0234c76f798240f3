//! Building tables through the library: requests that cannot be met, work that stops and continues,
//! and reports.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::corpus::checks::sealed;
use crate::support::folder;
use isolde::build::{
    Build, BuildError, BuildRequest, Completion, Contents, Estimate, Progress, Scope, Stage, Verification, WorkFolderError, merge,
};
use isolde::solve::Opening;
use isolde::table::{AnyTable, Coverage, Kind, MergeError, Unverified};
use isolde::{Cell, Control, Settings, Size};

const STRONG: Contents = Contents::Strong { checkpoint: Duration::ZERO };
const OPENING: Contents = Contents::Opening { depth: None };

fn request(files: usize, ranks: usize, contents: Contents, target: &Path) -> BuildRequest {
    let size = Size::new(files, ranks).unwrap();
    BuildRequest {
        size,
        contents,
        scope: Scope::All,
        tries: vec![],
        target: target.into(),
        replace: false,
        settings: Settings::default(),
    }
}

fn opening(first: usize, second: usize) -> Scope {
    Scope::Openings(vec![Opening { first: Cell::new(first), second: Cell::new(second) }])
}

fn build(request: BuildRequest) {
    let table = request.target.clone();
    let completion = Build::begin(request).unwrap().run(&Control::unlimited().into(), &|_| ()).unwrap();
    assert_eq!(completion, Completion::Finished { table });
}

#[test]
fn a_request_that_cannot_be_met_leaves_nothing_behind() {
    let folder = folder();
    let target = folder.path().join("x.isolde");
    let refused = |request: BuildRequest| Build::begin(request).unwrap_err();
    let fault = refused(request(9, 9, STRONG, &target));
    assert!(matches!(fault, BuildError::TooLarge { most: 50, .. }), "{fault}");
    let fault = refused(request(4, 4, Contents::Opening { depth: Some(15) }, &target));
    assert!(matches!(fault, BuildError::Depth { depth: 15, most: 14, .. }), "{fault}");
    for scope in [opening(3, 3), opening(2, 16), Scope::First(Cell::new(16))] {
        let fault = refused(BuildRequest { scope, ..request(4, 4, OPENING, &target) });
        assert!(matches!(fault, BuildError::Placement(_)) && fault.source().is_some(), "{fault}");
    }
    for line in ["4x4: a1 c2", "4x5: a1 c2 b3"] {
        let fault = refused(BuildRequest { tries: vec![line.parse().unwrap()], ..request(4, 4, OPENING, &target) });
        assert!(matches!(fault, BuildError::Try { .. }) && fault.to_string().contains("on 4x4"), "{fault}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(&target, "precious").unwrap();
    let fault = refused(request(3, 3, STRONG, &target));
    assert!(matches!(fault, BuildError::Folder(WorkFolderError::Exists { unfinished: None, .. })), "{fault}");
    assert!(!fault.to_string().contains("--"), "{fault}");
    assert_eq!(fs::read(&target).unwrap(), b"precious");
}

/// The work is stopped again and again, a little later each time, and ends with the bytes of
/// undisturbed work.
#[test]
fn stopped_work_continues_and_ends_with_the_same_bytes() {
    for (contents, stages) in [(STRONG, 3), (Contents::Opening { depth: Some(8) }, 2)] {
        let folder = folder();
        let (whole, parts) = (folder.path().join("whole.isolde"), folder.path().join("parts.isolde"));
        build(request(4, 4, contents, &whole));
        let (mut stops, seen) = (0, Mutex::new(Vec::new()));
        loop {
            let (control, reports) = (Arc::new(Control::unlimited()), Mutex::new(0));
            let report = |Progress { stage, done, total }| {
                assert!(done <= total, "{stage:?}: {done} of {total}");
                seen.lock().unwrap().push(std::mem::discriminant(&stage));
                let mut reports = reports.lock().unwrap();
                *reports += 1;
                if *reports > 3 * stops {
                    control.stop();
                }
            };
            let build = Build::begin(request(4, 4, contents, &parts)).unwrap();
            let unfinished = build.folder().to_path_buf();
            match build.run(&control, &report).unwrap() {
                Completion::Finished { table } => {
                    assert!(table == parts && !unfinished.exists());
                    break;
                }
                Completion::Stopped { folder } => assert!(folder == unfinished && unfinished.exists() && !parts.exists()),
            }
            stops += 1;
        }
        assert!(stops > 2, "only {stops} stops");
        let mut seen = seen.into_inner().unwrap();
        seen.dedup();
        assert!(seen.contains(&std::mem::discriminant(&Stage::Writing)) && seen.len() >= stages);
        assert!(fs::read(&whole).unwrap() == fs::read(&parts).unwrap());
    }
}

/// Unfinished work with a key that no position has, although all checksums are right: the table
/// that is made from it does not get its name. What was saved is kept until somebody deletes it.
#[test]
fn a_table_that_is_not_sound_does_not_get_its_name() {
    let folder = folder();
    let target = folder.path().join("x.isolde");
    let control = Arc::new(Control::unlimited());
    let stop_at_the_end = |progress: Progress| {
        if progress.stage == Stage::Writing {
            control.stop();
        }
    };
    let stopped = Build::begin(request(3, 4, STRONG, &target)).unwrap().run(&control, &stop_at_the_end).unwrap();
    let Completion::Stopped { folder: part } = stopped else { panic!("{stopped:?}") };
    let saved = ["manifest.json", "keys", "values"].map(|name| (name.to_string(), fs::read(part.join(name)).unwrap()));
    let mut unsound = 0;
    for key in (0..saved[1].1.len()).step_by(8 * 41) {
        let mut files = saved.to_vec();
        files[1].1[key] ^= 0x10;
        for (name, bytes) in sealed::enumeration(&files).unwrap() {
            fs::write(part.join(name), bytes).unwrap();
        }
        match Build::begin(request(3, 4, STRONG, &target)).unwrap().run(&Control::unlimited().into(), &|_| ()) {
            Err(fault) => {
                assert!(part.exists() && !target.exists(), "{fault}");
                if let BuildError::Unsound { .. } = fault {
                    let sentence = fault.to_string();
                    assert!(sentence.contains("is not sound: ") && sentence.contains("delete "), "{sentence}");
                    unsound += 1;
                }
            }
            // The key of another position: only `verify` would see that.
            Ok(_) => {
                fs::remove_file(&target).unwrap();
                fs::create_dir(&part).unwrap();
            }
        }
    }
    assert!(unsound > 5, "only {unsound} tables were refused at the end");
    for (name, bytes) in saved {
        fs::write(part.join(name), bytes).unwrap();
    }
    build(request(3, 4, STRONG, &target));
}

#[test]
fn the_recorded_command_names_the_placements_and_the_depth() {
    let target = Path::new("x.isolde");
    let command = |contents, scope| BuildRequest { scope, ..request(7, 7, contents, target) }.command();
    assert_eq!(command(STRONG, Scope::All), "isolde table build 7x7 --strong");
    assert_eq!(command(OPENING, Scope::First(Cell::new(24))), "isolde table build 7x7 --depth 42 --first d4");
    assert_eq!(command(OPENING, opening(24, 15)), "isolde table build 7x7 --depth 42 --opening \"d4 b3\"");
    let tries = vec!["7x7: d4 b3 f5".parse().unwrap(), "7x7: a1 b3 c2".parse().unwrap()];
    let request = BuildRequest { tries, ..request(7, 7, OPENING, target) };
    assert_eq!(request.command(), "isolde table build 7x7 --depth 42 --try \"d4 b3 f5\" --try \"a1 b3 c2\"");
}

/// A board of 99 cells needs the wide word. The knights of this opening mirror each other.
#[test]
fn the_word_is_chosen_inside() {
    let folder = folder();
    let target = folder.path().join("x.isolde");
    let contents = Contents::Opening { depth: Some(96) };
    build(BuildRequest { scope: opening(5 + 4 * 11, 4 + 2 * 11), ..request(11, 9, contents, &target) });
    let table = AnyTable::open(&target).unwrap();
    let coverage = table.metadata().unwrap().coverage;
    assert_eq!((table.size(), table.kind(), table.depth()), (Size::new(11, 9).unwrap(), Kind::Opening, 96));
    assert!(coverage != Coverage::All && table.openings(&coverage).len() == 1);
    assert_eq!(table.entries().filter(Result::is_ok).count() as u64, table.len());
    let verification = Verification::open(&target, Settings::default()).unwrap();
    let verified = verification.run(None, &Control::unlimited(), &|_| ()).unwrap();
    assert_eq!(verified.entries, table.len());
}

#[test]
fn a_verification_reports_and_can_be_stopped() {
    let folder = folder();
    let target = folder.path().join("x.isolde");
    build(request(3, 4, STRONG, &target));
    let verification = Verification::open(&target, Settings::default()).unwrap();
    let most = Mutex::new(0);
    let report = |Progress { stage, done, total }| {
        assert_eq!((stage, total), (Stage::Verifying, 993));
        let mut most = most.lock().unwrap();
        *most = done.max(*most);
    };
    assert_eq!(verification.run(None, &Control::unlimited(), &report).unwrap().entries, 993);
    assert_eq!(most.into_inner().unwrap(), 993);
    assert_eq!(verification.run(Some(20), &Control::unlimited(), &|_| ()).unwrap().entries, 20);
    let stopped = Control::unlimited();
    stopped.stop();
    assert_eq!(verification.run(None, &stopped, &|_| ()), Err(Unverified::Stopped));
}

#[test]
fn tables_of_single_openings_are_merged() {
    let folder = folder();
    let [a, b, other, both] = ["a", "b", "other", "both"].map(|name| folder.path().join(format!("{name}.isolde")));
    build(BuildRequest { scope: opening(0, 15), ..request(4, 4, OPENING, &a) });
    build(BuildRequest { scope: opening(5, 1), ..request(4, 4, OPENING, &b) });
    build(request(3, 4, OPENING, &other));
    let merged = |files: &[_]| merge(files, &both, false, &Control::unlimited(), &|_| ());
    assert!(matches!(merged(&[]), Err(BuildError::Merge(MergeError::NoTables))));
    assert!(matches!(merged(&[a.clone(), other]), Err(BuildError::Merge(MergeError::Boards { .. }))));
    assert_eq!(merged(&[a, b]).unwrap(), Completion::Finished { table: both.clone() });
    let table = AnyTable::open(&both).unwrap();
    assert_eq!(table.openings(&table.metadata().unwrap().coverage).len(), 2);
}

#[test]
fn an_estimate_is_of_the_right_size() {
    let folder = folder();
    let begin = |files, ranks, contents| Build::begin(request(files, ranks, contents, &folder.path().join("x.isolde")));
    let Some(Estimate::Strong { positions, .. }) = begin(5, 5, STRONG).unwrap().estimate() else { panic!("no estimate") };
    assert!((1e6..5e6).contains(&positions), "{positions}");
    let _ = fs::remove_dir_all(folder.path().join("x.isolde.part"));
    let Some(Estimate::Opening { classes, .. }) = begin(5, 5, OPENING).unwrap().estimate() else { panic!("no estimate") };
    assert_eq!(classes, 85);
}

#[test]
fn a_build_stops_after_its_time_and_continues_without_a_limit() {
    let folder = folder();
    let target = folder.path().join("4x4.isolde");
    let started = || Build::begin(request(4, 4, STRONG, &target)).unwrap();
    let stopped = started().with_time(Some(Duration::ZERO)).run(&Control::unlimited().into(), &|_| ()).unwrap();
    assert!(matches!(stopped, Completion::Stopped { .. }) && !target.exists());
    let finished = started().run(&Control::unlimited().into(), &|_| ()).unwrap();
    assert_eq!(finished, Completion::Finished { table: target });
}
