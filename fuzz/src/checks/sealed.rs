//! Puts the right checksums into bytes that a fuzzer has changed, so that the code behind the
//! checksums is reached. `docs/table-format.md` describes the bytes of a table.

use std::ops::Range;

use serde_json::Value;

const HEADER: usize = 128;
const BLOCK: usize = 32;

/// The table with right checksums in its header, of its sections and of its blocks, as far as they
/// are in the file.
pub fn table(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.len() < HEADER {
        return bytes;
    }
    let section = |bytes: &[u8], index: usize| -> Option<Range<usize>> {
        let begin = usize::try_from(number(bytes, 40 + 16 * index)).ok()?;
        let end = begin.checked_add(usize::try_from(number(bytes, 48 + 16 * index)).ok()?)?;
        (end <= bytes.len()).then_some(begin..end)
    };
    if let (Some(blocks), Some(directory)) = (section(&bytes, 2), section(&bytes, 3)) {
        seal_blocks(&mut bytes, blocks, directory);
    }
    for index in 0..4 {
        if let Some(range) = section(&bytes, index) {
            let checksum = crc32fast::hash(&bytes[range]);
            put(&mut bytes, 104 + 4 * index, checksum);
        }
    }
    let checksum = crc32fast::hash(&bytes[..HEADER - 4]);
    put(&mut bytes, HEADER - 4, checksum);
    bytes
}

/// The checksum of a block covers its own key in the directory and the next one's.
fn seal_blocks(bytes: &mut [u8], blocks: Range<usize>, directory: Range<usize>) {
    let cells = usize::from(bytes[11]) * usize::from(bytes[12]);
    let free_bytes = cells.saturating_sub(2).div_ceil(8).min(16);
    let count = blocks.len() / BLOCK;
    for index in 0..count {
        let key = |index: usize| -> Option<[u64; 5]> {
            let begin = directory.start + index * (free_bytes + 2);
            let key = bytes.get(begin..begin + free_bytes + 2).filter(|_| index < count)?;
            let mut free = [0; 16];
            free[..free_bytes].copy_from_slice(&key[..free_bytes]);
            let words = free.as_chunks::<4>().0;
            let word = |place: usize| u32::from_le_bytes(words[place]).into();
            Some([word(0), word(1), word(2), word(3), u16::from_le_bytes([key[free_bytes], key[free_bytes + 1]]).into()])
        };
        let (Some(first), next) = (key(index), key(index + 1).unwrap_or_default()) else { return };
        let begin = blocks.start + index * BLOCK;
        bytes[begin..begin + 2].fill(0);
        let words = bytes[begin..begin + BLOCK].as_chunks::<4>().0;
        let words = words.iter().map(|&word| u64::from(u32::from_le_bytes(word)));
        let numbers = words.chain(first).chain(next);
        let checksum = numbers.zip(1..).map(|(number, place)| number * place).sum::<u64>() % 65_521;
        bytes[begin..begin + 2].copy_from_slice(&(checksum as u16).to_le_bytes());
    }
}

fn number(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn put(bytes: &mut [u8], at: usize, checksum: u32) {
    bytes[at..at + 4].copy_from_slice(&checksum.to_le_bytes());
}

/// The strategy log with right checksums of its header and of its records.
pub fn strategy_log(bytes: &[u8]) -> Vec<u8> {
    const HEADER: usize = 21;
    const RECORD: usize = 23;
    let mut bytes = bytes.to_vec();
    let header = HEADER.min(bytes.len());
    let (header, records) = bytes.split_at_mut(header);
    for part in [header].into_iter().chain(records.chunks_mut(RECORD)) {
        if let Some((content, checksum)) = part.split_last_chunk_mut::<4>() {
            *checksum = crc32fast::hash(content).to_le_bytes();
        }
    }
    bytes
}

/// The first line, and its checksum: the result of a job.
pub fn result(bytes: &[u8]) -> Vec<u8> {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let line = [&bytes[..end], b"\n"].concat();
    let checksum = format!("crc32 {:08x}\n", crc32fast::hash(&line));
    [line, checksum.into_bytes()].concat()
}

/// The files of an enumeration by name, and their bytes.
pub type Files = Vec<(String, Vec<u8>)>;

const BETWEEN_FILES: &[u8] = b"\n--\n";

/// The files of a folder. An input holds them all, with a line `--` between two files.
pub fn split_folder(mut bytes: &[u8]) -> Files {
    let names = ["manifest.json", "keys", "values"].map(str::to_string).into_iter();
    let names = names.chain((0..12).map(|number| format!("run-{number:06}")));
    let mut files = Vec::new();
    for name in names {
        let end = bytes.windows(BETWEEN_FILES.len()).position(|window| window == BETWEEN_FILES);
        files.push((name, bytes[..end.unwrap_or(bytes.len())].to_vec()));
        match end {
            Some(end) => bytes = &bytes[end + BETWEEN_FILES.len()..],
            None => break,
        }
    }
    files
}

/// The same folder, with right checksums in the manifest. `None` if the manifest is not one.
pub fn enumeration(files: &Files) -> Option<Files> {
    let mut manifest: Value = serde_json::from_slice(&files.first()?.1).ok()?;
    let checksum = |name: &str, bytes: u64| {
        let file = files.iter().find(|(known, _)| known == name).map_or(&[][..], |(_, bytes)| bytes);
        crc32fast::hash(&file[..file.len().min(usize::try_from(bytes).unwrap_or(usize::MAX))])
    };
    let of_keys = checksum("keys", manifest["keys"].as_u64()?.wrapping_mul(8));
    let of_values = checksum("values", manifest["decided"].as_u64()?);
    let mut runs = Vec::new();
    for run in manifest["runs"].as_array_mut()? {
        let (number, keys) = (run["number"].as_u64()?, run["keys"].as_u64()?);
        let checksum = checksum(&format!("run-{number:06}"), keys.wrapping_mul(8));
        let layer = &run["layer"];
        runs.push(format!(r#"{{"layer":{layer},"number":{number},"keys":{keys},"checksum":{checksum}}}"#));
    }
    let runs = runs.join(",");
    let member = |name: &str| format!("\"{name}\":{},", manifest[name]);
    let text = |own: u32| {
        let [before, between] =
            [&["version", "files", "ranks", "roots", "layers", "keys", "expanded"][..], &["next_run", "decided"]]
                .map(|names| names.iter().map(|name| member(name)).collect::<String>());
        let checksums = format!("\"keys_checksum\":{of_keys},\"values_checksum\":{of_values},\"checksum\":{own}");
        format!("{{{before}\"runs\":[{runs}],{between}{checksums}}}")
    };
    let sealed = text(crc32fast::hash(text(0).as_bytes()));
    let mut files = files.clone();
    files[0].1 = sealed.into_bytes();
    Some(files)
}
