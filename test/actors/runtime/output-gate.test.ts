import t from 'tap'
import type { Delivery, Outcome } from '../../../actors/behaviour/delivery.js'
import { abandonGate, beginWrite, createOutputGate, passGate, releaseWritten } from '../../../actors/runtime/output-gate.js'
import { DomainError } from '../../../src/domain/errors.js'
import { settled } from '../../support/manual-clock.js'
import { unlimitedBudget } from '../../support/unlimited-budget.js'

const CHANGES = { head: 1, put: [], remove: [] }

function open({ isVerified = false } = {}) {
  const gate = createOutputGate()
  const left: string[] = []
  const pass = (name: string, changes: typeof CHANGES | null, isRemoval = false, afterwards: (() => Promise<void>) | null = null) => {
    const settle = (outcome: Outcome) => void left.push(outcome.isOk ? name : `${name}: ${outcome.error.code}`)
    const delivery: Delivery = {
      command: { type: name },
      requestId: name,
      deadlineAtMs: 0,
      hold: unlimitedBudget().openHold('command', 'anna'),
      reservation: unlimitedBudget().openReservation('anna'),
      isForeign: false,
      settle
    }
    const result = { reply: name, changes, isRemoval, ...(afterwards !== null && { afterwards }) }
    return passGate(gate, { delivery, stepped: { isOk: true, result }, isVerified })
  }
  return { gate, left, pass }
}

const ended = () => new DomainError('fenced', 'Another writer')

t.test('a read leaves at once unless something that it may have seen is not durable', async (t) => {
  const { gate, left, pass } = open()
  t.equal(pass('read', null), null)
  t.same(left, ['read'])
  t.equal(pass('write', CHANGES), 'changes.commit')
  t.equal(pass('second write', CHANGES), null, 'the commit that was asked for takes it as well')
  pass('second read', null)
  t.same(left, ['read'])
  await beginWrite(gate, false, async (batch) => t.equal(batch.changes.steps, 2))
  pass('third read', null)
  t.equal(pass('third write', CHANGES), 'changes.commit')
  pass('fourth read', null)
  releaseWritten(gate)
  t.same(left, ['read', 'write', 'second write', 'second read', 'third read'])
})

t.test('a reply leaves once what follows its write is done, of a removal too, and that of a read does not wait for it', async (t) => {
  for (const isRemoval of [false, true]) {
    const { gate, left, pass } = open({ isVerified: true })
    let finish = () => {}
    const afterwards = () => new Promise<void>((resolve) => (finish = resolve))
    pass('write', isRemoval ? null : CHANGES, isRemoval, afterwards)
    pass('read', null, false, afterwards)
    await beginWrite(gate, isRemoval, async () => {})
    releaseWritten(gate)
    t.same(left, ['read'])
    finish()
    await settled()
    t.same(left, ['read', 'write'])
  }
})

t.test('a removal is nothing that a commit takes and the other way round', async (t) => {
  const { gate, left, pass } = open()
  const write = async () => t.fail('nothing is to be written')
  t.equal(beginWrite(gate, false, write), null)
  pass('write', CHANGES)
  t.equal(beginWrite(gate, true, write), null)
  t.equal(pass('removal', null, true), 'record.remove')
  t.equal(beginWrite(gate, false, write), null)
  await beginWrite(gate, true, async () => {})
  releaseWritten(gate)
  t.same(left, ['write', 'removal'])
})

t.test('an abandoned gate refuses what was gathered and lets what is being written follow its write', async (t) => {
  for (const isWritten of [true, false]) {
    const { gate, left, pass } = open()
    pass('first', CHANGES)
    let finish: (isFine: boolean) => void = () => {}
    const write = beginWrite(
      gate,
      false,
      () => new Promise<void>((resolve, reject) => (finish = (isFine) => (isFine ? resolve() : reject(ended()))))
    )
    write?.catch(() => {})
    pass('second', CHANGES)
    abandonGate(gate, () => new DomainError('internal', 'Internal error'))
    t.same(left, ['second: internal'])
    finish(isWritten)
    await settled()
    t.same(left, ['second: internal', isWritten ? 'first' : 'first: fenced'])
  }
})

t.test('a verified read waits for a batch that began after it, whether that writes or not', async (t) => {
  const { gate, left, pass } = open({ isVerified: true })
  t.equal(pass('read', null), 'changes.commit')
  t.equal(pass('read beside it', null), null, 'one question for both')
  await beginWrite(gate, false, async (batch) => t.equal(batch.changes.steps, 0))
  t.equal(pass('later read', null), 'changes.commit', 'the answer under way may be from before it')
  releaseWritten(gate)
  t.same(left, ['read', 'read beside it'])
  t.equal(pass('write', CHANGES), null, 'it joins the batch that was asked for')
  await beginWrite(gate, false, async (batch) => t.equal(batch.changes.steps, 1))
  pass('read during the write', null)
  releaseWritten(gate)
  t.same(left.slice(2), ['later read', 'write'])
  await beginWrite(gate, false, async (batch) => t.equal(batch.changes.steps, 0))
  releaseWritten(gate)
  t.same(left.slice(4), ['read during the write'])
})

t.test('a removal takes the verified reads along that wait', async (t) => {
  const { gate, left, pass } = open({ isVerified: true })
  pass('read', null)
  t.equal(pass('removal', null, true), 'record.remove')
  t.equal(
    beginWrite(gate, false, async () => t.fail('nothing is to be asked')),
    null
  )
  await beginWrite(gate, true, async () => {})
  releaseWritten(gate)
  t.same(left, ['read', 'removal'])
})
