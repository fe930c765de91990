/**
 * Server-sent events out of the text of an answer. A browser's own reader has to be told every name of an event beforehand, and comes
 * back by itself with a ticket that is used up; this one does neither.
 */

export interface EventFrame {
  readonly event: string
  readonly data: string
}

/** Takes text as it comes, and returns the frames that it completes. Comments and unknown fields are passed over. */
export function createFrameReader(): (text: string) => EventFrame[] {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => toFrame(block) ?? [])
  }
}

function toFrame(block: string): EventFrame | null {
  const fields = block.split('\n').map((line) => /^(\w+):\s?(.*)$/.exec(line))
  const valuesOf = (name: string): string[] => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []))
  const data = valuesOf('data')
  return data.length === 0 ? null : { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }
}
