/** Room that is kept for what a command will add to its actor: until its step has run, nobody else takes it. */
import { minus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/weight.js'
import type { Held } from './held.js'
import type { Way } from './way.js'

export interface Keep {
  /** Whether the actor may grow by so much. Nothing is kept for it. */
  fits(growth: Weight): boolean
  /** Keeps room for so much in all, if there is some now. */
  take(growth: Weight): boolean
  /** The same once idle actors have made way. Throws `memory_exhausted`. */
  makeWay(growth: Weight): Promise<void>
  /** Throws `memory_exhausted` unless the actor may grow by so much, what is kept included. */
  admit(growth: Weight): void
  /** Gives back what is kept: the step has run, or the command begins anew. What `makeWay` still waits for is then not kept either. */
  end(): void
  /** The same for good: the command is answered, though it may still be prepared. */
  close(): void
}

/** A class, because each command has one. */
export class SubjectKeep implements Keep {
  private kept = WEIGHTLESS
  /** How often it was ended; Infinity once it is closed. */
  private ends = 0

  constructor(
    private readonly subject: string,
    private readonly held: Held,
    private readonly way: Way
  ) {}

  fits(growth: Weight): boolean {
    const more = this.beyond(growth)
    return totalOf(more) <= 0 || this.way.isRoom({ subject: this.subject, growth: more })
  }

  take(growth: Weight): boolean {
    const isRoom = this.fits(growth)
    if (isRoom) this.keep(growth)
    return isRoom
  }

  async makeWay(growth: Weight): Promise<void> {
    if (this.take(growth)) return
    const { ends } = this
    await this.way.make({ subject: this.subject, growth: this.beyond(growth) }, () => {
      if (this.ends === ends) this.keep(growth)
    })
  }

  admit(growth: Weight): void {
    const more = this.beyond(growth)
    if (totalOf(more) > 0) this.way.admit({ subject: this.subject, growth: more })
  }

  end(): void {
    // Stryker disable next-line AssignmentOperator: any number that none of the ends before it had
    this.ends += 1
    if (this.kept === WEIGHTLESS) return
    const growth = minus(WEIGHTLESS, this.kept)
    this.kept = WEIGHTLESS
    this.held.change('growth', this.subject, growth)
  }

  close(): void {
    this.end()
    this.ends = Infinity
  }

  private keep(growth: Weight): void {
    if (this.ends === Infinity) return
    const after = { heap: Math.max(this.kept.heap, growth.heap), buffers: Math.max(this.kept.buffers, growth.buffers) }
    const more = minus(after, this.kept)
    if (totalOf(more) === 0) return
    this.kept = after
    this.held.change('growth', this.subject, more)
  }

  private beyond(growth: Weight): Weight {
    const { kept } = this
    if (kept === WEIGHTLESS) return growth
    return { heap: Math.max(0, growth.heap - kept.heap), buffers: Math.max(0, growth.buffers - kept.buffers) }
  }
}
