/** Source of models in a folder with the layout of the model directory. */
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKSUM_LIST, type ModelSource, readChecksumList, SourceError, type SourceFile } from './source.js'

/** `directory`: the model's own. */
export function createFolderSource(directory: string): ModelSource {
  return {
    async find(names) {
      const list = readChecksumList(await readFile(join(directory, CHECKSUM_LIST), 'utf8').catch(() => ''))
      return Promise.all(
        names.map(async (name): Promise<SourceFile> => {
          const path = join(directory, name)
          const found = await stat(path).catch((cause: unknown) => {
            throw new SourceError(`The folder has no ${name} of this model.`, { isPassing: false, cause })
          })
          return {
            name,
            bytes: found.size,
            checksum: list.get(name) ?? null,
            read: async (start) => ({ start, body: createReadStream(path, { start }) })
          }
        })
      )
    }
  }
}
