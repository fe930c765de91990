import { accessSync, constants } from 'node:fs'

/** Whether there is a program at the path that may be started. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
