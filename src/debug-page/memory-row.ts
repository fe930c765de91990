import { type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import { wordsOf } from './asking.js'
import { ConfirmDialog } from './confirm-dialog.js'
import { counted } from './counted.js'
import { beginningOf } from './beginning.js'
import { LongText } from './long-text.js'
import { type Roving, rovingProps } from './roving.js'
import type { Memory, MemoryEdit } from './session-client.js'
import { when } from './when.js'

interface MemoryRowProps {
  readonly memory: Memory
  readonly edit: (edit: MemoryEdit) => Promise<void>
  readonly remove: () => Promise<void>
  readonly roving: Roving
}

/** One memory, with controls to change its importance, pin it or delete it. */
export function MemoryRow({ memory, edit, remove, roving }: MemoryRowProps): ComponentChildren {
  const [doing, setDoing] = useState<'nothing' | 'weighing' | 'asking'>('nothing')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await work()
      setDoing('nothing')
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  const name = beginningOf(memory.text, NAMED_CHARS)
  return h(
    'li',
    { class: memory.pinned ? 'pinned' : '', 'data-memory': memory.memory_hash, 'aria-busy': isBusy },
    h(LongText, { text: memory.text, roving }),
    h('small', null, factsOf(memory)),
    h(
      'div',
      { class: 'actions', role: 'toolbar', 'aria-label': `Change “${name}”` },
      h(
        'button',
        {
          ...rovingProps('pin', roving),
          type: 'button',
          'aria-pressed': memory.pinned,
          // A disabled button would lose the focus.
          'aria-disabled': isBusy,
          onClick: () => void attempt(() => edit({ pinned: !memory.pinned }))
        },
        memory.pinned ? 'Pinned' : 'Pin'
      ),
      h(
        'button',
        {
          ...rovingProps('importance', roving),
          type: 'button',
          'aria-expanded': doing === 'weighing',
          onClick: () => setDoing(doing === 'weighing' ? 'nothing' : 'weighing')
        },
        'Importance'
      ),
      h(
        'button',
        { ...rovingProps('delete', roving), type: 'button', 'aria-disabled': isBusy, onClick: () => setDoing(isBusy ? doing : 'asking') },
        'Delete'
      )
    ),
    doing === 'weighing' ? h(ImportanceForm, { memory, isBusy, save: (importance) => void attempt(() => edit({ importance })) }) : null,
    problem === null ? null : h('p', { class: 'refusal', role: 'alert' }, problem),
    doing === 'asking'
      ? h(
          ConfirmDialog,
          { title: 'Delete this memory?', verb: 'Delete', left: () => setDoing('nothing'), confirmed: () => void attempt(remove) },
          h('blockquote', { dir: 'auto' }, beginningOf(memory.text, QUOTED_CHARS)),
          h('p', null, 'It leaves every index, list and vector that it was folded into. This cannot be taken back.')
        )
      : null
  )
}

/** Characters of a memory quoted in a confirmation. */
const QUOTED_CHARS = 300
const NAMED_CHARS = 40

interface ImportanceProps {
  readonly memory: Memory
  readonly isBusy: boolean
  readonly save: (importance: number) => void
}

function ImportanceForm({ memory, isBusy, save }: ImportanceProps): ComponentChildren {
  const [given, setGiven] = useState(String(Number(memory.importance.toFixed(3))))
  const id = `importance-${memory.memory_id}`
  const submit = (event: Event): void => {
    event.preventDefault()
    save(Number(given))
  }
  return h(
    'form',
    { class: 'importance', onSubmit: submit },
    h('label', { for: id }, 'Importance, from 0'),
    h('input', {
      id,
      type: 'number',
      min: 0,
      step: 'any',
      required: true,
      value: given,
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setGiven(currentTarget.value)
    }),
    h('button', { type: 'submit', disabled: isBusy }, 'Save')
  )
}

function factsOf(memory: Memory): ComponentChildren {
  const { role, tier, importance, access_count: accessCount, timestamp, user_id: userId, score, memory_hash: hash } = memory
  const facts: ComponentChildren[] = [
    `${role} · ${tier.replaceAll('_', ' ')} · importance ${importance.toFixed(2)} · used ${counted(accessCount, 'time')}`,
    when(timestamp),
    ...(userId === null ? [] : [['of ', h('bdi', null, userId)]]),
    ...(score === undefined ? [] : [`score ${score.toFixed(3)}`]),
    // Shown for copying: the routes of a memory take the hash.
    h('code', null, hash)
  ]
  return facts.flatMap((fact, index) => (index === 0 ? [fact] : [' · ', fact]))
}
