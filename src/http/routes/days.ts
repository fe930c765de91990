/** Extension beyond the interface: activity per day, of one session and of all sessions of a subject. */
import { Type } from '@sinclair/typebox'
import { dateOf, DAYS_MAX, type DaySum } from '../../domain/day-counts.js'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Directory } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { AnsweredSessionId, nullable, SessionId, SessionPath } from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'

const Share = nullable(Type.Number({ minimum: 0, maximum: 1 }), 'Over the drift scores of the day; null if none was judged.')

const DATE = Type.String({ format: 'date', description: 'Day in UTC.' })
const TURNS = Type.Integer({ description: 'Number of turns. A message that isolation holds back is no turn.' })
const DRIFTED = Type.Integer({ description: 'Number of turns whose score reached the drift threshold.' })
const SHORT_CIRCUITS = Type.Integer({ description: 'Number of turns that were short circuits.' })
const SAVED = Type.Integer({
  description:
    'Estimated tokens that a language model would have read and written for the short-circuited turns: the message, its context block and the known answer.'
})

const Day = Type.Object(
  {
    date: DATE,
    turns: TURNS,
    drift_mean: Share,
    drift_max: Share,
    drifted_turns: DRIFTED,
    short_circuits: SHORT_CIRCUITS,
    saved_tokens: SAVED
  },
  { title: 'SessionDay' }
)

const SubjectDay = Type.Object(
  { date: DATE, turns: TURNS, drifted_turns: DRIFTED, short_circuits: SHORT_CIRCUITS, saved_tokens: SAVED },
  { title: 'SubjectDay' }
)

const DAYS = 'The days on which there were turns, oldest first.'

const DaysResponse = Type.Object({
  session_id: AnsweredSessionId,
  days: Type.Array(Day, { maxItems: DAYS_MAX, description: DAYS })
})

const SumsQuery = Type.Object({
  max_sessions: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.PAGE_MAX, default: limits.PAGE_MAX })),
  after: Type.Optional(SessionId)
})

const SumsResponse = Type.Object({
  days: Type.Array(SubjectDay, { maxItems: DAYS_MAX, description: DAYS }),
  sessions: Type.Integer({ description: 'Number of sessions in the sums.' }),
  next: nullable(Type.String(), 'Value of `after` for the sums over the next sessions; null if there are no more.')
})

const readSums = createReader(SumsQuery)
const writeDays = createWriter(DaysResponse)
const writeSums = createWriter(SumsResponse)

interface DayRoutesOptions {
  readonly askSession: AskSession
  readonly directory: Pick<Directory, 'sumDays'>
}

/** Adds the routes for the days of one session, and of all sessions together. */
export function addDayRoutes(app: Http, { askSession, directory }: DayRoutesOptions): void {
  app.get(
    '/v1/days',
    {
      schema: {
        operationId: 'days',
        tags: ['extensions'],
        summary: "Sum up turns, drift and short circuits of the caller's sessions by day, without counting as use of them",
        querystring: SumsQuery,
        response: { 200: SumsResponse }
      }
    },
    async (request) => {
      const { maxSessions: limit = limits.PAGE_MAX, ...query } = readSums(request.query)
      const { days, ...page } = await directory.sumDays(request.subject, { limit, ...query })
      return writeSums({ days: days.map(toSubjectDay), ...page })
    }
  )

  app.get(
    '/v1/session/:session_id/days',
    {
      schema: {
        operationId: 'session_days',
        tags: ['extensions'],
        summary: 'List turns, drift and short circuits of a session by day',
        params: SessionPath,
        response: { 200: DaysResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      return writeDays({ sessionId: session_id, ...(await askSession(request, session_id, { type: 'session.days' })) })
    }
  )
}

function toSubjectDay([day, turns, driftedTurns, shortCircuits, savedTokens]: DaySum) {
  return { date: dateOf(day), turns, driftedTurns, shortCircuits, savedTokens }
}
