import t from 'tap'
import { storedVerdicts, verdicts } from '../../../bench/quality/short-circuit/verdicts.js'

const stored = storedVerdicts()
const found = verdicts()

t.strictSame(Object.keys(found), Object.keys(stored), 'the sets are those that verdicts are stored of: npm run bench:verdicts')
for (const [heading, kinds] of Object.entries(found)) t.strictSame(kinds.split(' '), stored[heading]?.split(' '), heading)
