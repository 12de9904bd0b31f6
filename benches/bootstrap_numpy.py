"""The bootstrap of crates/scoring/examples/bootstrap_bench.rs in numpy: 1,000 replicates over 5,383 pairs for 19 subjects.

Run by hand, or by the example if it is given a python with numpy. Prints one line per way of doing it: name, seconds
(best of five). All draw the same resample for all subjects and end in 57 percentile intervals.

  take      what one writes first: draw indices, take the rows, sum
  multiply  what one writes when that is too slow: count the draws, multiply counts by outcomes (BLAS, all cores)
  blocks    the same in blocks of 100 replicates, which keeps the counts in the cache
"""

import time

import numpy as np

PAIRS, REPLICATES = 5383, 1000

# specs 10.2: N, control-correct, robust, rigid
SUBJECTS = [
    (5379, 2572, 670, 1212), (5379, 2270, 609, 1047), (5379, 2133, 605, 1016), (5379, 2373, 607, 1286),
    (5379, 2208, 599, 991), (5379, 2165, 638, 941), (5379, 2179, 613, 944), (5379, 2921, 849, 1515),
    (5379, 2882, 590, 1755), (5379, 2264, 665, 973), (5379, 803, 172, 295), (5379, 350, 64, 154),
    (5379, 2201, 628, 1186), (5379, 2422, 386, 1601), (5379, 1489, 332, 807), (5379, 1727, 436, 720),
    (5367, 1594, 555, 643), (5381, 3739, 1303, 1262), (5376, 2983, 1072, 1143),
]


def outcomes():
    """Pairs × (answered, control-correct, robust, rigid of each subject), scattered differently for each subject."""
    columns = []
    for subject, (answered, control, robust, rigid) in enumerate(SUBJECTS):
        # The stride shares no factor with 5,383 = 7 · 769, so every place is visited once.
        place = (np.arange(PAIRS) * (7 * (14 + subject) + 1)) % PAIRS
        columns += [place < answered, place < control, place < robust, (robust <= place) & (place < robust + rigid)]
    return np.array(columns, dtype=float).T.copy()


def intervals(sums):
    answered, control, robust, rigid = (sums[:, k::4] for k in range(4))
    ratios = np.concatenate([control / answered, robust / answered, rigid / control], axis=1)
    return np.percentile(ratios, [2.5, 97.5], axis=0)


def take(values, rng):
    sums = np.empty((REPLICATES, values.shape[1]))
    for replicate in range(REPLICATES):
        sums[replicate] = values[rng.integers(0, PAIRS, PAIRS)].sum(axis=0)
    return intervals(sums)


def counts(rng, replicates):
    drawn = rng.integers(0, PAIRS, (replicates, PAIRS), dtype=np.int32)
    drawn += np.arange(replicates, dtype=np.int32)[:, None] * PAIRS
    return np.bincount(drawn.ravel(), minlength=replicates * PAIRS).reshape(replicates, PAIRS).astype(float)


def multiply(values, rng):
    return intervals(counts(rng, REPLICATES) @ values)


def blocks(values, rng):
    return intervals(np.concatenate([counts(rng, 100) @ values for _ in range(REPLICATES // 100)]))


def main():
    values = outcomes()
    for way in (take, multiply, blocks):
        seconds = []
        for seed in range(5):
            rng = np.random.default_rng(seed)
            start = time.perf_counter()
            found = way(values, rng)
            seconds.append(time.perf_counter() - start)
        print(f"{way.__name__} {min(seconds):.6f}")
    low, high = found[:, 2 * len(SUBJECTS) + 7]
    print(f"check {low:.4f} {high:.4f}")


if __name__ == "__main__":
    main()
