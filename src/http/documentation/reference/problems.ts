/** Schemas of refusals. */

export const PROBLEM = { $ref: '#/components/schemas/Problem' }
export const CHAT_PROBLEM = { $ref: '#/components/schemas/ChatProblem' }
export const VALIDATION_PROBLEM = { $ref: '#/components/schemas/ValidationProblem' }

export const STRING = { type: 'string' as const }

const FIELD_ERROR = {
  type: 'object' as const,
  required: ['loc', 'msg', 'type'],
  properties: {
    loc: {
      type: 'array' as const,
      items: { anyOf: [STRING, { type: 'integer' as const }] },
      description: 'Path of the field: first `body`, `query`, `path` or `header`, then names, and indexes of list items.'
    },
    msg: { ...STRING, description: 'What is wrong with it, in a sentence for people.' },
    type: { ...STRING, description: 'Stable name of the fault, such as `missing` or `string_too_long`.' }
  }
}

const NULLABLE_STRING = { anyOf: [STRING, { type: 'null' as const }] }

/** By their names in the document. */
export const SCHEMAS = {
  Problem: {
    type: 'object' as const,
    required: ['detail'],
    properties: { detail: { ...STRING, description: 'Why the request was refused, in a sentence for people.' } }
  },
  FieldError: FIELD_ERROR,
  ValidationProblem: {
    type: 'object' as const,
    required: ['detail'],
    properties: {
      detail: {
        type: 'array' as const,
        items: { $ref: '#/components/schemas/FieldError' },
        description: 'The faults, at most one for each field, 16 in all.'
      }
    }
  },
  ChatProblem: {
    type: 'object' as const,
    required: ['error'],
    properties: {
      error: {
        type: 'object' as const,
        description: 'The refusal, in the envelope that chat clients read.',
        required: ['message', 'type', 'param', 'code'],
        properties: {
          message: { ...STRING, description: 'Why the request was refused, in a sentence for people.' },
          type: { ...STRING, description: 'Kind of the refusal: `invalid_request_error`, `rate_limit_error` or `server_error`.' },
          param: { ...NULLABLE_STRING, description: 'Field at fault, such as `messages[0].role`; null if it is none.' },
          code: { ...STRING, description: 'Stable name of the reason, such as `invalid_api_key`.' }
        }
      }
    }
  }
}
