/** Wraps a storage so that a test can delay, count and fail its calls. */
import type { ActorStorage } from '../../src/ports.js'

type Call = 'create' | 'peek' | 'activate' | 'commit' | 'remove' | 'release' | 'verify'

export interface GatedStorage extends ActorStorage {
  /** Makes this call wait until `open`. */
  hold(call: Call): void
  /** Releases waiting calls, and lets later ones pass. */
  open(call: Call): void
  /** How often each call was started. */
  readonly counts: Readonly<Record<Call, number>>
  /** Maximum concurrency of each call. */
  readonly most: Readonly<Record<Call, number>>
}

export function gated(storage: ActorStorage): GatedStorage {
  const zeros = { create: 0, peek: 0, activate: 0, commit: 0, remove: 0, release: 0, verify: 0 }
  const counts = { ...zeros }
  const most = { ...zeros }
  const under = { ...zeros }
  const gates = new Map<Call, { readonly opened: Promise<void>; readonly open: () => void }>()

  const through = <Args extends unknown[], Result>(name: Call, call: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      counts[name] += 1
      under[name] += 1
      most[name] = Math.max(most[name], under[name])
      try {
        await gates.get(name)?.opened
        return await call(...args)
      } finally {
        under[name] -= 1
      }
    }
  }
  return {
    ...storage,
    counts,
    most,
    create: through('create', storage.create),
    peek: through('peek', storage.peek),
    activate: through('activate', storage.activate),
    commit: through('commit', storage.commit),
    remove: through('remove', storage.remove),
    release: through('release', storage.release),
    verify: through('verify', storage.verify),
    hold(call) {
      let open = () => {}
      const opened = new Promise<void>((resolve) => (open = resolve))
      gates.set(call, { opened, open })
    },
    open(call) {
      gates.get(call)?.open()
      gates.delete(call)
    }
  }
}
