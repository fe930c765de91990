/** Calibrates drift scores, so that a score tells what share of such turns are changes. Odds are logarithmic. */

/**
 * At the threshold fewer than half of the turns are changes, because a missed change costs more than a false report. So that higher scores
 * still tell the share, odds first grow slowly, until half are changes at a score of .55, and then keep their distance.
 */
const RELUCTANCE = 0.2
const GAP = 0.8

export function chanceOf(odds: number): number {
  return 1 / (1 + Math.exp(-odds))
}

export function oddsOfChance(chance: number): number {
  return Math.log(chance / (1 - chance))
}

/** Calibrated odds: monotone, and unchanged up to the threshold. */
export function calibrated(odds: number, gap = GAP): number {
  return odds <= 0 ? odds : Math.max(RELUCTANCE * odds, odds - gap)
}
