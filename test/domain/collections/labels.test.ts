import t from 'tap'
import { Labels } from '../../../src/domain/collections/labels.js'

t.test('labels count up from 0, and one that was freed is given again before a new one', async (t) => {
  const labels = new Labels<string>()
  t.same(
    ['a', 'b', 'c'].map((owner) => labels.take(owner)),
    [0, 1, 2]
  )
  t.same([labels.get(1), labels.get(3)], ['b', undefined])
  labels.free(1)
  t.equal(labels.get(1), undefined)
  labels.free(0)
  t.same(['d', 'e', 'f'].map((owner) => labels.take(owner)).toSorted(), [0, 1, 3])
  t.same([0, 1, 2, 3].map((label) => labels.get(label)).toSorted(), ['c', 'd', 'e', 'f'])
})

t.test('labels that are cleared begin at 0 again, whatever was freed before', async (t) => {
  const labels = new Labels<string>()
  labels.take('a')
  labels.free(labels.take('b'))
  labels.clear()
  t.equal(labels.get(0), undefined)
  t.same([labels.take('c'), labels.take('d')], [0, 1])
  t.equal(labels.get(0), 'c')
})
