//! Bytes of many clips side by side: one table a contract, one line a clip, and their sum.

use crate::report::ClipReport;
use crate::row::Row;

/// Prefix of this project's own rows.
const OWN: &str = "sinew";

/// What a row's settings say of its contract: what follows the last semicolon.
fn contract_of(row: &Row) -> &str {
    row.settings.rsplit("; ").next().unwrap_or_default()
}

/// Items in order of first appearance.
fn distinct<'a>(items: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for item in items {
        if !seen.contains(&item) {
            seen.push(item);
        }
    }
    seen
}

/// Markdown tables of the bytes of several clips, one table a contract. Columns: the smallest of all other codecs with
/// its name, then this project's nameless rows with their share of it. The last line sums the clips that have all of
/// the table's figures.
pub fn size_tables(reports: &[ClipReport]) -> String {
    let rows = || reports.iter().flat_map(|report| &report.rows);
    let mut text = String::new();
    for contract in distinct(rows().map(contract_of)) {
        let here = |row: &&Row| contract_of(row) == contract;
        let own = distinct(
            rows()
                .filter(here)
                .map(|row| row.codec.as_str())
                .filter(|codec| codec.starts_with(OWN) && !codec.ends_with("-named")),
        );
        text += &format!("\n**{contract}**\n\n| clip | frames | tracks | smallest other |");
        text += &own.iter().map(|codec| format!(" {codec} |")).collect::<String>();
        text += &format!("\n|---|---|---|---|{}\n", "---|".repeat(own.len()));
        let (mut others_sum, mut own_sums, mut summed) = (0u64, vec![0u64; own.len()], 0);
        for report in reports {
            let rows: Vec<&Row> = report.rows.iter().filter(here).collect();
            let smallest = rows
                .iter()
                .filter(|row| !row.codec.starts_with(OWN))
                .filter_map(|row| Some((row.bytes?, row.codec.as_str())))
                .min();
            let bytes: Vec<Option<u64>> = own
                .iter()
                .map(|codec| rows.iter().find(|row| row.codec == *codec).and_then(|row| row.bytes))
                .collect();
            let clip = &report.summary;
            let other = smallest.map_or("n/a".to_owned(), |(bytes, codec)| format!("{bytes} {codec}"));
            text += &format!("| {} | {} | {} | {other} |", clip.clip, clip.frames, clip.tracks);
            for bytes in &bytes {
                text += &share(*bytes, smallest.map(|(bytes, _)| bytes));
            }
            text.push('\n');
            if let (Some((other, _)), true) = (smallest, bytes.iter().all(Option::is_some)) {
                others_sum += other;
                own_sums.iter_mut().zip(&bytes).for_each(|(sum, bytes)| *sum += bytes.unwrap_or(0));
                summed += 1;
            }
        }
        text += &format!("| sum of {summed} | | | {others_sum} |");
        text += &own_sums.iter().map(|&sum| share(Some(sum), Some(others_sum))).collect::<String>();
        text.push('\n');
    }
    text
}

fn share(bytes: Option<u64>, other: Option<u64>) -> String {
    match (bytes, other) {
        (Some(bytes), Some(other)) if other > 0 => format!(" {bytes} ({:.2}) |", bytes as f64 / other as f64),
        (Some(bytes), _) => format!(" {bytes} |"),
        (None, _) => " n/a |".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BenchOptions, bench_clip, test_clips};

    #[test]
    fn sums_are_the_columns_and_shares_are_of_the_smallest_other() {
        let options = BenchOptions { bounds: vec![0.01], quick: true, ..BenchOptions::default() };
        let reports: Vec<ClipReport> = [("one", test_clips::smooth(80)), ("two", test_clips::noise(40))]
            .iter()
            .map(|(name, clip)| bench_clip(name, clip, &options, &mut |_| ()).expect("valid"))
            .collect();
        let text = size_tables(&reports);
        assert!(text.contains("\n**lossless**\n") && text.contains("\n**bound 0.01**\n"), "{text}");
        let table = text.split("**bound 0.01**").nth(1).expect("the second table");
        let cells = |line: usize| -> Vec<String> {
            table.trim().lines().nth(line).expect("a line").split('|').map(|c| c.trim().to_owned()).collect()
        };
        let number = |cell: &str| cell.split(' ').next().and_then(|n| n.parse::<u64>().ok()).expect("bytes");
        let (heads, one, two, sum) = (cells(0), cells(2), cells(3), cells(4));
        assert!(heads.iter().any(|head| head == "sinew-balanced"), "{table}");
        assert_eq!((one[1].as_str(), two[1].as_str(), sum[1].as_str()), ("one", "two", "sum of 2"));
        for column in 4..heads.len() - 1 {
            assert_eq!(number(&one[column]) + number(&two[column]), number(&sum[column]), "{table}");
        }
        let others = reports[0].rows.iter().filter(|row| row.settings.ends_with("bound 0.01"));
        let least = others.filter(|row| !row.codec.starts_with(OWN)).filter_map(|row| row.bytes).min();
        assert_eq!(Some(number(&one[4])), least);
    }
}
