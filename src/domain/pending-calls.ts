/** Calls to a process or a thread of one's own that wait for its replies, each under a number. */
export interface PendingCalls<Value> {
  /** Sends a call under a new number. Settled by a reply to it, or when nobody answers any more. */
  call(send: (id: number) => void): Promise<Value>
  resolve(id: number, value: Value): void
  reject(id: number, error: Error): void
  /** Nobody answers any more: rejects what waits. */
  fail(error: Error): void
}

export function createPendingCalls<Value>(): PendingCalls<Value> {
  const waiting = new Map<number, { readonly resolve: (value: Value) => void; readonly reject: (error: Error) => void }>()
  let lastId = 0

  function take(id: number) {
    const call = waiting.get(id)
    waiting.delete(id)
    return call
  }
  return {
    call: (send) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        send(id)
      }),
    resolve: (id, value) => take(id)?.resolve(value),
    reject: (id, error) => take(id)?.reject(error),
    fail(error) {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
  }
}
