//! Campaigns: jobs, their results, and the table that they give together.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use isolde::build::{
    Build, BuildRequest, Campaign, CampaignError, CampaignPlan, Completion, Contents, Goal, Recheck, Scope, Which, Worked,
    parse_openings,
};
use isolde::notation::{grouped, spaced_names};
use isolde::solve::Opening;
use isolde::{Control, Settings, Size};
use serde_json::Value;

use crate::support::folder;

const MEMORY: u64 = 4 << 20;

fn size(board: &str) -> Size {
    board.parse().unwrap()
}

fn plan(board: &str, goal: Goal, depth: usize, nodes: u64) -> CampaignPlan {
    CampaignPlan { size: size(board), goal, depth, tries: Vec::new(), nodes, memory: MEMORY }
}

fn settings() -> Settings {
    Settings { memory: 16 << 20, ..Settings::default() }
}

fn run(campaign: &Campaign, threads: usize) -> usize {
    let ran = campaign.run(NonZero::new(threads).unwrap(), None, &Control::unlimited().into(), &|_| ()).unwrap();
    assert!(ran.complete && campaign.status().unwrap().is_complete());
    ran.jobs
}

fn merge(campaign: &Campaign, target: &Path) -> Result<Vec<u8>, CampaignError> {
    let merged = campaign.merge(target, true, Recheck::All, settings(), &Control::unlimited().into(), &|_| ());
    merged.map(|(completion, checked)| {
        assert_eq!(completion, Completion::Finished { table: target.to_path_buf() });
        assert_eq!(checked.leaves, checked.solved);
        fs::read(target).unwrap()
    })
}

/// The table of one machine.
fn built(board: &str, scope: Scope, depth: usize, target: &Path) -> Vec<u8> {
    let request = BuildRequest {
        size: size(board),
        contents: Contents::Opening { depth: Some(depth) },
        scope,
        tries: Vec::new(),
        target: target.to_path_buf(),
        replace: true,
        settings: settings(),
    };
    Build::begin(request).unwrap().run(&Control::unlimited().into(), &|_| ()).unwrap();
    fs::read(target).unwrap()
}

/// All result files, by name.
fn results(campaign: &Campaign) -> BTreeMap<String, (PathBuf, String)> {
    let shards = fs::read_dir(campaign.folder().join("results")).into_iter().flatten();
    let files = shards.flat_map(|shard| fs::read_dir(shard.unwrap().path()).unwrap().map(|file| file.unwrap().path()));
    files
        .map(|file| (file.file_stem().unwrap().to_str().unwrap().to_string(), (file.clone(), fs::read_to_string(file).unwrap())))
        .collect()
}

/// The bytes of a result with this first line, and the checksum that belongs to it.
fn sealed(line: &str) -> String {
    let line = format!("{}\n", line.trim_end());
    format!("{line}crc32 {:08x}\n", crc32fast::hash(line.as_bytes()))
}

/// Whatever the jobs may search, however many threads do them: the table is that of one machine.
#[test]
fn a_campaign_gives_the_table_of_one_machine() {
    let boards = [("1x3", 0), ("2x3", 0), ("3x3", 2), ("3x4", 0), ("4x4", 9), ("3x6", 12), ("4x5", 12), ("5x5", 17), ("4x6", 20)];
    for (board, depth) in boards {
        let folder = folder();
        let expected = built(board, Scope::All, depth, &folder.path().join("built"));
        for (nodes, threads) in [(1, 1), (40, 3), (1_000, 2), (1 << 40, 1)] {
            let path = folder.path().join(format!("{nodes}"));
            let campaign = Campaign::begin(&path, plan(board, Goal::All, depth, nodes)).unwrap();
            run(&campaign, threads);
            let status = campaign.status().unwrap();
            assert_eq!(status.openings().0, status.openings().1);
            assert!(merge(&campaign, &folder.path().join("merged")).unwrap() == expected, "{board} with {nodes} nodes");
        }
    }
}

#[test]
fn some_openings_and_moves_to_be_tried_first_give_the_table_of_one_machine() {
    let folder = folder();
    let openings: Vec<Opening> = parse_openings(size("4x5"), "b2 c3, a1 d5, c2 a4").unwrap();
    let tries = vec!["4x5: a1 d5 c2".parse().unwrap(), "4x5: a1 d5 b3".parse().unwrap()];
    let campaign = CampaignPlan { tries: tries.clone(), ..plan("4x5", Goal::Openings(openings.clone()), 10, 30) };
    let campaign = Campaign::begin(&folder.path().join("campaign"), campaign).unwrap();
    run(&campaign, 2);
    let target = folder.path().join("built");
    let request = BuildRequest {
        size: size("4x5"),
        contents: Contents::Opening { depth: Some(10) },
        scope: Scope::Openings(openings),
        tries,
        target: target.clone(),
        replace: true,
        settings: settings(),
    };
    Build::begin(request).unwrap().run(&Control::unlimited().into(), &|_| ()).unwrap();
    assert!(merge(&campaign, &folder.path().join("merged")).unwrap() == fs::read(target).unwrap());
}

/// One winning reply to each placement: the table holds these openings, and the one of one machine
/// for the same openings is the same.
#[test]
fn the_weak_solution_of_a_board() {
    for (board, depth, nodes) in [("3x5", 13, 10), ("5x5", 23, 200), ("5x5", 19, 200), ("3x9", 25, 500), ("5x7", 33, 2_000)] {
        let folder = folder();
        let campaign = Campaign::begin(&folder.path().join("campaign"), plan(board, Goal::Weak, depth, nodes)).unwrap();
        run(&campaign, 2);
        let status = campaign.status().unwrap();
        let reply =
            |placement: &isolde::build::Placement| Opening { first: placement.cells[0], second: placement.reply.unwrap() };
        let openings: Vec<Opening> = status.placements.iter().map(reply).collect();
        let merged = merge(&campaign, &folder.path().join("merged")).unwrap();
        assert!(merged == built(board, Scope::Openings(openings), depth, &folder.path().join("built")), "{board}");
    }
}

/// The same jobs in the same order have the same bytes. So does a job without knowledge, in any
/// process and at any time.
#[test]
fn a_job_has_the_same_result_everywhere() {
    let folder = folder();
    let campaigns = ["a", "b"].map(|name| {
        let campaign = Campaign::begin(&folder.path().join(name), plan("5x6", Goal::All, 26, 500)).unwrap();
        run(&campaign, 1);
        campaign
    });
    let texts = |campaign| results(campaign).into_iter().map(|(name, (_, text))| (name, text)).collect::<Vec<_>>();
    assert_eq!(texts(&campaigns[0]), texts(&campaigns[1]));
    let control = Control::unlimited().into();
    let [alone, among_others] = ["c", "d"].map(|name| {
        let campaign = Campaign::begin(&folder.path().join(name), plan("5x6", Goal::All, 26, 500)).unwrap();
        let jobs = campaign.open_jobs(false).unwrap().jobs;
        let last = &jobs[jobs.len() - 1].name;
        let before = if name == "c" { &jobs[..0] } else { &jobs[..jobs.len() - 1] };
        for job in before {
            assert!(matches!(campaign.work(&Which::Named(job.name.clone()), None, &control), Ok((Worked::Done { .. }, _))));
        }
        assert!(matches!(campaign.work(&Which::Named(last.clone()), None, &control), Ok((Worked::Done { .. }, _))));
        results(&campaign)[last].1.clone()
    });
    assert_eq!(alone, among_others);
}

/// A job that has a result is not done again, nor one that is not open; the lines of the list are
/// counted from 1.
#[test]
fn jobs_are_named_counted_and_done_once() {
    let folder = folder();
    let campaign = Campaign::begin(&folder.path().join("campaign"), plan("4x5", Goal::All, 12, 1 << 40)).unwrap();
    let control = Control::unlimited().into();
    let work = |which: Which| campaign.work(&which, None, &control).map(|(worked, _)| worked);
    assert!(matches!(work(Which::Line(1)), Err(CampaignError::NoLine { number: 1, lines: 0 })));
    let jobs = campaign.open_jobs(true).unwrap().jobs;
    let done = |worked: Result<Worked, _>| match worked.unwrap() {
        Worked::Done { job, .. } => job,
        other => panic!("{other:?}"),
    };
    assert_eq!(done(work(Which::Line(2))), jobs[1].name);
    assert_eq!(done(work(Which::Next)), jobs[0].name);
    assert_eq!(work(Which::Named(jobs[1].name.clone())).unwrap(), Worked::Already { job: jobs[1].name.clone() });
    let unknown = "w-0123456789abcdef".to_string();
    assert_eq!(work(Which::Named(unknown.clone())).unwrap(), Worked::NotOpen { job: unknown });
    assert!(matches!(work(Which::Named("../x".to_string())), Err(CampaignError::NotAName { .. })));
    for number in [0, jobs.len() + 1] {
        assert!(matches!(work(Which::Line(number)), Err(CampaignError::NoLine { .. })));
    }
    assert!(matches!(merge(&campaign, &folder.path().join("merged")), Err(CampaignError::Open { .. })));
    assert!(!folder.path().join("merged").exists() && !folder.path().join("merged.part").exists());
    run(&campaign, 1);
    assert_eq!(work(Which::Next).unwrap(), Worked::Complete);
}

/// A job that runs out of time is split, and one that is stopped says nothing.
#[test]
fn time_is_a_backstop() {
    let folder = folder();
    let campaign = Campaign::begin(&folder.path().join("campaign"), plan("6x7", Goal::All, 38, 1 << 40)).unwrap();
    let first = Which::Named(campaign.open_jobs(false).unwrap().jobs[0].name.clone());
    let stopped = Control::with_time(Some(Duration::ZERO)).into();
    assert_eq!(campaign.work(&first, None, &stopped).unwrap().0, Worked::Stopped);
    assert!(results(&campaign).is_empty());
    let (worked, _) = campaign.work(&first, Some(Duration::ZERO), &Control::unlimited().into()).unwrap();
    assert!(matches!(worked, Worked::Done { mover_wins: None, ran_out_of: Some("time"), .. }), "{worked:?}");
    assert_eq!(campaign.status().unwrap().split, 1);
}

/// Files that are damaged, foreign or none of ours are named and set aside, and the jobs are done
/// again: only these.
#[test]
fn damaged_results_are_done_again() {
    let folder = folder();
    let begin = |name: &str, nodes| Campaign::begin(&folder.path().join(name), plan("5x5", Goal::All, 17, nodes)).unwrap();
    let (campaign, other) = (begin("campaign", 300), begin("other", 301));
    run(&campaign, 1);
    run(&other, 1);
    let expected = merge(&campaign, &folder.path().join("merged")).unwrap();
    let all = results(&campaign);
    let files: Vec<_> = all.values().map(|(path, _)| path.clone()).collect();
    let foreign = results(&other)
        .into_values()
        .find(|(path, _)| campaign.folder().join(path.strip_prefix(other.folder()).unwrap()).exists());
    let foreign_text = foreign.as_ref().unwrap().1.clone();
    let foreign_place = campaign.folder().join(foreign.unwrap().0.strip_prefix(other.folder()).unwrap());
    let [cut, empty, garbage, exchanged] =
        [0, 1, 2, 3].map(|number| files.iter().filter(|file| **file != foreign_place).nth(number * 7).unwrap());
    fs::write(cut, &fs::read(cut).unwrap()[..100]).unwrap();
    fs::write(empty, "").unwrap();
    fs::write(garbage, [0xff; 300]).unwrap();
    fs::copy(files.last().unwrap(), exchanged).unwrap();
    fs::write(&foreign_place, foreign_text).unwrap();
    fs::write(campaign.folder().join("results/notes.txt"), "mine").unwrap();
    fs::write(files[0].with_file_name("x.json"), "{}").unwrap();
    // What a killed writer leaves behind is not a result, and does not matter.
    fs::write(files[0].with_file_name("x.json.1-2-3.tmp"), "{").unwrap();
    // What is not a file at all, and what no memory holds.
    let [folder_instead, huge] =
        [4, 5].map(|number| files.iter().filter(|file| **file != foreign_place).nth(number * 7).unwrap());
    fs::remove_file(folder_instead).unwrap();
    fs::create_dir(folder_instead).unwrap();
    fs::File::create(huge).unwrap().set_len(1 << 42).unwrap();
    let before = campaign.status().unwrap();
    assert_eq!((before.damaged, before.is_complete()), (9, false));
    // All of them are named.
    let Err(CampaignError::BadResults(set_aside)) = merge(&campaign, &folder.path().join("merged")) else { panic!("a table") };
    assert_eq!(set_aside.len(), 9);
    assert!(set_aside.iter().all(|file| file.path.starts_with(campaign.folder().join("damaged")) && file.path.exists()));
    assert_eq!(run(&campaign, 1), 7);
    assert!(merge(&campaign, &folder.path().join("merged")).unwrap() == expected);
    assert_eq!(campaign.status().unwrap().damaged, 9);
}

/// Adds a position to a list of a result.
fn add_to(result: &mut Value, list: &str, position: Value) {
    let lists = result.as_object_mut().unwrap();
    lists.entry(list).or_insert(Value::Array(Vec::new())).as_array_mut().unwrap().push(position);
}

/// Lies that a result could tell about its positions: each a text with a checksum that fits.
fn lies(text: &str) -> Vec<String> {
    let truth: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let mut lies = Vec::new();
    let mut add = |change: &dyn Fn(&mut Value)| {
        let mut lie = truth.clone();
        change(&mut lie);
        lies.push(sealed(&lie.to_string()));
    };
    if let Some(wins) = truth["mover_wins"].as_bool() {
        // A strategy has to say the same twice.
        add(&|lie| {
            lie["mover_wins"] = (!wins).into();
            for choice in lie.get_mut("choices").and_then(Value::as_array_mut).into_iter().flatten() {
                if choice[0] == truth["position"] {
                    choice[1] = if wins { "-" } else { "c3" }.into();
                }
            }
        });
    }
    for (number, choice) in truth["choices"].as_array().into_iter().flatten().enumerate() {
        for cell in ["b1", "c2", "a3", "d4", "-"].into_iter().filter(|&cell| choice[1] != cell) {
            add(&|lie| lie["choices"][number][1] = cell.into());
        }
    }
    // A result that says two things about one position says nothing.
    for list in ["won", "lost"] {
        add(&|lie| {
            let position = lie["position"].clone();
            add_to(lie, list, position);
        });
    }
    for (from, to) in [("won", "lost"), ("lost", "won")] {
        if truth[from].as_array().is_some_and(|duels| !duels.is_empty()) {
            add(&|lie| {
                let duel = lie[from].as_array_mut().unwrap().remove(0);
                add_to(lie, to, duel);
            });
        }
    }
    lies
}

/// A lie that the table would rest on is found, by the name of the job, even if jobs were done
/// afterwards that knew the lie. Retracted, the campaign ends with the true table.
#[test]
fn a_job_that_lies_is_named() {
    let folder = folder();
    let openings = parse_openings(size("6x6"), "a1 c2, b2 d3, c3 c4, c2 e2, a3 d5, a1 b2, c3 d4, b1 d2").unwrap();
    let plan = plan("6x6", Goal::Openings(openings), 32, 2_000);
    let original = Campaign::begin(&folder.path().join("original"), plan.clone()).unwrap();
    run(&original, 1);
    let expected = merge(&original, &folder.path().join("merged")).unwrap();
    let all = results(&original);
    let kinds = ["s-", "w-"].map(|kind| all.keys().filter(|name| name.starts_with(kind)).count());
    assert!(kinds.iter().all(|&count| count >= 10), "{kinds:?}");
    let lies: Vec<_> = all.iter().flat_map(|(name, (_, text))| lies(text).into_iter().map(move |lie| (name, lie))).collect();
    let (mut found, mut harmless) = (BTreeMap::from([('s', 0), ('w', 0)]), 0);
    for (name, lie) in lies {
        let path = folder.path().join("forged");
        let campaign = Campaign::begin(&path, plan.clone()).unwrap();
        for (file, text) in all.values() {
            let place = path.join(file.strip_prefix(original.folder()).unwrap());
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, text).unwrap();
        }
        fs::write(&results(&campaign)[name].0, lie).unwrap();
        // What knows the lie is done after it.
        fs::remove_file(results(&campaign).into_values().find(|(_, text)| !text.contains(name.as_str())).unwrap().0).unwrap();
        run(&campaign, 1);
        match merge(&campaign, &folder.path().join("merged")) {
            Err(CampaignError::Lied(lie)) => {
                assert_eq!(&lie.job, name, "{lie:?}");
                *found.get_mut(&name.chars().next().unwrap()).unwrap() += 1;
                assert!(campaign.retract(name).unwrap().contains(name));
                run(&campaign, 1);
                assert!(merge(&campaign, &folder.path().join("merged")).unwrap() == expected, "{name}");
            }
            // The lie contradicted the rules, so the job was done again; or nothing rests on it.
            Ok(table) => {
                assert!(table == expected, "a lie of {name} is in the table");
                harmless += 1;
            }
            Err(other) => panic!("{name}: {other}"),
        }
        fs::remove_dir_all(&path).unwrap();
    }
    assert!(found.values().all(|&count| count >= 5), "{found:?}, {harmless} did not matter");
}

#[test]
fn a_folder_has_one_plan() {
    let folder = folder();
    let path = folder.path().join("campaign");
    assert!(matches!(Campaign::open(&path), Err(CampaignError::NoCampaign { .. })));
    Campaign::begin(&path, plan("4x5", Goal::All, 12, 60)).unwrap();
    assert_eq!(Campaign::begin(&path, plan("4x5", Goal::All, 12, 60)).unwrap().plan(), Campaign::open(&path).unwrap().plan());
    let other = Campaign::begin(&path, plan("4x5", Goal::All, 12, 61)).unwrap_err();
    assert!(matches!(other, CampaignError::OtherPlan { .. }) && other.to_string().contains("another plan"));
    for refused in [plan("8x8", Goal::Weak, 62, 60), plan("1x1", Goal::All, 0, 60), plan("4x5", Goal::All, 19, 60)] {
        let place = folder.path().join("refused");
        assert!(Campaign::begin(&place, refused).is_err() && !place.exists());
    }
    fs::write(path.join("campaign.json"), "{}").unwrap();
    assert!(matches!(Campaign::open(&path), Err(CampaignError::BadPlan { .. })));
}

/// The campaigns that are under way can go on: every file is a result, and their README says how
/// far they are.
#[test]
fn the_campaigns_of_the_repository_are_as_their_readme_says() {
    let campaigns = Path::new(env!("CARGO_MANIFEST_DIR")).join("campaigns");
    let readme = fs::read_to_string(campaigns.join("README.md")).unwrap();
    for entry in fs::read_dir(&campaigns).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let campaign = Campaign::open(&entry).unwrap();
        let status = campaign.status().unwrap();
        assert_eq!((status.damaged, status.done + status.split), (0, results(&campaign).len()));
        let size = campaign.plan().size;
        let proven = |placement: &isolde::build::Placement| {
            let reply = placement.reply.filter(|_| placement.decided == placement.openings)?;
            Some(spaced_names(size, &[placement.cells[0], reply]))
        };
        let proven: Vec<String> = status.placements.iter().filter_map(proven).collect();
        let list = if proven.is_empty() { String::new() } else { format!(" ({})", proven.join(", ")) };
        let (decided, needed) = status.openings();
        let (jobs, nodes) = (grouped((status.done + status.split) as u64), grouped(status.nodes));
        let state = format!("{decided} of {needed} proven{list}; {jobs} jobs, {nodes} nodes");
        let row = readme.lines().find(|line| line.starts_with(&format!("| {} |", entry.file_name().unwrap().display())));
        assert!(row.is_some_and(|row| row.contains(&state)), "{row:?} should say: {state}");
    }
}

/// A strategy that does not fit into the memory of a job is split like one that takes too many
/// nodes.
#[test]
fn a_job_that_runs_out_of_memory_is_split() {
    let folder = folder();
    let openings = parse_openings(size("6x7"), "a1 b2").unwrap();
    let tight = CampaignPlan { memory: 3 << 20, ..plan("6x7", Goal::Openings(openings.clone()), 20, 1 << 40) };
    let campaign = Campaign::begin(&folder.path().join("campaign"), tight).unwrap();
    run(&campaign, 2);
    assert!(results(&campaign).values().any(|(_, text)| text.contains("\"ran_out_of\":\"memory\"")));
    let expected = built("6x7", Scope::Openings(openings), 20, &folder.path().join("built"));
    let (_, checked) = campaign
        .merge(
            &folder.path().join("merged"),
            true,
            Recheck::Sample { leaves: 0, seed: 0 },
            settings(),
            &Control::unlimited().into(),
            &|_| (),
        )
        .unwrap();
    assert_eq!(checked.solved, 0);
    assert!(fs::read(folder.path().join("merged")).unwrap() == expected);
}

/// On boards that are large enough, jobs use what others have proven. A lie that they have used is
/// found, by the name of the job that told it; and whatever has used it is retracted with it.
#[test]
fn a_lie_that_others_have_used_is_named() {
    let folder = folder();
    let openings = parse_openings(size("7x8"), "c4 d6").unwrap();
    let plan = CampaignPlan { memory: 16 << 20, ..plan("7x8", Goal::Openings(openings), 53, 50_000) };
    let campaign = Campaign::begin(&folder.path().join("campaign"), plan).unwrap();
    run(&campaign, 1);
    let expected = merge(&campaign, &folder.path().join("merged")).unwrap();
    let all = results(&campaign);
    let told = |text: &str| serde_json::from_str::<Value>(text.lines().next().unwrap()).unwrap();
    let has_used = |name: &str| told(&results(&campaign)[name].1)["used"].is_array();
    assert!(all.keys().filter(|name| has_used(name)).count() > 10);
    // The first job says that a position is lost in which the mover wins, as other jobs have found.
    let (liar, (place, text)) = all.iter().find(|(name, _)| name.starts_with("s-")).unwrap();
    let won = all.values().map(|(_, text)| told(text)).filter(|told| told["mover_wins"] == true && told["job"] != **liar);
    let mut found = 0;
    for won in won {
        for (file, _) in all.values() {
            let _ = fs::remove_file(file);
        }
        let mut lie = told(text);
        add_to(&mut lie, "lost", won["position"].clone());
        fs::write(place, sealed(&lie.to_string())).unwrap();
        // This puts together what is known.
        campaign.open_jobs(true).unwrap();
        run(&campaign, 1);
        let users = results(&campaign)
            .into_iter()
            .filter(|(_, (_, text))| told(text)["used"].as_array().is_some_and(|used| used.contains(&won["position"])));
        let users: Vec<String> = users.map(|(name, _)| name).collect();
        match merge(&campaign, &folder.path().join("merged")) {
            Err(CampaignError::Lied(named)) => assert_eq!(named.job, *liar, "{named:?}"),
            // The lie contradicts what else the job says, or nothing has come of it.
            other => {
                assert!(users.is_empty() && other.unwrap() == expected, "{won}");
                continue;
            }
        }
        let retracted = campaign.retract(liar).unwrap();
        assert!(retracted[0] == *liar && users.iter().all(|user| retracted.contains(user)), "{users:?} {retracted:?}");
        assert!(retracted.iter().all(|name| !results(&campaign).contains_key(name)));
        run(&campaign, 1);
        assert!(merge(&campaign, &folder.path().join("merged")).unwrap() == expected);
        found += usize::from(!users.is_empty());
        if found == 2 {
            return;
        }
    }
    panic!("only {found} lies were used by other jobs");
}

/// A run that goes on while results disappear does them again, and one whose folder disappears says
/// so.
#[test]
fn a_run_notices_that_results_have_disappeared() {
    let folder = folder();
    let campaign = Campaign::begin(&folder.path().join("campaign"), plan("5x6", Goal::All, 26, 500)).unwrap();
    let removed = std::sync::atomic::AtomicBool::new(false);
    let remove = |progress: isolde::build::RunProgress| {
        if progress.done > 200 && !removed.swap(true, std::sync::atomic::Ordering::Relaxed) {
            // The other thread goes on writing, so files may have another name by now.
            let shards = fs::read_dir(campaign.folder().join("results")).unwrap().map(|shard| shard.unwrap().path());
            let files = shards.flat_map(|shard| fs::read_dir(shard).unwrap().map(|file| file.unwrap().path()));
            let finished = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
            finished.take(40).for_each(|file| fs::remove_file(file).unwrap());
        }
    };
    let ran = campaign.run(NonZero::new(2).unwrap(), None, &Control::unlimited().into(), &remove).unwrap();
    assert!(ran.complete && removed.into_inner() && campaign.status().unwrap().is_complete());
    let moved = |_| fs::rename(campaign.folder(), folder.path().join("elsewhere")).unwrap_or(());
    fs::remove_dir_all(campaign.folder().join("results")).unwrap();
    let ran = campaign.run(NonZero::new(2).unwrap(), None, &Control::unlimited().into(), &moved);
    assert!(matches!(ran, Err(CampaignError::NoCampaign { .. } | CampaignError::Io { .. })), "{ran:?}");
}
