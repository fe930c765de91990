import t from 'tap'
import { readAtOnce } from '../../support/fact-reading.js'

t.test('what asks for a meaning is read as one question', async (t) => {
  for (const text of ['Define entropy', 'What is the meaning of entropy', 'What is the definition of entropy'])
    t.equal(readAtOnce(text).text, 'what does entropy mean', text)
})
