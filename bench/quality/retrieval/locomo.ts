/** Long conversations with questions and their evidence, in the LoCoMo format. */

export interface LocomoTurn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

export interface LocomoQuestion {
  readonly question: string
  /** Ids of the turns that contain the answer. */
  readonly evidence: readonly string[]
  /** 1 several turns, 2 time, 3 world knowledge, 4 one turn, 5 adversarial. */
  readonly category: number
}

export interface LocomoSample {
  readonly sample_id: string
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly LocomoQuestion[]
}

/** Returns the sittings of a conversation, oldest first. */
export function sittingsOf({ conversation }: LocomoSample): (readonly LocomoTurn[])[] {
  return Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .sort((a, b) => Number(a) - Number(b))
    .map((number) => conversation[`session_${number}`] as readonly LocomoTurn[])
}

/** Text to feed in: the speaker's name, the text, and the caption of a shared image. */
export function textOf({ speaker, text, blip_caption: caption }: LocomoTurn): string {
  return `${speaker}: ${text}${caption === undefined ? '' : ` [shares ${caption}]`}`
}
