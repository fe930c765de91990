/** Reservation of memory for what a command will add to its actor: until its step has run, nobody else can take it. */
import { minus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { MemoryUse } from './memory-use.js'
import type { ActorAdmission } from './actor-admission.js'

/** Reservation for one command of a subject. A class rather than closures, because every command has one. */
export class Reservation {
  private reserved = WEIGHTLESS
  /** Number of calls of `release`; Infinity once closed. */
  private releases = 0

  constructor(
    private readonly subject: string,
    private readonly memoryUse: MemoryUse,
    private readonly admission: ActorAdmission
  ) {}

  /** Whether the actor may grow by `growth`. Reserves nothing. */
  fits(growth: Weight): boolean {
    const more = this.beyond(growth)
    return totalOf(more) <= 0 || this.admission.isRoom({ subject: this.subject, growth: more })
  }

  /** Raises the reservation to `growth` in total if there is room now. Returns whether there was. */
  tryReserve(growth: Weight): boolean {
    const isRoom = this.fits(growth)
    if (isRoom) this.raise(growth)
    return isRoom
  }

  /** Reserves like `tryReserve`, evicting idle actors first where there is no room. Throws `memory_exhausted`. */
  async reserve(growth: Weight): Promise<void> {
    if (this.tryReserve(growth)) return
    const { releases } = this
    await this.admission.admitEvicting({ subject: this.subject, growth: this.beyond(growth) }, () => {
      if (this.releases === releases) this.raise(growth)
    })
  }

  /** Throws `memory_exhausted` unless the actor may grow by `growth`, the reservation included. */
  admit(growth: Weight): void {
    const more = this.beyond(growth)
    if (totalOf(more) > 0) this.admission.admit({ subject: this.subject, growth: more })
  }

  /** Releases the reservation: the step has run, or the command is prepared again. A pending `reserve` reserves nothing after this. */
  release(): void {
    // Stryker disable next-line AssignmentOperator: any number will do that was not used before
    this.releases += 1
    if (this.reserved === WEIGHTLESS) return
    const growth = minus(WEIGHTLESS, this.reserved)
    this.reserved = WEIGHTLESS
    this.memoryUse.change('growth', this.subject, growth)
  }

  /** Releases the reservation for good: the command is answered, though its preparation may still run. */
  close(): void {
    this.release()
    this.releases = Infinity
  }

  private raise(growth: Weight): void {
    if (this.releases === Infinity) return
    const after = { heap: Math.max(this.reserved.heap, growth.heap), buffers: Math.max(this.reserved.buffers, growth.buffers) }
    const more = minus(after, this.reserved)
    if (totalOf(more) === 0) return
    this.reserved = after
    this.memoryUse.change('growth', this.subject, more)
  }

  private beyond(growth: Weight): Weight {
    const { reserved } = this
    if (reserved === WEIGHTLESS) return growth
    return { heap: Math.max(0, growth.heap - reserved.heap), buffers: Math.max(0, growth.buffers - reserved.buffers) }
  }
}
