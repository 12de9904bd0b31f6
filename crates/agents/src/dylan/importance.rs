//! How much each agent contributed: from the result backwards, along the scores the agents gave each other (DyLAN, section 3.2).

/// An answer given in a round.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub agent: usize,
    /// The first choice, by its proper name.
    pub choice: String,
    /// Agents of the round before, with their share of the scores; the shares add up to 1. Empty in the first round.
    pub weights: Vec<(usize, f64)>,
}

/// Scores → shares. A score is at least 1, so the sum is never 0.
pub(super) fn weights(agents: &[usize], scores: &[u8]) -> Vec<(usize, f64)> {
    let total: f64 = scores.iter().map(|&score| f64::from(score)).sum();
    agents.iter().zip(scores).map(|(&agent, &score)| (agent, f64::from(score) / total)).collect()
}

/// Per round and agent. Those of the last round who gave the result share 1 equally; a node before them has what it was
/// scored by each node after it, times what that one has. Every round adds up to 1.
pub(super) fn importance(rounds: &[Vec<Node>], agents: usize, result: &str) -> Vec<Vec<f64>> {
    let mut shares = vec![vec![0.0; agents]; rounds.len()];
    let Some(last) = rounds.last() else { return shares };
    let right: Vec<&Node> = last.iter().filter(|node| node.choice == result).collect();
    for node in &right {
        shares[rounds.len() - 1][node.agent] = 1.0 / right.len() as f64;
    }
    for round in (1..rounds.len()).rev() {
        for node in &rounds[round] {
            for &(agent, weight) in &node.weights {
                shares[round - 1][agent] += weight * shares[round][node.agent];
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(nodes: &[(usize, &str)], scores: Option<&[u8]>) -> Vec<Node> {
        let node = |&(agent, choice): &(usize, &str)| Node {
            agent,
            choice: choice.to_owned(),
            weights: scores.map(|scores| weights(&[0, 1, 2, 3], scores)).unwrap_or_default(),
        };
        nodes.iter().map(node).collect()
    }

    fn near(shares: &[f64], wanted: &[f64]) {
        assert_eq!(shares.len(), wanted.len());
        assert!(shares.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{shares:?} {wanted:?}");
    }

    // specs.md 6.3, run on the released code.
    #[test]
    fn the_published_example_comes_out() {
        let everybody = [(0, "a"), (1, "b"), (2, "c"), (3, "d")];
        let rounds = [
            round(&everybody, None),
            round(&everybody, Some(&[5, 3, 1, 1])),
            round(&[(0, "a"), (1, "a")], Some(&[4, 4, 1, 1])),
        ];
        let shares = importance(&rounds, 4, "a");
        near(&shares[0], &[0.5, 0.3, 0.1, 0.1]);
        near(&shares[1], &[0.4, 0.4, 0.1, 0.1]);
        near(&shares[2], &[0.5, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn only_those_who_gave_the_result_have_a_share_of_the_last_round() {
        let rounds = [round(&[(2, "a"), (0, "b"), (1, "a"), (3, "a")], None)];
        near(&importance(&rounds, 4, "a")[0], &[0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
    }

    proptest::proptest! {
        #[test]
        fn every_round_adds_up_to_one(
            scores in proptest::collection::vec(proptest::collection::vec(1..=5u8, 4), 1..12),
            right in 0..4usize,
        ) {
            let everybody = [0, 1, 2, 3];
            let mut rounds = vec![round(&[(0, "x"), (1, "x"), (2, "x"), (3, "x")], None)];
            for scored in scores.chunks(4) {
                let nodes = scored.iter().zip(everybody).map(|(scores, agent)| Node {
                    agent,
                    choice: if agent == right % scored.len() { "a".to_owned() } else { "x".to_owned() },
                    weights: weights(&everybody, scores),
                });
                rounds.push(nodes.collect());
            }
            for shares in importance(&rounds, 4, "a") {
                proptest::prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
    }
}
