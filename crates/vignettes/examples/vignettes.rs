//! What becomes of vignettes: `cargo run -p waterjar-vignettes --example vignettes -- [KIND FILE]`
//!
//! Without a file, our own. Each is told in the other wordings, without each of its findings, and with other attributes.
#![expect(clippy::print_stdout, reason = "an example speaks")]

use std::path::Path;
use waterjar_vignettes::import::Kind;
use waterjar_vignettes::{
    Attribute, Import, ImportOptions, Vignette, Who, Wording, ablate, intervene, reword, starter, tagged,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let vignettes: Vec<Vignette> = match (arguments.next(), arguments.next()) {
        (Some(kind), Some(file)) => {
            let kind = Kind::named(&kind).ok_or("that is no kind of file")?;
            let options = ImportOptions { max_spans: Some(12), ..ImportOptions::default() };
            let rows = Import::open(kind, Path::new(&file), &options)?;
            rows.filter_map(|row| row.inspect_err(|bad| println!("{bad}")).ok()).collect()
        }
        _ => starter(),
    };
    vignettes.iter().for_each(show);
    Ok(())
}

fn show(vignette: &Vignette) {
    println!("{}", tagged::write(vignette));
    for wording in [Wording::Swapped, Wording::Neutral] {
        match reword(vignette, wording, Who::Patient) {
            Ok((new, told)) => {
                println!("{wording:?}: {}", new.text);
                for warning in told.warnings {
                    println!("  unsure of {:?}: {}", warning.at.of(&vignette.text), warning.why);
                }
            }
            Err(refused) => println!("{wording:?}: not applicable, {refused}"),
        }
    }
    for n in 0..vignette.spans.len() {
        let ablated = ablate(vignette, n);
        println!("Without {:?}: {}", ablated.removed, ablated.vignette.text);
        for warning in ablated.warnings {
            println!("  {}", warning.why);
        }
    }
    for attribute in Attribute::usual() {
        match intervene(&vignette.text, &vignette.spans, &attribute) {
            Ok(new) => println!("{attribute}: {}", new.text),
            Err(refused) => println!("{attribute}: not applicable, {refused}"),
        }
    }
    println!();
}
