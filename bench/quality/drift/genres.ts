/** Conversations with marked changes of subject, by genre. */
import { readFileSync } from 'node:fs'
import { month } from '../../../examples/conversation/month.js'
import type { Role } from '../../../src/domain/session.js'
import { type LocomoSample, sittingsOf } from '../retrieval/locomo.js'
import { createRandom } from '../statistics.js'

export interface MarkedTurn {
  readonly role: Exclude<Role, 'synthetic'>
  readonly text: string
  /** Null where drift is not judged: the first turn, and turns of an assistant. */
  readonly isChange: boolean | null
  /** Number of the stretch's topic; unique within the conversation. */
  readonly topic: number
}

export interface Genre {
  readonly name: string
  readonly conversations: readonly (readonly MarkedTurn[])[]
}

/** File of each set in the data folder. */
export const DATA_FILES = { locomo: 'locomo-dev.json', tiage: 'tiage-dev.json' } as const

const DIALOGUE_FILES = ['english-1', 'english-2', 'german-1', 'german-2']
const TALK_FILES = ['english-talks-1', 'english-talks-2']
/** Number of spliced conversations, and the turns after which one is long enough. */
const SPLICES = 100
const SPLICED_TURNS = 20
/** Minimum and maximum turns of one stretch. */
const STRETCH = [4, 9] as const

/** Genres for fitting weights; each is left out once. */
export function trainingGenres(data: string, seed: number): Genre[] {
  return [
    { name: 'people (TIAGE)', conversations: tiage(`${data}/${DATA_FILES.tiage}`) },
    { name: 'assistant, own dialogues', conversations: assistantDialogues() },
    { name: 'splices of LoCoMo', conversations: splices(`${data}/${DATA_FILES.locomo}`, seed) }
  ]
}

/** An additional genre for fitting, of the same kind of talk as TIAGE but written for this project. */
export function ownTalksGenre(): Genre {
  return { name: 'people, own talks', conversations: peopleTalks() }
}

/** The month that the demo replays. */
export function demoGenre(): Genre {
  const turns = month.flatMap((turn, at): MarkedTurn[] => {
    const isChange = at === 0 ? null : turn.topic !== month[at - 1]?.topic
    const topic = [...new Set(month.map((other) => other.topic))].indexOf(turn.topic)
    return [
      { role: 'user', text: turn.user, isChange, topic },
      { role: 'assistant', text: turn.assistant, isChange: null, topic }
    ]
  })
  return { name: 'demo', conversations: [turns] }
}

/** Format: `# title`, then turns: `>` by a person, `>>` by a person who changes the subject, `<` by the assistant. */
export function readDialogues(text: string): MarkedTurn[][] {
  return text
    .split(/^# .*$/m)
    .slice(1)
    .map((dialogue) => {
      let topic = 0
      return dialogue
        .trim()
        .split('\n')
        .map((line, at) => {
          const [, mark = '', said = ''] = /^(>>|>|<) (.+)$/.exec(line) ?? []
          if (said === '') throw new Error(`not a turn: ${line}`)
          if (mark === '>>') topic++
          return { role: mark === '<' ? 'assistant' : 'user', text: said, isChange: mark === '<' || at === 0 ? null : mark === '>>', topic }
        })
    })
}

/** Conversations with an assistant: thirty in English and thirty in German, of ten questions and ten answers each. */
export function assistantDialogues(language?: 'english' | 'german'): MarkedTurn[][] {
  return readFiles(DIALOGUE_FILES.filter((name) => language === undefined || name.startsWith(language)))
}

/** Conversations between two people who are both users: strangers, friends and colleagues. */
function peopleTalks(): MarkedTurn[][] {
  return readFiles(TALK_FILES)
}

function readFiles(names: readonly string[]): MarkedTurn[][] {
  return names.flatMap((name) => readDialogues(readFileSync(new URL(`./dialogues/${name}.txt`, import.meta.url), 'utf8')))
}

function tiage(path: string): MarkedTurn[][] {
  const dialogues = Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, (readonly [string, string])[]>)
  return dialogues.map((utterances) => {
    let topic = 0
    return utterances.map(([text, label]) => {
      if (label === '1') topic++
      return { role: 'user', text, isChange: label === '-1' ? null : label === '1', topic }
    })
  })
}

/** Splices stretches of sittings, each from another conversation than the one before. Every new stretch changes the subject. */
function splices(path: string, seed: number): MarkedTurn[][] {
  const samples = (JSON.parse(readFileSync(path, 'utf8')) as LocomoSample[]).map(sittingsOf)
  const random = createRandom(seed)
  const below = (bound: number): number => Math.floor(random() * bound)
  return Array.from({ length: SPLICES }, () => {
    const turns: MarkedTurn[] = []
    let last = -1
    for (let topic = 0; turns.length < SPLICED_TURNS; topic++) {
      last = (last + 1 + below(samples.length - (last < 0 ? 0 : 1))) % samples.length
      const sittings = samples[last] ?? []
      const sitting = sittings[below(sittings.length)] ?? []
      const length = STRETCH[0] + below(STRETCH[1] - STRETCH[0] + 1)
      const from = below(Math.max(1, sitting.length - length))
      for (const [at, { text }] of sitting.slice(from, from + length).entries()) {
        turns.push({ role: 'user', text, isChange: turns.length === 0 ? null : at === 0, topic })
      }
    }
    return turns
  })
}
