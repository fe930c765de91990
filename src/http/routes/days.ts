/** Extension beyond the interface: what a session did on each of its last days. */
import { Type } from '@sinclair/typebox'
import { DAYS_MAX } from '../../domain/day-counts.js'
import { createWriter } from '../contract/codec.js'
import type { Http } from '../contract/contracts.js'
import { SessionPath } from '../contract/schemas.js'
import type { AskSession } from '../contract/session-ask.js'

const Share = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description: 'Null where no drift was judged.' })

const Day = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'UTC.' }),
    turns: Type.Integer(),
    drift_mean: Share,
    drift_max: Share,
    drifted_turns: Type.Integer({ description: 'Turns whose score reached the drift threshold.' }),
    short_circuits: Type.Integer(),
    saved_tokens: Type.Integer({
      description:
        'Estimate of what a language model would have read and written for the short-circuited turns: the message, its context block and the known answer.'
    })
  },
  { title: 'SessionDay' }
)

const DaysResponse = Type.Object({ session_id: Type.String(), days: Type.Array(Day, { maxItems: DAYS_MAX }) })

const writeDays = createWriter(DaysResponse)

/** The days of a session. */
export function addDayRoutes(app: Http, { askSession }: { askSession: AskSession }): void {
  app.get(
    '/v1/session/:session_id/days',
    {
      schema: {
        operationId: 'session_days',
        tags: ['extensions'],
        summary: 'Turns, drift and short circuits of a session by day',
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
