//! Numbers with their nouns.

/// `1 family`, `2 families`
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_one() {
        let families = |number| counted(number, "family", "families");
        assert_eq!([families(0), families(1), families(2)], ["0 families", "1 family", "2 families"]);
    }
}
