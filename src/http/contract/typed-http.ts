/** Types of Fastify as the routes use it: by their schemas, and with what the service's plugins add to a request and to a route. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { AnswerShares, Lane } from './contracts.js'

/** Types a handler's request and reply by its schemas. */
interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** A Fastify instance whose routes are typed by their schemas. */
export type Http = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, SchemaTypes>

declare module 'fastify' {
  interface FastifyRequest {
    /** `sub` of the licence, once authenticated; empty on routes without authentication. */
    subject: string
    /** Its route, once `routeOf` was asked for it. */
    route?: FastifyRequest['routeOptions']
    /** Set before any handler runs. */
    answerShares: AnswerShares
    /** W3C `traceparent` of the request's span; null when no spans are collected. */
    trace: string | null
    /** The raw bytes of the body, if the route has `isSourceKept` and the request has a body. */
    source: Buffer | null
  }
  interface FastifyContextConfig {
    /** Who may call the route; default `license`. `basic` and `ticket` routes check for themselves. */
    access?: 'license' | 'public' | 'basic' | 'ticket'
    /** False: the route does not count towards the rate limit of an address, and has a generous limit of its own. */
    isRateLimited?: boolean
    /** The lane in which requests wait; default `commands`. Null: they do not wait. Only for `license`. */
    lane?: Lane | null
    /** True: a page that links on other sites may open. */
    isPage?: boolean
    /** True: the raw bytes of a JSON body are kept in `request.source`. */
    isSourceKept?: boolean
    /** True: the body is a session export, and any fault in it is answered with 400. */
    isExport?: boolean
  }
}
