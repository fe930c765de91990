/** What an observer asks of others before a step. */
import type { ObserverCommand } from '../../src/domain/commands/observer-commands.js'
import { fanOut } from '../asking/fan-out.js'
import { type Census, findRegion, type Sample, type SampleOptions, takeCensus } from './sample.js'
import type { ObserverState } from './state.js'

/** What came of it; null for the commands that only look for a region, or ask nobody. */
export type Prepared = { readonly sample?: Sample; readonly census?: Census } | null

export async function prepareCommand(options: SampleOptions, state: ObserverState, command: ObserverCommand): Promise<Prepared> {
  switch (command.type) {
    case 'observer.sample':
      return { sample: await state.takeSample() }
    case 'observer.summary':
      return { census: await takeCensus(options, state.address, [...state.regionIds]) }
    case 'observer.create':
      // What is registered already may have been deleted since, and stays until the next sample.
      await fanOut(
        command.regionIds.filter((id) => !state.regionIds.has(id)),
        options.clock,
        (regionId) => findRegion(options, state.address, regionId)
      )
      return null
    case 'observer.register':
      await findRegion(options, state.address, command.regionId)
      return null
    default:
      return null
  }
}
