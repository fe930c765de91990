/** Scores of drift that say how many such turns are changes. Odds are logarithmic. */

/**
 * Where turns reach the threshold fewer than half of them are changes: a change missed costs more than an ordinary turn reported. So that
 * scores above it still say how many are, odds grow slowly until half are, at a score of .55, and keep that distance from there on.
 */
const RELUCTANCE = 0.2
const GAP = 0.8

export function chanceOf(odds: number): number {
  return 1 / (1 + Math.exp(-odds))
}

export function oddsOfChance(chance: number): number {
  return Math.log(chance / (1 - chance))
}

/** Odds as they are shown: monotone, and the same up to the threshold. */
export function calibrated(odds: number, gap = GAP): number {
  return odds <= 0 ? odds : Math.max(RELUCTANCE * odds, odds - gap)
}
