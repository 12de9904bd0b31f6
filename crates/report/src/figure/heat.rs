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
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// A part of a colour without the curve that files keep it on, 0..1.
fn linear(part: u8) -> f64 {
    let part = f64::from(part) / 255.0;
    if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
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
        for theme in halves() {
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
                ("p0", "paper", 3.0),
                ("p1", "paper", 3.0),
                ("p2", "paper", 3.0),
                ("p3", "paper", 3.0),
                ("p4", "paper", 3.0),
                // The sixth is hollow and seen by its outline, as cells from few cases are.
                ("quiet", "p5", 3.0),
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

    /// The colours of bars and parts, as all of us see them and as the colour-blind do.
    #[test]
    fn bars_are_told_apart_by_the_colour_blind() {
        for theme in halves() {
            let bars = ["p0", "p1", "p2", "p3", "p4", "p5"].map(|name| variable(theme, name));
            for sight in SIGHTS {
                for (place, one) in bars.iter().enumerate() {
                    for other in &bars[..place] {
                        let apart = one.seen(sight).distance(&other.seen(sight));
                        assert!(apart >= 15.0, "{} and {} are {apart:.1} apart", one.hex(), other.hex());
                    }
                }
            }
        }
    }

    /// Programs without variables must not see other colours than browsers do.
    #[test]
    fn what_is_written_twice_is_the_same_colour() {
        let [day, _] = halves();
        let mut pairs = 0;
        for rule in super::super::MARKS.lines() {
            let parts: Vec<&str> = rule.split(['{', ';', '}']).map(str::trim).collect();
            for pair in parts.windows(2) {
                let Some((property, name)) = pair[1].split_once(": var(--") else { continue };
                let expected = format!("{property}: {}", variable(day, name.trim_end_matches(')')).hex());
                assert_eq!(pair[0], expected, "{rule}");
                pairs += 1;
            }
        }
        assert!(pairs > 40, "only {pairs} found");
    }

    /// By day and by night.
    fn halves() -> [&'static str; 2] {
        super::super::THEME.split_once("@media screen").expect("the theme has a dark half").into()
    }

    type Matrix = [[f64; 3]; 3];

    /// Full sight, then protanopia, deuteranopia and tritanopia on linear colours, from Machado, Oliveira and Fernandes (2009), at full severity.
    const SIGHTS: [Matrix; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    /// A colour in CIELAB, where distance is what the eye takes it to be.
    struct Seen([f64; 3]);

    impl Seen {
        fn distance(&self, other: &Self) -> f64 {
            self.0.iter().zip(other.0).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        }
    }

    impl Rgb {
        fn seen(self, sight: Matrix) -> Seen {
            let parts = [self.0, self.1, self.2].map(linear);
            let times = |row: [f64; 3]| row.iter().zip(parts).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0);
            let [r, g, b] = sight.map(times);
            let root = |t: f64| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 };
            let x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
            let y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
            let z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
            Seen([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])
        }
    }

    fn variable(theme: &str, name: &str) -> Rgb {
        let (_, rest) = theme.split_once(&format!("--{name}: #")).expect("the theme names the colour");
        let part = |at: usize| u8::from_str_radix(&rest[at..at + 2], 16).expect("two hex digits");
        Rgb(part(0), part(2), part(4))
    }
}
