/** Named areas of the most important behaviour: files from several folders that get a score of their own. */
export const AREAS: Readonly<Record<string, readonly string[]>> = {
  fencing: [
    'actors/runtime/activate.ts',
    'actors/placement/handed-on-storage.ts',
    'src/storage/memory.ts',
    'src/storage/sql/operations.ts',
    'src/storage/sql/read-record.ts',
    'src/storage/redis/scripts.ts',
    'src/storage/mongo/storage.ts'
  ],
  gates: ['actors/runtime/output-gate.ts', 'actors/runtime/jobs.ts', 'actors/runtime/order.ts'],
  lifecycle: [
    'machines/lifecycle.ts',
    'actors/runtime/lifecycle-logic.ts',
    'actors/runtime/activations.ts',
    'actors/runtime/eviction.ts',
    'actors/runtime/registry.ts',
    'actors/runtime/sweep.ts'
  ],
  membership: [
    'src/domain/nodes/membership.ts',
    'src/domain/nodes/rendezvous.ts',
    'machines/membership-machine.ts',
    'actors/placement/membership.ts',
    'actors/placement/absence.ts',
    'actors/placement/namesake.ts',
    'actors/placement/self.ts',
    'actors/placement/self-watch.ts',
    'actors/placement/storage-watch.ts'
  ],
  requests: ['src/domain/request-keys.ts', 'actors/messaging/idempotency-log.ts', 'actors/messaging/idempotency-ring.ts'],
  erasure: [
    'actors/subject/erasure.ts',
    'actors/session/steps/erase.ts',
    'actors/session/semantic-state/forget.ts',
    'actors/session/semantic-state/refold.ts'
  ],
  authentication: ['src/auth']
}
