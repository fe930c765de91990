/** Calls to a child process or thread that wait for a reply, each identified by a number. */
interface PendingCalls<Value> {
  /** Sends a call under a new number. Settles with its reply, or when `fail` is called. */
  call(send: (id: number) => void): Promise<Value>
  resolve(id: number, value: Value): void
  reject(id: number, error: Error): void
  /** Rejects all waiting calls, because no reply will come any more. */
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
