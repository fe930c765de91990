/** Reservation of memory for what a command will add to its actor: until its step has run, nobody else can take it. */
import { minus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/weight.js'
import type { Held } from './held.js'
import type { Way } from './way.js'

export interface Keep {
  /** Whether the actor may grow by `growth`. Reserves nothing. */
  fits(growth: Weight): boolean
  /** Raises the reservation to `growth` in total if there is room now. Returns whether there was. */
  take(growth: Weight): boolean
  /** Reserves like `take`, evicting idle actors first where there is no room. Throws `memory_exhausted`. */
  makeWay(growth: Weight): Promise<void>
  /** Throws `memory_exhausted` unless the actor may grow by `growth`, the reservation included. */
  admit(growth: Weight): void
  /** Releases the reservation: the step has run, or the command is prepared again. A pending `makeWay` reserves nothing after this. */
  end(): void
  /** Releases the reservation for good: the command is answered, though its preparation may still run. */
  close(): void
}

/** Reservation for one command of a subject. A class rather than closures, because every command has one. */
export class SubjectKeep implements Keep {
  private kept = WEIGHTLESS
  /** Number of calls of `end`; Infinity once closed. */
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
    // Stryker disable next-line AssignmentOperator: any number will do that was not used before
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
