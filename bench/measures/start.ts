/** Time from the start of the built program to its first 200. */
import { readFile } from 'node:fs/promises'
import { startProgram } from '../built-program.js'
import { type Findings, figureOf, type MeasureOptions } from '../figures.js'

const STARTS = 9
const START_S_MAX = 0.6

export async function measureStart({ isShort }: MeasureOptions): Promise<Findings> {
  const wallS: number[] = []
  const usedS: number[] = []
  for (let at = 0; at < (isShort ? 1 : STARTS); at++) {
    const { child, startedS, stop } = await startProgram()
    wallS.push(startedS)
    usedS.push(await usedSecondsOf(child.pid ?? 0))
    await stop()
  }
  return {
    figures: [figureOf('start until the first 200', 's', wallS, { atMost: START_S_MAX }), figureOf('start, processor time', 's', usedS)]
  }
}

/** proc(5): fields 14 and 15 of /proc/pid/stat, in hundredths of a second. NaN on other systems than Linux. */
async function usedSecondsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
