import { firstWeek } from './first-week.js'
import { fourthWeek } from './fourth-week.js'
import { secondWeek } from './second-week.js'
import { thirdWeek } from './third-week.js'
import type { Turn } from './turn.js'

/** A month with an assistant: eight subjects that come and go, a quarter of it in German, written for this project. */
export const month: readonly Turn[] = [...firstWeek, ...secondWeek, ...thirdWeek, ...fourthWeek]
