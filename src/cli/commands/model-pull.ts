/** `engram model pull`: downloads an embedding model, for machines that need it before the service starts. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { processEnvironment, readSetting } from '../../config.js'
import { HUB_URL } from '../../embedders/model-download.js'
import { parseModelName, type Precision } from '../../embedders/model-name.js'
import { createFolderSource } from '../../embedders/pulling/folder-source.js'
import { createHubSource } from '../../embedders/pulling/hub-source.js'
import { ChecksumError, DiskFullError, pullModelFiles, type Pulled } from '../../embedders/pulling/pull.js'
import { type ModelSource, SourceError } from '../../embedders/pulling/source.js'
import { createSystemClock } from '../../platform/clock.js'
import { CommandFailure, EXIT, usageFailure } from '../console/failure.js'
import { interruptible, RESUME_HINT } from '../console/interruption.js'
import { createOutput } from '../console/output.js'
import { formatBytes, type Progress, startProgress } from '../console/progress.js'

export interface PullOptions {
  readonly from?: string
  readonly dir?: string
  readonly precision: Precision
  readonly sha256?: string
  readonly json?: true
}

export async function pullModel(name: string, { from, dir, precision, sha256, json }: PullOptions): Promise<void> {
  const parsed = parseModelName(name)
  if (parsed === null || parsed.pin !== undefined) throw usageFailure('A model goes by its name on the hub: name or owner/name.')
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) throw usageFailure('--sha256 must be 64 digits of hex, in small letters.')
  const clock = createSystemClock()
  const modelDir = dir ?? readSetting(processEnvironment(), 'SERVICE_MODEL_DIR')
  const { id } = parsed
  const source = await openSource(from ?? HUB_URL, id, clock)
  let progress: Progress | undefined
  const pulled = await interruptible(RESUME_HINT, (signal) =>
    pullModelFiles({
      source,
      modelDir,
      id,
      precision,
      sha256,
      clock,
      signal,
      onProgress(bytes, total) {
        progress ??= startProgress({ label: id, total, format: formatBytes })
        progress.update(bytes)
      }
    })
  )
    .catch((error: unknown) => {
      throw toFailure(error)
    })
    .finally(() => progress?.end())
  report(id, modelDir, pulled, json === true)
}

async function openSource(from: string, id: string, clock: ReturnType<typeof createSystemClock>): Promise<ModelSource> {
  if (/^https?:\/\//.test(from)) {
    if (!URL.canParse(from)) throw usageFailure('--from must be an address or a folder.')
    return createHubSource({ hubUrl: from.replace(/(?<!\/)\/+$/, ''), id, clock })
  }
  const found = await stat(from).catch(() => null)
  if (found?.isDirectory() !== true) throw usageFailure('--from must be an address or a folder.')
  const below = join(from, ...id.split('/'))
  const isBelow = (await stat(below).catch(() => null)) !== null
  return createFolderSource(isBelow ? below : from)
}

function toFailure(error: unknown): unknown {
  if (error instanceof SourceError && error.isPassing)
    return new CommandFailure(`${error.message} ${RESUME_HINT}`, EXIT.resumable, { cause: error })
  if (error instanceof DiskFullError) return new CommandFailure(error.message, EXIT.resumable, { cause: error })
  if (error instanceof SourceError || error instanceof ChecksumError)
    return new CommandFailure(error.message, EXIT.failed, { cause: error })
  return error
}

function report(id: string, modelDir: string, { directory, files }: Pulled, isJson: boolean): void {
  const output = createOutput()
  if (isJson) {
    output.json({
      model: id,
      directory,
      files: files.map(({ name, bytes, checksum }) => ({ name, bytes, [checksum.algorithm]: checksum.hex }))
    })
    return
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  output.line(`${id} is in ${directory}: ${String(files.length)} files, ${formatBytes(bytes)}, each as its checksum says.`)
  output.line(`Use it: SERVICE_EMBEDDER=transformers SERVICE_MODEL_DIR=${modelDir} engram serve`)
}
