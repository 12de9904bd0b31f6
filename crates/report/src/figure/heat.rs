//! The colours of a heatmap: one hue from pale to strong, readable by the colour-blind, with ink that stands out on each.

use std::fmt::Write as _;

/// Eleven steps, one per ten percent.
const STEPS: usize = 11;
/// The strongest step is furthest from the paper: darkest by day, brightest by night.
const DAY: [Rgb; 3] = [Rgb(0xee, 0xf5, 0xf7), Rgb(0x57, 0xa2, 0xba), Rgb(0x0a, 0x43, 0x56)];
const NIGHT: [Rgb; 3] = [Rgb(0x1d, 0x2a, 0x30), Rgb(0x2b, 0x7c, 0x97), Rgb(0xb4, 0xe8, 0xf6)];
const DARK_INK: Rgb = Rgb(0x00, 0x08, 0x0c);
const LIGHT_INK: Rgb = Rgb(0xff, 0xff, 0xff);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Rgb(u8, u8, u8);

/// The class of a cell: `h0` to `h10`.
pub(super) fn class(value: f64) -> String {
    let step = (value.clamp(0.0, 1.0) * (STEPS - 1) as f64).round();
    format!("h{step}")
}

pub(super) fn steps() -> impl Iterator<Item = (usize, String)> {
    (0..STEPS).map(|step| (step, format!("h{step}")))
}

/// Colours as rules rather than attributes, because a dark page needs others.
pub(super) fn style_sheet() -> String {
    format!("{}@media screen and (prefers-color-scheme:dark){{{}}}\n", rules(&DAY), rules(&NIGHT))
}

/// For programs that know no media.
pub(super) fn by_day() -> String {
    rules(&DAY)
}

fn rules(stops: &[Rgb; 3]) -> String {
    let mut css = String::new();
    for step in 0..STEPS {
        let ground = colour(stops, step);
        let ink = ink_on(ground);
        let _ = writeln!(css, ".chart .h{step}{{fill:{}}}.chart .on-h{step}{{fill:{}}}", ground.hex(), ink.hex());
    }
    css
}

fn colour(stops: &[Rgb; 3], step: usize) -> Rgb {
    let along = step as f64 / (STEPS - 1) as f64 * 2.0;
    match along {
        along if along <= 1.0 => stops[0].towards(stops[1], along),
        along => stops[1].towards(stops[2], along - 1.0),
    }
}

/// Whichever of the two inks stands out more.
fn ink_on(ground: Rgb) -> Rgb {
    if contrast(ground, DARK_INK) >= contrast(ground, LIGHT_INK) { DARK_INK } else { LIGHT_INK }
}

/// Contrast ratio as in WCAG 2.2, 1..21.
fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (a.luminance() + 0.05, b.luminance() + 0.05);
    a.max(b) / a.min(b)
}

impl Rgb {
    fn towards(self, other: Self, share: f64) -> Self {
        let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_has_the_greatest_contrast() {
        assert!((contrast(Rgb(0, 0, 0), Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
        assert!((contrast(DARK_INK, DARK_INK) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn every_cell_can_be_read_by_day_and_by_night() {
        for stops in [&DAY, &NIGHT] {
            for step in 0..STEPS {
                let ground = colour(stops, step);
                let ratio = contrast(ground, ink_on(ground));
                assert!(ratio >= 4.5, "step {step} {}: {ratio:.2}", ground.hex());
            }
        }
    }

    #[test]
    fn a_higher_share_is_always_further_from_the_paper() {
        let light = |stops, step| colour(stops, step).luminance();
        for step in 1..STEPS {
            assert!(light(&DAY, step) < light(&DAY, step - 1));
            assert!(light(&NIGHT, step) > light(&NIGHT, step - 1));
        }
    }

    #[test]
    fn shares_fall_into_tenths() {
        assert_eq!(class(0.0), "h0");
        assert_eq!(class(0.449), "h4");
        assert_eq!(class(1.0), "h10");
        assert_eq!(class(7.0), "h10");
    }

    /// Text on its ground, in the colours of the page itself.
    #[test]
    fn the_page_keeps_to_wcag_aa() {
        let (day, night) = super::super::THEME.split_once("@media screen").expect("the theme has a dark half");
        for theme in [day, night] {
            for (ink, ground, least) in [
                ("ink", "paper", 7.0),
                ("quiet", "paper", 4.5),
                ("quiet", "raised", 4.5),
                ("accent", "paper", 4.5),
                ("accent", "raised", 4.5),
                ("del-ink", "del", 4.5),
                ("ins-ink", "ins", 4.5),
                ("s0", "paper", 3.0),
                ("s1", "paper", 3.0),
                ("s2", "paper", 3.0),
                ("s3", "paper", 3.0),
                ("s4", "paper", 3.0),
                ("s5", "paper", 3.0),
                ("s6", "paper", 3.0),
                ("s7", "paper", 3.0),
                ("on-p0", "p0", 4.5),
                ("on-p1", "p1", 4.5),
                ("on-p2", "p2", 4.5),
                ("on-p3", "p3", 4.5),
                ("on-p4", "p4", 4.5),
                ("on-p5", "p5", 4.5),
            ] {
                let ratio = contrast(variable(theme, ink), variable(theme, ground));
                assert!(ratio >= least, "{ink} on {ground}: {ratio:.2}");
            }
        }
    }

    fn variable(theme: &str, name: &str) -> Rgb {
        let (_, rest) = theme.split_once(&format!("--{name}: #")).expect("the theme names the colour");
        let part = |at: usize| u8::from_str_radix(&rest[at..at + 2], 16).expect("two hex digits");
        Rgb(part(0), part(2), part(4))
    }
}
