import type { StallWatch } from '../../src/domain/fairness/stall-watch.js'

export const UNWATCHED: StallWatch = { during: (_command, _input, work) => work() }
